import type { HeaderValues } from "./call.ts";

/** Whether a browser is about to show an answer as a page (Fetch Metadata, `Sec-Fetch-Dest`). */
const PAGES = new Set(["document", "iframe", "frame", "embed", "object"]);

/** Returns whether a browser will show the answer as a page: in a tab, in a frame, or in either. */
export function pageLoadOf(headers: HeaderValues): "tab" | "frame" | "either" | undefined {
  const dest = headers.get("sec-fetch-dest");
  if (dest !== null) return dest === "document" ? "tab" : PAGES.has(dest) ? "frame" : undefined;
  // Outside of loopback addresses and TLS it is not said. Java asks for HTML, too, but is no browser.
  const isBrowser = headers.get("user-agent")?.startsWith("Mozilla/") === true;
  return isBrowser && /\btext\/html\b/i.test(headers.get("accept") ?? "") ? "either" : undefined;
}
