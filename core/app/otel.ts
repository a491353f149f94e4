/** Exports spans of captures to the collector at `[otel] endpoint`. */
import { compact } from "../compact.ts";
import { Dialer } from "../net/outgoing.ts";
import type { Settings } from "../options/settings.ts";
import type { CaptureSpans, SpanContext } from "../otel/capture.ts";
import { SpanExporter } from "../otel/exporter.ts";
import { toAttributes, toSpan } from "../otel/span.ts";
import { VERSION } from "../version.ts";

/** Opens the export; the settings have already been checked to allow the endpoint. */
export function openOtel(
  { core: { root } }: Settings,
  endpoint: string,
  { log, now, eventUrl }: SpanContext,
): CaptureSpans {
  const dialer = new Dialer();
  // https://opentelemetry.io/docs/specs/otlp/#otlphttp-request
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const encoder = new TextEncoder();
  const exporter = new SpanExporter({
    resource: toAttributes({
      "service.name": "standin",
      "service.version": VERSION,
      ...compact({ "service.instance.id": root.instance }),
    }),
    version: VERSION,
    send: (body, { timeoutMs, signal }) =>
      dialer.request({ ...CALL, url, body: encoder.encode(body) }, {
        headers: [["Content-Type", "application/json"], ["User-Agent", `standin/${VERSION}`]],
        timeoutMs,
        signal,
      }),
    log,
    random: Math.random,
  });
  return {
    capture(event) {
      const span = toSpan(event, { url: eventUrl(event.id), endMs: now().getTime() });
      if (span !== undefined) exporter.add(span);
    },
    get counts() {
      return exporter.counts;
    },
    [Symbol.asyncDispose]: () => exporter[Symbol.asyncDispose](),
  };
}

const CALL = { method: "POST", name: "traces", headers: [] } as const;
