/** Names a captured event's page on the answer to the request that made it. */
const EVENT_URL_HEADER = "X-Service-Event-Url";

/** How many events the request made; only where they are more than the answer names. */
const EVENT_COUNT_HEADER = "X-Service-Event-Count";

/** Most header lines of their own on one answer: Python's http.client and Rust's hyper give up at 100 fields. */
const MAX_LINES = 64;

/** Octets the names of events may take on one answer: Netty gives up at a head of 8 KiB, Node at 16 KiB. */
const MAX_NAMED_BYTES = 7000;

/**
 * Names the captured events on the answer: a header line for each or, when those would be too many for clients, one
 * line with all of them (the same, RFC 9110 section 5.3). One request can make a thousand events; when even that line
 * would be too long it ends early, and `X-Service-Event-Count` tells how many there are.
 */
export function nameEvents(
  headers: Pick<Headers, "append" | "set">,
  urls: readonly string[],
): void {
  if (urls.length === 1) return headers.append(EVENT_URL_HEADER, urls[0]!);
  const perLine = EVENT_URL_HEADER.length + ": \r\n".length;
  const named = fitting(urls, perLine);
  if (named.length === urls.length && urls.length <= MAX_LINES) {
    for (const url of urls) headers.append(EVENT_URL_HEADER, url);
    return;
  }
  const joined = fitting(urls, ", ".length);
  headers.set(EVENT_URL_HEADER, joined.join(", "));
  if (joined.length < urls.length) headers.set(EVENT_COUNT_HEADER, String(urls.length));
}

/** As many from the beginning as may be named, and at least one; each costs `extra` octets more. */
function fitting(urls: readonly string[], extra: number): readonly string[] {
  let bytes = 0;
  const end = urls.findIndex((url) => (bytes += url.length + extra) > MAX_NAMED_BYTES);
  return end === -1 ? urls : urls.slice(0, Math.max(1, end));
}
