/** The log says why a client did not get through, at the level where that belongs. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";

/** Resolves with the line that contains a text. */
async function logged({ log }: Pick<TestService, "log">, text: string): Promise<string> {
  for (;;) {
    const line = log.find((one) => one.includes(text));
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function send(port: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  await conn.write(bytes);
  await conn.closeWrite();
  await new Response(conn.readable).bytes();
}

Deno.test("failed handshakes and wrong protocols are logged at level info", async () => {
  await using service = await startService({ plugins: [mail], logLevel: "info" });
  const { ingress } = service;
  const untrusting = await fetch(`https://127.0.0.1:${ingress.port}/`).catch(() => "refused");
  assertEquals(untrusting, "refused");
  assertStringIncludes(await logged(service, "Cannot agree on TLS"), "INFO  Refused");
  const http = new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await send(service.endpoint("smtp").port, http);
  assertStringIncludes(await logged(service, "Cannot speak HTTP here"), "provider=smtp");
  await send(ingress.port, new TextEncoder().encode("GET / HTTP/1.1\r\nNo colon\r\n\r\n"));
  assertStringIncludes(await logged(service, "status=400"), "INFO  Refused");
});

Deno.test("what the journal does not record is logged at level debug", async () => {
  await using service = await startService({
    plugins: [mail],
    logLevel: "debug",
    config: { api: { token: "hunter2" } },
  });
  const answer = await fetch(`${service.api.url}/api/v1/events?search=x`);
  await answer.body?.cancel();
  assertEquals(answer.status, 401);
  const line = await logged(service, "Asked for the token");
  assertStringIncludes(line, "DEBUG Asked for the token peer=127.0.0.1:");
  assertEquals(service.rejected.count, 0);
});
