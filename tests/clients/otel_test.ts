/**
 * Captures in the trace of the request that caused them: an application with the OpenTelemetry SDK
 * sends, and the OTLP receiver of the OpenTelemetry Collector accepts the spans.
 */
import { assert, assertEquals } from "@std/assert";
import { context, propagation, SpanKind, trace } from "npm:@opentelemetry/api@1.10.0";
import { W3CTraceContextPropagator } from "npm:@opentelemetry/core@2.12.1";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "npm:@opentelemetry/sdk-trace-base@2.12.1";
import { within } from "../../core/net/within.ts";
import type { OtlpSpan } from "../../core/otel/span.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { Story } from "../../plugins/client.ts";
import { requireGo } from "../support/clients.ts";
import { startService } from "../support/service.ts";

/** A request as decoded and printed by the receiver. */
interface Received {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpSpan["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Reads requests until there are this many spans. */
  spans(count: number): Promise<readonly OtlpSpan[]>;
  /** Attributes of the service in the last request. */
  readonly resource: OtlpSpan["attributes"];
}

async function startCollector(program: string): Promise<Collector> {
  const child = new Deno.Command(program, { stdin: "piped", stdout: "piped" }).spawn();
  const lines = linesOf(child.stdout);
  const line = async (): Promise<string> =>
    (await within(lines.next(), 60_000, "The collector prints nothing")).value ?? "";
  const url = await line();
  let resource: OtlpSpan["attributes"] = [];
  return {
    url,
    get resource() {
      return resource;
    },
    async spans(count) {
      const found: OtlpSpan[] = [];
      while (found.length < count) {
        const { resourceSpans } = JSON.parse(await line()) as Received;
        resource = resourceSpans[0]!.resource.attributes;
        found.push(
          ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((s) => s.spans)),
        );
      }
      return found;
    },
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await lines.return(undefined);
      await child.status;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    const [...lines] = (rest + piece).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}

const stringsOf = (attributes: OtlpSpan["attributes"]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

Deno.test("a capture is a span of the trace of the request that caused it", async (t) => {
  const program = await requireGo(t, "otlp_receiver");
  if (program === undefined) return;
  await using collector = await startCollector(program);
  await using service = await startService({
    plugins: [mail, sms, snmp],
    config: { otel: { endpoint: collector.url }, instance: "ci-7" },
  });
  const recorded = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(recorded)],
  });
  const tracer = provider.getTracer("app");
  const propagator = new W3CTraceContextPropagator();

  // A request to the application, which sends a mail and an SMS.
  const request = tracer.startSpan("POST /sign-up", { kind: SpanKind.SERVER });
  const send = async (path: string, body: BodyInit, headers: Record<string, string>) => {
    const parent = trace.setSpan(context.active(), request);
    const call = tracer.startSpan(`POST ${path}`, { kind: SpanKind.CLIENT }, parent);
    propagator.inject(trace.setSpan(parent, call), headers, {
      set: (carrier, name, value) => void (carrier[name] = value),
    });
    const answer = await fetch(service.ingress.url + path, { method: "POST", body, headers });
    await answer.body?.cancel();
    assert(answer.ok);
    call.end();
    return call.spanContext();
  };
  const mailBody = { from: "shop@example.com", to: "ada@example.org", subject: "Hi", text: "Hi" };
  const first = await send("/emails", JSON.stringify(mailBody), {
    authorization: "Bearer re_any",
    "content-type": "application/json",
  });
  const form = new URLSearchParams({ To: "+447700900123", From: "+447700900999", Body: "Hi" });
  const second = await send(
    "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json",
    form,
    {},
  );
  request.end();
  await provider.forceFlush();
  propagation.disable();

  const spans = await collector.spans(2);
  const { traceId } = request.spanContext();
  assertEquals(spans.map((span) => [span.traceId, span.parentSpanId, span.name, span.kind]), [
    [traceId, first.spanId, "capture mail.message", 2],
    [traceId, second.spanId, "capture sms.message", 2],
  ]);
  assertEquals(recorded.getFinishedSpans().map((span) => span.spanContext().traceId), [
    traceId,
    traceId,
    traceId,
  ]);
  const [message] = service.events.list({ plugin: "mail" });
  const attributes = stringsOf(spans[0]!.attributes);
  assertEquals(attributes["http.request.method"], "POST");
  assertEquals(attributes["url.path"], "/emails");
  assertEquals(attributes["standin.event.id"], message!.id);
  assertEquals(attributes["standin.event.url"], `${service.ui.url}/ui/events/${message!.id}`);
  assertEquals(
    BigInt(spans[0]!.startTimeUnixNano),
    BigInt(message!.received_at.getTime()) * 1_000_000n,
  );
  const resource = stringsOf(collector.resource);
  assertEquals([resource["service.name"], resource["service.instance.id"]], ["standin", "ci-7"]);
  // The same trace links the story.
  const { stories } = await service.getJson<{ stories: Story[] }>("/stories?window=0");
  assertEquals(stories[0]!.linked_by, [{ by: "trace", name: "traceparent", value: traceId }]);
  const metrics = await (await fetch(`${service.ui.url}/metrics`)).text();
  assert(metrics.includes("\nstandin_otel_spans_sent_total 2\n"), metrics);
});

Deno.test("queued spans are sent when the service stops", async (t) => {
  const program = await requireGo(t, "otlp_receiver");
  if (program === undefined) return;
  await using collector = await startCollector(program);
  const service = await startService({
    plugins: [snmp],
    config: { otel: { endpoint: `${collector.url}/` } },
  });
  const raw = { transport: "udp", text: false, body: new Uint8Array(8) } as const;
  for (let i = 0; i < 600; i++) {
    service.events.add("snmp", "trap", { type: "snmp.trap", summary: `${i}`, payload: {}, raw });
  }
  // Read concurrently, because the collector answers after printing.
  const [spans] = await Promise.all([collector.spans(600), service.stop()]);
  assertEquals(new Set(spans.map(({ traceId }) => traceId)).size, 600);
  assertEquals(spans.every(({ parentSpanId }) => (parentSpanId ?? "") === ""), true);
});
