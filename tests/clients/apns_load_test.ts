import v8 from "node:v8";
import vm from "node:vm";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import type { PushEnvelope } from "../../plugins/push/views.ts";
import { clientTest, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

const BODY = '{"aps":{"alert":{"title":"Load","body":"One of many"},"badge":1},"n":1}';

/** Bytes in use, after a garbage collection. */
function heapInUse(): number {
  v8.setFlagsFromString("--expose-gc");
  vm.runInNewContext("gc")();
  return Deno.memoryUsage().heapUsed;
}

clientTest("curl sends a push over HTTP/2 with prior knowledge", ["curl"], async ({ curl }) => {
  await using service = await startService({ plugins: [push] });
  const { stdout } = await runOk(curl, [
    "-sS",
    "-i",
    "--http2-prior-knowledge",
    `${service.ingress.url}/3/device/abc`,
    "-H",
    "apns-topic: com.example.app",
    "-d",
    BODY,
  ]);
  assertStringIncludes(stdout, "HTTP/2 200");
  assert(!/service-warning/i.test(stdout), stdout);
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertStringIncludes(stdout, `x-service-event-url: ${pushed!.url}`);
  assertEquals(pushed!.meta?.http_version, "2");
});

clientTest(
  "h2load: every one of 100 000 pushes on 200 concurrent streams is answered, in steady memory",
  ["h2load"],
  async ({ h2load }) => {
    await using service = await startService({
      plugins: [push],
      config: { storage: { capacity: 100 } },
    });
    const body = await Deno.makeTempFile();
    try {
      await Deno.writeTextFile(body, BODY);
      const wave = async (requests: number): Promise<string> => {
        const { stdout } = await runOk(h2load, [
          `-n${requests}`,
          "-c4",
          "-m50",
          "-d",
          body,
          "-H",
          "apns-topic: com.example.app",
          `${service.ingress.url}/3/device/abc`,
        ], { timeoutMs: 240_000 });
        return stdout;
      };
      await wave(5000);
      const before = heapInUse();
      const report = await wave(100_000);
      assertStringIncludes(report, "100000 succeeded, 0 failed, 0 errored, 0 timeout");
      assertStringIncludes(report, "100000 2xx, 0 3xx, 0 4xx, 0 5xx");
      assertEquals(service.events.count("push"), 100);
      const grown = (heapInUse() - before) / 2 ** 20;
      assert(grown < 16, `The heap grew by ${grown} MiB`);
    } finally {
      await Deno.remove(body);
    }
  },
);
