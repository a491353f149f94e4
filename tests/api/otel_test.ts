/**
 * Spans of captures: off without an endpoint, sent only to allowed origins, and never delaying a
 * capture.
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { permissionFlags } from "../../core/cli/permissions.ts";
import { ConfigError } from "../../core/errors.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { toy } from "../support/toy.ts";
import { freePort } from "../support/free_port.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

async function send({ ingress }: TestService, text = "hello"): Promise<void> {
  const answer = await fetch(`${ingress.url}/toy/send`, { method: "POST", body: text });
  await answer.body?.cancel();
  assert(answer.headers.has("x-service-event-url"));
}

const metricsOf = async ({ ui }: TestService) => await (await fetch(`${ui.url}/metrics`)).text();

Deno.test("without an endpoint nothing is exported, and no metric says so", async () => {
  await using service = await startService({ plugins: [toy] });
  await send(service);
  assertEquals((await metricsOf(service)).includes("otel"), false);
});

Deno.test("a batch is sent to /v1/traces below the endpoint as JSON", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using collector = startReceiver(() => {
    resolve();
    return new Response("{}");
  });
  await using service = await startService({
    plugins: [toy],
    config: { otel: { endpoint: `${collector.url}/tenant/` } },
  });
  await send(service, "one\ntwo");
  await promise;
  const [{ method, url, headers, body }] = collector.received as [typeof collector.received[0]];
  assertEquals([method, new URL(url).pathname], ["POST", "/tenant/v1/traces"]);
  assertEquals(headers.get("content-type"), "application/json");
  const [{ scopeSpans: [{ scope, spans }] }] = JSON.parse(body).resourceSpans;
  assertEquals([scope.name, spans.length], ["standin", 2]);
  assert(spans.every(({ traceId }: { traceId: string }) => /^[0-9a-f]{32}$/.test(traceId)));
});

Deno.test("an absent or silent collector delays neither captures nor the stop", async () => {
  const { promise: never, resolve } = Promise.withResolvers<Response>();
  await using silent = startReceiver(() => never);
  for (const endpoint of [`http://127.0.0.1:${freePort()}`, silent.url]) {
    const service = await startService({ plugins: [toy], config: { otel: { endpoint } } });
    const beganMs = performance.now();
    for (let i = 0; i < 20; i++) await send(service);
    assertEquals(service.list("toy.message").length, 20);
    assertStringIncludes(await metricsOf(service), "\nstandin_otel_spans_queued 20\n");
    await service.stop();
    assert(performance.now() - beganMs < 8000);
  }
  resolve(new Response());
});

Deno.test("an endpoint is refused unless its origin is allowed", () => {
  const resolve = (otel: Record<string, unknown>) => resolveSettings([toy], { tree: { otel } });
  const refusal = (otel: Record<string, unknown>): string => {
    try {
      resolve(otel);
    } catch (error) {
      assert(error instanceof ConfigError);
      return error.message;
    }
    throw new Error("It was accepted");
  };
  const far = "https://collector.example.com";
  assertStringIncludes(
    refusal({ endpoint: far }),
    "is not in the list [otel] allow (--otel-allow)",
  );
  assertEquals(resolve({ endpoint: far, allow: [far] }).core.otel.endpoint, far);
  for (
    const endpoint of ["collector:4318", "ftp://localhost", "http://localhost/?x=1", "nonsense"]
  ) {
    assertStringIncludes(refusal({ endpoint }), "expected the base URL of a collector");
  }
  assertStringIncludes(refusal({ endpont: far }), "did you mean endpoint?");
  const { warnings } = resolve({ allow: [far] });
  assertStringIncludes(warnings.join(), "no [otel] endpoint is given");
  const viaVariable = resolveSettings([toy], {
    env: (name) => name === "SERVICE_OTEL_ENDPOINT" ? "http://127.0.0.1:4318" : undefined,
  });
  assertEquals(viaVariable.core.otel.endpoint, "http://127.0.0.1:4318");
});

Deno.test("permissions reach beyond this machine only for a remote collector", () => {
  const netOf = (otel: Record<string, unknown>): string | undefined =>
    permissionFlags(resolveSettings([toy], { tree: { otel } }), { read: [], write: [] })[0];
  const local = "--allow-net=127.0.0.1,localhost,[::1]";
  assertEquals(netOf({}), local);
  assertEquals(netOf({ endpoint: "http://localhost:4318" }), local);
  const far = "https://collector.example.com:4318";
  assertEquals(netOf({ endpoint: far, allow: [far] }), "--allow-net");
});

Deno.test("a redirect is not followed", async () => {
  await using elsewhere = startReceiver();
  const { promise, resolve } = Promise.withResolvers<void>();
  await using collector = startReceiver(() => {
    resolve();
    return new Response(null, { status: 307, headers: { location: elsewhere.url } });
  });
  const service = await startService({
    plugins: [toy],
    config: { otel: { endpoint: collector.url } },
  });
  await send(service);
  await promise;
  await service.stop();
  assertEquals(elsewhere.received.length, 0);
  assert(service.log.some((line) => line.includes("refuses spans")));
  await assertRejects(() => fetch(service.ui.url));
});
