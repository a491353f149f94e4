import type { HeaderValues } from "./call.ts";

/** Detects whether a browser will show a response as a page (Fetch Metadata, `Sec-Fetch-Dest`). */
const PAGES = new Set(["document", "iframe", "frame", "embed", "object"]);

/** Returns whether a browser will show the response as a page: in a tab, in a frame, or in either. */
export function pageLoadOf(headers: HeaderValues): "tab" | "frame" | "either" | undefined {
  const dest = headers.get("sec-fetch-dest");
  if (dest !== null) return dest === "document" ? "tab" : PAGES.has(dest) ? "frame" : undefined;
  // Browsers omit the header except over TLS and to loopback addresses. Java clients accept HTML,
  // too, but are not browsers.
  const isBrowser = headers.get("user-agent")?.startsWith("Mozilla/") === true;
  return isBrowser && /\btext\/html\b/i.test(headers.get("accept") ?? "") ? "either" : undefined;
}
