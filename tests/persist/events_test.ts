/** The service with events on disk: the view of clients across a restart. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { startService, type TestService } from "../support/service.ts";
import { scratch } from "../support/files.ts";

function start(path: string, more: Readonly<Record<string, unknown>> = {}): Promise<TestService> {
  return startService({ config: { storage: { events: "filesystem", path, ...more } } });
}

async function send({ ingress }: TestService, subject: string): Promise<void> {
  const response = await fetch(`${ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: "Bearer SG.x",
      "x-standin-namespace": "t17",
    },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.org" },
      subject,
      content: [{ type: "text/plain", value: "Hello" }],
      attachments: [{ content: btoa(`file of ${subject}`), filename: "a.txt" }],
    }),
  });
  await response.body?.cancel();
  assertEquals(response.status, 202);
}

Deno.test("lists, attachments and streams continue after a restart", async () => {
  await using folder = await scratch();
  const first = await start(folder.path);
  for (const subject of ["one", "two", "three"]) await send(first, subject);
  const { storage } = await first.getJson<{ storage: unknown }>("/health");
  assertEquals(storage, { events: "filesystem", path: `${folder.path}/events` });
  const [, two] = first.events.list({});
  const gone = await fetch(`${first.api.url}/api/v1/events/${two!.id}`, { method: "DELETE" });
  assertEquals(gone.status, 204);
  const held = first.events.list({}).map(({ seq: _seq, ...event }) => event);
  await first.stop();

  await using second = await start(folder.path);
  assertEquals(second.events.list({}).map(({ seq: _seq, ...event }) => event), held);
  const [blob] = held[0]!.blobs;
  const file = await fetch(`${second.api.url}/api/v1/blobs/${blob}`);
  assertEquals([await file.text(), file.headers.get("content-disposition")], [
    "file of three",
    'attachment; filename="a.txt"',
  ]);
  const stream = await fetch(`${second.api.url}/api/v1/events/stream`, {
    headers: { "last-event-id": held.at(-1)!.id },
  });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  await send(second, "four");
  let text = "";
  while (!text.includes("four")) text += (await reader.read()).value ?? "";
  await reader.cancel();
  const ids = [...text.matchAll(/^id: ?(\w+)$/gm)].map(([, id]) => id);
  assertEquals(ids, [held[0]!.id, second.events.list({})[0]!.id]);
  assert(!text.includes("gap"));
});

Deno.test("a reset also empties the data folder", async () => {
  await using folder = await scratch();
  const first = await start(folder.path);
  await send(first, "one");
  await first.reset();
  await first.stop();
  await using second = await start(folder.path);
  assertEquals(second.events.count(), 0);
});

Deno.test("events on disk need a folder, and no seed", async () => {
  const error = await assertRejects(
    () => startService({ config: { storage: { events: "filesystem" } } }),
    ConfigError,
  );
  assertStringIncludes(error.message, "set [storage] path, or start with --persist");
  await assertRejects(
    () =>
      startService({
        config: { storage: { events: "filesystem", path: "/x" }, repeat: { seed: "a" } },
      }),
    ConfigError,
    "Cannot keep events across runs with a seed",
  );
});
