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

/**
 * On every answer that carries captured bytes. No Cross-Origin-Resource-Policy: a sandboxed frame has an opaque origin,
 * so that policy would keep an HTML mail from showing the pictures it carries.
 */
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
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
