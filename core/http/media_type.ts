/** A media type with parameters, as RFC 9110 section 8.3.1 writes it. */
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+(?:[ \t]*;[\t\x20-\x7e]*)?$/;

/** Returns the declared type; `application/octet-stream` without one, and for an invalid one. */
export function toMediaType(stated: string | undefined): string {
  const text = stated?.trim() ?? "";
  return MEDIA_TYPE.test(text) ? text : "application/octet-stream";
}
