/** Failures in the program's environment while it runs. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { startCore } from "../../core/app/start.ts";
import { ConfigError } from "../../core/errors.ts";
import { createLogger } from "../../core/log.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { connect } from "../../plugins/client.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { startProgram } from "../support/program.ts";
import { startService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

async function send(ingress: string, line: string): Promise<number> {
  const response = await fetch(`${ingress}/toy/send`, { method: "POST", body: line });
  await response.body?.cancel();
  return response.status;
}

async function sendMail(ingress: string, attached: string): Promise<number> {
  const response = await fetch(`${ingress}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({
      from: "a@example.com",
      to: "b@example.org",
      subject: "s",
      text: "t",
      attachments: [{ filename: "a.bin", content: btoa(attached) }],
    }),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("events, their order and their readers survive a clock that jumps", async () => {
  const clock = { ms: Date.parse("2026-06-01T12:00:00Z"), now: () => new Date(clock.ms) };
  const said: string[] = [];
  await using service = await startCore([toy], {
    settings: resolveSettings([toy], { tree: { host: "127.0.0.1" }, portsZero: true }),
    log: createLogger({ level: "warn", write: (line) => said.push(line), now: () => new Date() }),
    clock,
  });
  const ended = new AbortController();
  const reader = service.events.subscribe({}, { signal: ended.signal })[Symbol.asyncIterator]();
  const jumps = [0, -86_400_000, 3_600_000, -1, 30 * 86_400_000, -60 * 86_400_000];
  const lines = jumps.map((_, index) => `line ${index}`);
  const read: string[] = [];
  for (const [index, jump] of jumps.entries()) {
    clock.ms += jump;
    assertEquals(await send(service.ingress.url, lines[index]!), 200);
    const { value } = await reader.next();
    read.push(value?.kind === "captured" ? value.event.summary : `${value?.kind}`);
  }
  ended.abort();
  assertEquals(read, lines);
  const held = service.events.list({}).toReversed();
  assertEquals(held.map(({ summary }) => summary), lines);
  assertEquals(held.map(({ id }) => id), held.map(({ id }) => id).toSorted());
  assertEquals(said, []);
});

Deno.test("a reader whose events were evicted learns of the gap and gets the rest", async () => {
  await using service = await startService({
    plugins: [toy],
    config: { storage: { capacity: 3 } },
  });
  const first = await captureOne(service.ingress.url, "first");
  for (let i = 0; i < 10; i++) await send(service.ingress.url, `line ${i}`);
  const ended = new AbortController();
  const items: string[] = [];
  for await (
    const item of connect(service.api.url).stream({ after: first, signal: ended.signal })
  ) {
    items.push(item.kind === "gap" ? "gap" : item.event.summary);
    if (items.at(-1) === "line 9") break;
  }
  ended.abort();
  assertEquals(items, ["gap", "line 7", "line 8", "line 9"]);
  assertEquals(service.events.count(), 3);
});

Deno.test("attachments over the cap are refused with the name of the setting; small ones are accepted", async () => {
  await using service = await startService({
    plugins: [mail],
    config: { storage: { blob_limit: 4000 } },
  });
  const statuses: number[] = [];
  for (const size of [3000, 3000, 9000, 10]) {
    statuses.push(await sendMail(service.ingress.url, "x".repeat(size)));
  }
  assertEquals(statuses, [200, 413, 413, 200]);
  assertEquals(service.events.count(), 2);
  const reasons = service.rejected.list().map(({ reason }) => reason);
  assertEquals(reasons.map((reason) => reason.includes("blob_limit is 4000")), [true, true]);
  assertEquals(service.log, []);
});

Deno.test("a port taken at restart is reported with its flag, and nothing stays bound", async () => {
  let port: number;
  {
    await using first = await startService({ plugins: [toy] });
    port = first.ingress.port;
  }
  using _thief = Deno.listen({ hostname: "127.0.0.1", port });
  const restart = () =>
    startCore([toy], {
      settings: resolveSettings([toy], {
        tree: { host: "127.0.0.1", ingress: { port }, ui: { port: 0 } },
        flags: {},
      }),
      log: createLogger({ level: "error", write() {}, now: () => new Date() }),
    });
  // The test runner would report a port that stays bound.
  const error = await assertRejects(restart, ConfigError);
  assertMatch(
    error.message,
    new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${port} .*--ingress-port`),
  );
});

Deno.test("SIGTERM while clients send: the program exits with 0 and logs no error", async () => {
  await using program = await startProgram();
  const { ingress } = program.urls;
  let [accepted, ended] = [0, false];
  const sending = Array.from({ length: 6 }, async () => {
    while (!ended) {
      try {
        if (await sendMail(ingress!, "x") === 200) accepted++;
      } catch {
        return;
      }
    }
  });
  while (accepted < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  const { code, stderr } = await program.stop("SIGTERM");
  ended = true;
  await Promise.all(sending);
  assertEquals([code, /ERROR|Uncaught|panicked/.test(stderr)], [0, false]);
});

async function captureOne(ingress: string, line: string): Promise<string> {
  const response = await fetch(`${ingress}/toy/send`, { method: "POST", body: line });
  await response.body?.cancel();
  const url = response.headers.get("x-service-event-url")!;
  return url.slice(url.lastIndexOf("/") + 1);
}
