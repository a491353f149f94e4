/** The client of the read-back API, against a running service. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { EventView } from "../../core/events/view.ts";
import {
  connect,
  type EventRecord,
  ExpectationError,
  RequestError,
  WaitError,
} from "../../plugins/client.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";

/** The client's types match the responses. */
const _record = (view: EventView & { readonly payload: unknown }): EventRecord => view;

const start = (): Promise<TestService> => startService({ plugins: [mail] });

async function send(service: TestService, subject: string, text = "Hello"): Promise<void> {
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({ from: "shop@example.com", to: "ada@example.org", subject, text }),
  });
  await response.body?.cancel();
  assertEquals(response.status, 200);
}

Deno.test("the client lists, fetches, deletes and clears", async () => {
  await using service = await start();
  const client = connect(service.api.url);
  assertEquals([await client.ready(), await client.list()], [true, []]);
  await send(service, "one");
  await send(service, "two");
  const [two, one] = await client.list("mail.message");
  assertEquals([one?.payload.subject, two?.payload.subject], ["one", "two"]);
  assertEquals((await client.list("mail.message", { search: "two", limit: 1 })).length, 1);
  assertEquals((await client.list("mail.message", { after: one!.id }))[0]?.id, two?.id);
  const whole = await client.event(one!.id);
  assertStringIncludes(whole.raw.body_text ?? "", '"subject":"one"');
  await client.delete(one!.id);
  assertEquals((await client.list()).map(({ id }) => id), [two!.id]);
  await client.clear({ plugin: "mail" });
  assertEquals(await client.list(), []);
  await assertRejects(() => client.event(one!.id), RequestError, "Cannot find event");
});

Deno.test("the client waits for past events, for future ones, and for none", async () => {
  await using service = await start();
  const client = connect(service.api.url);
  const coming = client.waitFor("mail.message", { has: "code" });
  await send(service, "Your code", "Your code is 493 201. Tell nobody.");
  const mailed = await coming;
  assertEquals(mailed.extracted?.codes, ["493201"]);
  assertEquals((await client.waitFor("mail.message")).id, mailed.id);
  assertEquals(await client.wait("mail.message", { absent: true, count: 2, timeoutMs: 20 }), [
    mailed,
  ]);
  const late = await assertRejects(
    () => client.wait("mail.message", { count: 2, timeoutMs: 20 }),
    WaitError,
  );
  assertStringIncludes(late.message, "1 of 2 events match");
});

Deno.test("a failed expectation of the client says how the closest event differs", async () => {
  await using service = await start();
  const client = connect(service.api.url);
  await send(service, "Your order");
  const [event] = await client.expect("mail.message", { match: { subject: { regex: "order$" } } });
  assertEquals(event?.payload.to?.[0]?.email, "ada@example.org");
  const missed = await assertRejects(
    () => client.expect("mail.message", { match: { subject: "Your invoice" }, timeoutMs: 10 }),
    ExpectationError,
  );
  const subject = missed.verdict.closest?.fields.find(({ path }) => path.endsWith("subject"));
  assertEquals(subject?.got, "Your order");
  await send(service, "Your invoice");
  const ordered = await client.expectInOrder([
    { match: { subject: "Your order" } },
    { match: { subject: "Your invoice" } },
  ], { type: "mail.message" });
  assertEquals(ordered.length, 2);
  await assertRejects(() => client.expect("mail.message", { count: -1 }), RequestError, "count");
});

Deno.test("the client's stream resumes after a broken connection without a gap", async () => {
  await using service = await start();
  let broken = 0;
  const client = connect(service.api.url, {
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (!String(input).includes("/stream") || broken++ > 0) return response;
      // The first connection breaks after its first event.
      const [first] = [response.body!.getReader()];
      return new Response(
        new ReadableStream({
          async pull(controller) {
            const { value, done } = await first.read();
            if (done) return controller.close();
            controller.enqueue(value);
            if (!new TextDecoder().decode(value).includes("data:")) return;
            await first.cancel();
            controller.error(new TypeError("connection reset"));
          },
        }),
      );
    },
  });
  const stop = new AbortController();
  const subjects: (string | undefined)[] = [];
  await send(service, "before");
  const [before] = await client.list();
  const reading = (async () => {
    const options = { type: "mail.message", after: before!.id, signal: stop.signal } as const;
    for await (const item of client.stream(options)) {
      assert(item.kind === "captured");
      subjects.push(item.event.payload.subject);
      if (subjects.length === 1) await send(service, "two");
      if (subjects.length === 2) stop.abort();
    }
  })();
  await send(service, "one");
  await reading;
  assertEquals([subjects, broken], [["one", "two"], 2]);
});

Deno.test("the client's stream loses nothing if it breaks before its first event", async () => {
  for (const held of [[], ["before"]]) {
    await using service = await start();
    for (const subject of held) await send(service, subject);
    let streams = 0;
    const client = connect(service.api.url, {
      async fetch(input, init) {
        const response = await fetch(input, init);
        if (!String(input).includes("/stream") || streams++ > 0) return response;
        // The service has answered; "lost" arrives while nobody is connected.
        await response.body!.cancel();
        await send(service, "lost");
        throw new TypeError("connection reset");
      },
    });
    const seen: string[] = [];
    for await (const item of client.stream({ signal: AbortSignal.timeout(5000) })) {
      seen.push(item.kind === "gap" ? "gap" : String(item.event.summary_parts.title));
      if (item.kind === "captured") break;
    }
    assertEquals(seen, held.length === 0 ? ["gap", "lost"] : ["lost"]);
  }
});

Deno.test("the client reads blobs, ranges and the journal, and can reset", async () => {
  await using service = await start();
  const client = connect(service.api.url);
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({
      ...{ from: "shop@example.com", to: "ada@example.org", subject: "x", text: "x" },
      attachments: [{ filename: "a.txt", content: btoa("0123456789") }],
    }),
  });
  await response.body?.cancel();
  await (await fetch(`${service.ingress.url}/nothing/here`)).body?.cancel();
  const [sent] = await client.list("mail.message");
  const { id } = sent!.payload.attachments![0]!.blob;
  const text = async (range?: { start: number; end?: number }): Promise<string> =>
    new TextDecoder().decode(await client.blob(id, range));
  assertEquals([await text(), await text({ start: 2, end: 4 })], ["0123456789", "234"]);
  assertEquals((await client.rejected()).map(({ path }) => path), ["/nothing/here"]);
  await client.reset();
  assertEquals([await client.list(), await client.rejected()], [[], []]);
});
