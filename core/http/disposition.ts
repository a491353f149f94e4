/**
 * Content-Disposition of RFC 6266, with the UTF-8 form of RFC 8187, and an ASCII one for old
 * readers.
 */
export function contentDisposition(kind: "inline" | "attachment", filename?: string): string {
  if (filename === undefined || filename === "") return kind;
  // Control characters and line breaks could end the header; separators could name a folder.
  const safe = filename.toWellFormed().replace(/\p{Cc}/gu, " ").replace(/[/\\]/g, "_");
  const ascii = safe.replace(/[^\x20-\x7e]/g, "_").replace(/["%]/g, "_");
  const plain = `${kind}; filename="${ascii}"`;
  return ascii === safe ? plain : `${plain}; filename*=UTF-8''${encodeExtended(safe)}`;
}

/** RFC 8187 `ext-value`: everything but `attr-char` is percent-encoded. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
