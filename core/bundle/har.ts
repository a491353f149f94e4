/** Exports HTTP captures as an HTTP Archive 1.2 for browsers and API tools. */
import { LongList } from "../bytes/long_list.ts";
import { Base64Text, Utf8Text } from "../bytes/long_text.ts";
import type { CapturedEvent, HeaderPairs } from "../events/event.ts";

/** One entry per request, in order of capture; the events of one request share it. */
export function harRequests(events: readonly CapturedEvent[]): CapturedEvent[] {
  const seen = new Set<Uint8Array>();
  return events.filter(({ raw }) => {
    if (raw.transport !== "http" || seen.has(raw.body)) return false;
    seen.add(raw.body);
    return true;
  });
}

/** Builds the archive of some requests. */
export function toHar(
  requests: readonly CapturedEvent[],
  creator: { readonly name: string; readonly version: string },
): Readonly<Record<string, unknown>> {
  return {
    log: { version: "1.2", creator, pages: [], entries: new LongList(requests, toHarEntry) },
  };
}

/**
 * Builds the entry of one request. Responses are not kept, so the entry has status 0, which HAR readers take for none.
 */
function toHarEntry(event: CapturedEvent): Readonly<Record<string, unknown>> {
  const { raw } = event;
  const headers = raw.headers ?? [];
  const url = urlOf(event);
  return {
    startedDateTime: event.received_at.toISOString(),
    time: 0,
    request: {
      method: raw.method ?? "GET",
      url,
      httpVersion: `HTTP/${raw.http_version ?? "1.1"}`,
      cookies: [],
      headers: headers.map(([name, value]) => ({ name, value })),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(raw.body.length === 0 ? {} : { postData: toPostData(event, headers) }),
      headersSize: -1,
      bodySize: raw.body.length,
    },
    response: {
      status: 0,
      statusText: "",
      httpVersion: "",
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: "x-unknown" },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: `${event.provider} ${event.type}: ${event.summary}`,
    _event: event.id,
  };
}

/** HAR has no encoding for binary request bodies: they are base64, as `_encoding` says. */
function toPostData({ raw }: CapturedEvent, headers: HeaderPairs): Record<string, unknown> {
  return {
    mimeType: valueOf(headers, "content-type") ?? "application/octet-stream",
    params: [],
    ...(raw.text
      ? { text: new Utf8Text(raw.body) }
      : { text: new Base64Text(raw.body), _encoding: "base64" }),
  };
}

/** Returns the URL as the client sent it. HAR requires an absolute one; both parts are the client's text. */
function urlOf({ raw: { headers = [], path = "/" } }: CapturedEvent): string {
  const host = valueOf(headers, "host") ?? valueOf(headers, ":authority") ?? "localhost";
  const base = URL.canParse(`http://${host}/`) ? `http://${host}/` : "http://localhost/";
  const target = path.startsWith("/") ? `${base.slice(0, -1)}${path}` : path;
  return URL.canParse(target) ? target : base;
}

function valueOf(headers: HeaderPairs, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}
