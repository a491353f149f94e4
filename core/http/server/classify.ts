/** RFC 9113 section 3.4. */
const PREFACE = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
/** Content type of a TLS handshake record (RFC 8446 section 5.1). */
const TLS_HANDSHAKE = 0x16;

/** Protocol of a connection, by its first bytes. */
export type FirstBytes = "http1" | "http2" | "tls" | "undecided";

/** `undecided` as long as the bytes could still become the HTTP/2 preface. */
export function classify(bytes: Uint8Array): FirstBytes {
  if (bytes[0] === TLS_HANDSHAKE) return "tls";
  const length = Math.min(bytes.length, PREFACE.length);
  for (let i = 0; i < length; i++) {
    if (bytes[i] !== PREFACE[i]) return "http1";
  }
  return length === PREFACE.length ? "http2" : "undecided";
}
