/**
 * What a browser may do with what we send. Captured bytes are hostile: they never run, never load anything and are
 * never read as another type than the one stated.
 */

/** Policy of the UI's own pages. */
const SHELL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Policy of captured bytes of any type. */
export const CAPTURED_POLICY = "sandbox; default-src 'none'";

/** Policy of answers that are no pages: JSON, streams, refusals. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** On every answer that carries captured bytes. */
export const CAPTURED_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": CAPTURED_POLICY,
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** On the UI's pages and modules. */
export const SHELL_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": SHELL_POLICY,
  "referrer-policy": "no-referrer",
};

/**
 * Adds the headers that every answer of the UI and the read-back API carries: no other site may embed or frame it, keep a
 * reference to a window that shows it, or have it sniffed as another type, and our addresses never leave in a `Referer`.
 */
export function protect(headers: Headers): void {
  const policy = headers.get("content-security-policy");
  if (policy === null) headers.set("content-security-policy", DATA_POLICY);
  const isSandboxed = policy?.startsWith("sandbox") === true;
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-resource-policy", "same-origin");
  // The UI shows HTML mails in a frame.
  headers.set("x-frame-options", isSandboxed ? "SAMEORIGIN" : "DENY");
  // A browser shows nothing that has both this and a sandbox (HTML Standard, "cross-origin opener policies").
  if (!isSandboxed) headers.set("cross-origin-opener-policy", "same-origin");
}
