/**
 * Captures as spans, in the JSON of OTLP:
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding. Attributes follow the semantic
 * conventions (https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server) where they
 * exist. Spans do not contain captured data, only the address of the event.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { CapturedEvent, RawRecord } from "../events/event.ts";
import { traceOf } from "../trace_context.ts";

/** An attribute. 64-bit integers are decimal text. */
export interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

/** A span of OTLP. */
export interface OtlpSpan {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Span of the sender. */
  readonly parentSpanId?: string;
  /** Trace flags, and whether the parent is in another process. */
  readonly flags: number;
  readonly name: string;
  /** `SPAN_KIND_SERVER`. */
  readonly kind: 2;
  /** Nanoseconds since 1970. */
  readonly startTimeUnixNano: string;
  /** Nanoseconds since 1970. */
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
}

/**
 * `SpanFlags` of trace.proto: bit 8 says that bit 9 is known, and bit 9 that the parent is remote. The lowest bit is
 * `sampled`.
 */
const SAMPLED = 0x001;
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** Methods in the semantic conventions; all others are `_OTHER`. */
const METHODS: ReadonlySet<string> = new Set([
  ...["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"],
]);

/** Maximum characters of an attribute. */
const MOST_CHARACTERS = 1024;

/**
 * Returns the span of a capture, which continues the trace of its request or, without one, starts a
 * trace; `undefined` if the sender does not record its own span. Ids are derived from the event id,
 * so that they are stable.
 */
export function toSpan(
  event: CapturedEvent,
  { url, endMs }: { readonly url: string; readonly endMs: number },
): OtlpSpan | undefined {
  const parent = traceOf(event.raw.headers);
  // Like the sampler `parentbased_always_on`, the default of SDKs: the child of an unrecorded span
  // would be an orphan.
  if (parent?.sampled === false) return undefined;
  const digest = createHash("sha256").update(event.id).digest("hex");
  const startMs = event.received_at.getTime();
  return {
    traceId: parent?.traceId ?? digest.slice(0, 32),
    spanId: digest.slice(32, 48),
    ...(parent === undefined ? {} : { parentSpanId: parent.parentId }),
    flags: SAMPLED | HAS_IS_REMOTE | (parent === undefined ? 0 : IS_REMOTE),
    name: `capture ${event.type}`,
    kind: 2,
    startTimeUnixNano: toNanos(startMs),
    endTimeUnixNano: toNanos(Math.max(startMs, endMs)),
    attributes: toAttributes({
      ...requestOf(event.raw),
      "standin.event.id": event.id,
      "standin.event.type": event.type,
      "standin.event.url": url,
      "standin.plugin": event.plugin,
      "standin.provider": event.provider,
      "standin.namespace": event.namespace,
      "standin.fault": typeof event.meta.fault === "string" ? event.meta.fault : undefined,
    }),
  };
}

/** Values by attribute name. */
type Values = Readonly<Record<string, string | number | undefined>>;

function requestOf(raw: RawRecord): Values {
  const peer = placeOf(raw.peer_addr ?? "");
  const network = {
    "network.transport": raw.transport === "udp" ? "udp" : "tcp",
    "network.peer.address": peer.address,
    "network.peer.port": peer.port,
    "client.address": peer.address,
  };
  if (raw.method === undefined) {
    const protocol = raw.transport === "tcp" || raw.transport === "udp" ? undefined : raw.transport;
    return { ...network, "network.protocol.name": protocol };
  }
  const header = (wanted: string): string | undefined =>
    raw.headers?.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const server = placeOf(header("host") ?? "");
  const isKnown = METHODS.has(raw.method);
  return {
    ...network,
    "http.request.method": isKnown ? raw.method : "_OTHER",
    "http.request.method_original": isKnown ? undefined : raw.method,
    // Without the query, which may contain a signature.
    "url.path": raw.path?.split("?", 1)[0],
    "http.request.body.size": raw.body.length,
    "network.protocol.name": "http",
    "network.protocol.version": raw.http_version,
    "server.address": server.address,
    "server.port": server.port,
    "user_agent.original": header("user-agent"),
  };
}

/** Parses `host:port`, `[::1]:port` or a host alone. */
function placeOf(text: string): { readonly address?: string; readonly port?: number } {
  const { v6, host, port } =
    /^(?:\[(?<v6>[^\]]+)\]|(?<host>[^:]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {};
  const address = v6 ?? host;
  if (address === undefined) return {};
  return port === undefined ? { address } : { address, port: Number(port) };
}

/** Returns the attributes that have a value. */
export function toAttributes(values: Values): Attribute[] {
  return Object.entries(values).flatMap(([key, value]): Attribute[] => {
    if (value === undefined || value === "") return [];
    if (typeof value === "number") return [{ key, value: { intValue: String(value) } }];
    return [{ key, value: { stringValue: value.slice(0, MOST_CHARACTERS).toWellFormed() } }];
  });
}

/** As text, because a double cannot represent them exactly. */
function toNanos(ms: number): string {
  return `${Math.trunc(ms)}000000`;
}
