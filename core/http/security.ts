/**
 * Response headers that restrict the browser. Captured bytes are hostile: they never run, never
 * load anything and are never interpreted as a type other than the declared one.
 */

/** Policy of the pages of the UI. */
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

/** Policy of responses that are not pages: JSON, streams, refusals. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every response with captured bytes. */
export const CAPTURED_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": CAPTURED_POLICY,
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Headers of the pages and modules of the UI. */
export const SHELL_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": SHELL_POLICY,
  "referrer-policy": "no-referrer",
};

/**
 * Adds the headers of every response of the UI and the read-back API: other sites cannot embed or
 * frame it, or keep a reference to its window; browsers do not sniff its type, and do not send its
 * address as `Referer`.
 */
export function protect(headers: Headers): void {
  const policy = headers.get("content-security-policy");
  if (policy === null) headers.set("content-security-policy", DATA_POLICY);
  const isSandboxed = policy?.startsWith("sandbox") === true;
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-resource-policy", "same-origin");
  // The UI shows HTML emails in a frame.
  headers.set("x-frame-options", isSandboxed ? "SAMEORIGIN" : "DENY");
  // Browsers refuse a page with both this header and a sandbox (HTML Standard, "cross-origin opener
  // policies").
  if (!isSandboxed) headers.set("cross-origin-opener-policy", "same-origin");
}
