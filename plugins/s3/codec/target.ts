/** The request target: `/bucket`, `/bucket/` or `/bucket/key`, percent-encoded once (path style). */

/** What a request names. */
export interface Target {
  /** Empty for the service itself. */
  readonly bucket: string;
  /** Decoded; empty for the bucket itself. */
  readonly key: string;
}

/**
 * Splits at the first `/` behind the bucket; all that follows is the key, whatever segments it seems to have. Nothing
 * for what is not percent-encoded UTF-8.
 */
export function readTarget(path: string): Target | undefined {
  const rest = path.replace(/^\//, "");
  const slash = rest.indexOf("/");
  const bucket = decode(slash < 0 ? rest : rest.slice(0, slash));
  const key = decode(slash < 0 ? "" : rest.slice(slash + 1));
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}

/**
 * `[/]bucket/key` of `x-amz-copy-source`; a literal `?versionId=` behind it is not part of the key. Some callers encode
 * the slash between the two as well.
 */
export function readCopySource(header: string): Target | undefined {
  const text = decode(header.split("?")[0]!)?.replace(/^\//, "") ?? "";
  const slash = text.indexOf("/");
  if (slash < 1 || slash === text.length - 1) return undefined;
  return { bucket: text.slice(0, slash), key: text.slice(slash + 1) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** As `encoding-type=url` writes a key: `/` stays, `+` does not. */
export function encodeKey(key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed());
  return encoded.replaceAll("%2F", "/").replace(
    /[!'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
