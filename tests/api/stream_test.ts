import { assertEquals, assertMatch } from "@std/assert";
import { startService, type TestService } from "../support/service.ts";
import { SseReader } from "../support/sse.ts";
import { toy } from "../support/toy.ts";

async function send(service: TestService, body: string): Promise<void> {
  const answer = await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body });
  await answer.body?.cancel();
}

async function follow(
  service: TestService,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ response: Response; reader: SseReader }> {
  const response = await fetch(`${service.api.url}${path}`, { headers });
  return { response, reader: new SseReader(response) };
}

Deno.test("the stream sends a comment at once, then two frames per event", async () => {
  await using service = await startService({ plugins: [toy] });
  const { response, reader } = await follow(service, "/api/v1/events/stream");
  await using frames = reader;
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  assertEquals(response.headers.get("cache-control"), "no-cache");
  assertEquals(await frames.next(), { comment: "connected" });
  await send(service, "hello");
  const record = await frames.next();
  const { id, url, raw, summary } = JSON.parse(record.data!);
  assertEquals(record.id, id);
  assertEquals([summary, url, raw.body], ["hello", `${service.ui.url}/ui/events/${id}`, undefined]);
  assertEquals(await frames.next(), { event: "toy.message", data: id });
});

Deno.test("the stream accepts the filters of the list, and sends raw bodies on request", async () => {
  await using service = await startService({ plugins: [toy] });
  const { reader } = await follow(service, "/api/v1/events/stream?search=keep&include_raw=1");
  await using frames = reader;
  await frames.next();
  await send(service, "drop");
  await send(service, "keep");
  const { summary, raw } = JSON.parse((await frames.next()).data!);
  assertEquals([summary, atob(raw.body)], ["keep", "keep"]);
  const bad = await fetch(`${service.api.url}/api/v1/events/stream?since=never`);
  assertEquals(bad.status, 400);
  await bad.body?.cancel();
});

Deno.test("Last-Event-ID resumes after an event, or sends gap when that one is gone", async () => {
  await using service = await startService({
    plugins: [toy],
    config: { storage: { capacity: 3 } },
  });
  for (const line of ["a", "b", "c"]) await send(service, line);
  const [c, b] = service.events.list({});
  await using resumed =
    (await follow(service, "/api/v1/events/stream", { "last-event-id": b!.id })).reader;
  await resumed.next();
  assertEquals((await resumed.next()).id, c!.id);
  await using after = (await follow(service, `/api/v1/events/stream?after=${b!.id}`)).reader;
  await after.next();
  assertEquals((await after.next()).id, c!.id);
  await send(service, "d");
  await send(service, "e");
  await using late = (await follow(service, "/api/v1/events/stream", {
    "last-event-id": "000000000000000000000000",
  }))
    .reader;
  await late.next();
  assertEquals(await late.next(), { event: "gap", data: "{}" });
  assertEquals(JSON.parse((await late.next()).data!).summary, "c");
});

Deno.test("the UI stream reports every change", async () => {
  await using service = await startService({ plugins: [toy] });
  await using frames = (await follow(service, "/ui/stream")).reader;
  const hello = await frames.next();
  assertEquals(hello.event, "hello");
  const about = JSON.parse(hello.data!);
  assertMatch(about.version, /^\d+\./);
  assertEquals(about.rejected, 0);
  await send(service, "x");
  const captured = await frames.next();
  assertEquals(captured.event, "captured");
  const { id, held } = JSON.parse(captured.data!);
  assertEquals(held, 1);
  await fetch(`${service.api.url}/api/v1/events/${id}`, { method: "DELETE" });
  assertEquals(await frames.next(), {
    event: "deleted",
    data: JSON.stringify({ id, plugin: "toy" }),
  });
  await fetch(`${service.api.url}/api/v1/events?plugin=toy`, { method: "DELETE" });
  assertEquals(await frames.next(), { event: "cleared", data: '{"plugin":"toy"}' });
  await send(service, "refuse");
  assertEquals(await frames.next(), { event: "rejected", data: '{"count":1}' });
});

Deno.test("streams end when the service stops, and never delay it", async () => {
  const service = await startService({ plugins: [toy] });
  const { reader } = await follow(service, "/api/v1/events/stream");
  await reader.next();
  const began = performance.now();
  await service.stop();
  await reader.next().then(() => {}, () => {});
  await reader[Symbol.asyncDispose]();
  assertEquals(performance.now() - began < 3000, true);
});

Deno.test("a stalled reader never delays capture", async () => {
  await using service = await startService({ plugins: [toy] });
  await using _stalled = (await follow(service, "/api/v1/events/stream")).reader;
  const body = "x".repeat(2000);
  for (let i = 0; i < 50; i++) await send(service, Array(40).fill(body).join("\n"));
  assertEquals(service.events.count(), 500);
});
