import { assertEquals, assertMatch } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import { clientTest, runOk } from "../support/clients.ts";
import { startTrusted } from "../support/tls.ts";

const REQUESTS = 20_000;

clientTest(
  "h2load: every one of 20 000 pushes on 200 streams over TLS is answered",
  ["h2load"],
  async ({ h2load }) => {
    await using trusted = await startTrusted({
      plugins: [push],
      config: { storage: { capacity: 100 } },
    });
    const { service, caFile, url } = trusted;
    const body = caFile.replace(/ca\.pem$/, "push.json");
    await Deno.writeTextFile(body, '{"aps":{"alert":"One of many"}}');
    const { stdout } = await runOk(h2load, [
      ...[`-n${REQUESTS}`, "-c4", "-m50", "-d", body, "-H", "apns-topic: com.example.app"],
      `${url}/3/device/abc`,
    ], { timeoutMs: 90_000 });
    assertMatch(stdout, /Application protocol: h2$/m);
    assertMatch(stdout, new RegExp(`${REQUESTS} succeeded, 0 failed, 0 errored, 0 timeout`));
    assertMatch(stdout, new RegExp(`status codes: ${REQUESTS} 2xx`));
    const [last] = service.events.list({ provider: "push2" });
    assertEquals(last?.seq, REQUESTS);
    assertEquals([service.log, service.rejected.list()], [[], []]);
  },
);
