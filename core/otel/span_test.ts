import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent, RawRecord } from "../events/event.ts";
import { toSpan } from "./span.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const ABOUT = { url: "http://localhost:8811/ui/events/x", endMs: 1_769_860_800_005 };

function event(raw: Partial<RawRecord>, more: Partial<CapturedEvent> = {}): CapturedEvent {
  return {
    id: "0199c0ffee000000deadbeef",
    seq: 1,
    plugin: "mail",
    provider: "mail3",
    type: "mail.message",
    received_at: new Date(1_769_860_800_001),
    summary: "a secret subject",
    summary_parts: {},
    meta: {},
    payload: { subject: "a secret subject" },
    raw: { transport: "http", text: true, body: new TextEncoder().encode("a secret"), ...raw },
    blobs: [],
    ...more,
  };
}

/** Values by key; numbers as text. */
function valuesOf(span: ReturnType<typeof toSpan>): Record<string, string> {
  return Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]!]),
  );
}

Deno.test("the span of a request continues its trace and has the conventional attributes", () => {
  const span = toSpan(
    event({
      method: "POST",
      path: "/emails?signature=secret",
      http_version: "1.1",
      peer_addr: "[::1]:52001",
      headers: [
        ["Host", "localhost:8822"],
        ["User-Agent", "app/1"],
        ["traceparent", `00-${TRACE}-${PARENT}-01`],
      ],
    }, { namespace: "t1", meta: { fault: "busy" } }),
    ABOUT,
  );
  assertEquals([span?.traceId, span?.parentSpanId, span?.kind], [TRACE, PARENT, 2]);
  assertEquals(span?.spanId.length, 16);
  assertEquals(span?.name, "capture mail.message");
  assertEquals(span?.flags, 0x301);
  assertEquals(span?.startTimeUnixNano, "1769860800001000000");
  assertEquals(span?.endTimeUnixNano, "1769860800005000000");
  assertEquals(valuesOf(span), {
    "network.transport": "tcp",
    "network.peer.address": "::1",
    "network.peer.port": "52001",
    "client.address": "::1",
    "http.request.method": "POST",
    "url.path": "/emails",
    "http.request.body.size": "8",
    "network.protocol.name": "http",
    "network.protocol.version": "1.1",
    "server.address": "localhost",
    "server.port": "8822",
    "user_agent.original": "app/1",
    "standin.event.id": "0199c0ffee000000deadbeef",
    "standin.event.type": "mail.message",
    "standin.event.url": ABOUT.url,
    "standin.plugin": "mail",
    "standin.provider": "mail3",
    "standin.namespace": "t1",
    "standin.fault": "busy",
  });
  assert(!JSON.stringify(span).includes("secret"));
});

Deno.test("a capture without a trace begins one, the same each time", () => {
  const span = toSpan(event({ transport: "udp", peer_addr: "192.0.2.1:162" }), ABOUT);
  assertEquals(span?.parentSpanId, undefined);
  assertEquals(span?.flags, 0x101);
  assertEquals(span?.traceId.length, 32);
  assertEquals(valuesOf(span)["network.transport"], "udp");
  assertEquals(toSpan(event({ transport: "udp" }), ABOUT)?.traceId, span?.traceId);
  const other = toSpan(event({ transport: "udp" }, { id: "0199c0ffee000001deadbeef" }), ABOUT);
  assert(other?.spanId !== span?.spanId);
});

Deno.test("an unsampled trace is not recorded", () => {
  const headers = [["traceparent", `00-${TRACE}-${PARENT}-00`]] as const;
  assertEquals(toSpan(event({ method: "POST", headers }), ABOUT), undefined);
});

Deno.test("strange methods, hosts and peers leave a valid span", () => {
  const span = toSpan(
    event({
      method: "BREW",
      path: "/x".repeat(2000),
      peer_addr: "not an address",
      headers: [["host", "a:b:c"], ["user-agent", `\ud800${"u".repeat(5000)}`]],
    }),
    { ...ABOUT, endMs: 0 },
  );
  const values = valuesOf(span);
  assertEquals(values["http.request.method"], "_OTHER");
  assertEquals(values["http.request.method_original"], "BREW");
  assertEquals(values["url.path"]?.length, 1024);
  assertEquals(values["server.address"], undefined);
  assert(values["user_agent.original"]!.isWellFormed());
  assertEquals(span?.endTimeUnixNano, span?.startTimeUnixNano);
});
