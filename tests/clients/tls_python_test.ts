import { assertEquals } from "@std/assert";
import { requirePython, runOk } from "../support/clients.ts";
import { startTrusted } from "../support/tls.ts";

Deno.test("Python SDKs reach the ingress as their proxy, configured with environment variables alone", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using trusted = await startTrusted();
  const { service, proxied } = trusted;
  const script = new URL("python/tls_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, String(service.ingress.port)], {
    env: proxied,
    timeoutMs: 90_000,
  });
  assertEquals(JSON.parse(stdout), {
    requests: 200,
    resend: true,
    mailjet: 200,
    sendgrid: 202,
    twilio: "queued",
    slack: [true, "ok"],
    firebase: [true, 3],
    apns: [true, "400", "BadCollapseId"],
  });
  const providers = service.events.list({}).toReversed().map(({ provider }) => provider);
  assertEquals(providers, [
    ...["mail3", "mail3", "mail1", "mail2", "sms1", "chat1", "chat1"],
    ...["push1", "push1", "push1", "push1", "push2"],
  ]);
  const [pushed] = service.events.list({ provider: "push2" });
  assertEquals(pushed?.raw.http_version, "2");
  const refused = service.rejected.list().filter(({ method }) => method === "CONNECT");
  assertEquals(refused, []);
});
