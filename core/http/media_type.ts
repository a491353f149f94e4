/** A media type with parameters, as RFC 9110 section 8.3.1 writes it. */
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+(?:[ \t]*;[\t\x20-\x7e]*)?$/;

/** The type a sender stated, or `application/octet-stream` for none and for text that is no media type. */
export function toMediaType(stated: string | undefined): string {
  const text = stated?.trim() ?? "";
  return MEDIA_TYPE.test(text) ? text : "application/octet-stream";
}
