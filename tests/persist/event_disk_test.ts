/** Events on disk while the disk is slow or fails, the clock changes between runs, and memory is short. */
import { assert, assertEquals } from "@std/assert";
import { startService, type TestService } from "../support/service.ts";
import { scratch } from "../support/files.ts";

function start(
  path: string,
  { storage = {}, nowMs }: {
    storage?: Readonly<Record<string, unknown>>;
    nowMs?: number;
  } = {},
): Promise<TestService> {
  return startService({
    config: { storage: { events: "filesystem", path, ...storage } },
    logLevel: "error",
    ...(nowMs === undefined ? {} : { clock: { now: () => new Date(nowMs) } }),
  });
}

/** Without bytes of an attachment, the event is small: it goes to the journal. */
async function send({ ingress }: TestService, subject: string, bytes = 10): Promise<number> {
  const attached = { content: btoa(subject.padEnd(bytes, "x")), filename: "a.txt" };
  const response = await fetch(`${ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer SG.x" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.org" },
      subject,
      content: [{ type: "text/plain", value: "Hello" }],
      ...(bytes === 0 ? {} : { attachments: [attached] }),
    }),
  });
  await response.body?.cancel();
  return response.status;
}

function summariesOf({ events }: TestService): readonly string[] {
  return events.list({}).map(({ payload }) => (payload as { subject: string }).subject);
}

/** Replaces the sync of files until it is disposed of. */
function withSync(sync: (real: () => Promise<void>) => Promise<void>): Disposable {
  const { syncData } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.syncData = function () {
    return sync(() => syncData.call(this));
  };
  return {
    [Symbol.dispose]() {
      Deno.FsFile.prototype.syncData = syncData;
    },
  };
}

Deno.test("after a failed sync, later events do not depend on what the disk may have lost", async () => {
  await using folder = await scratch();
  await using service = await start(folder.path);
  const wal = `${folder.path}/events/catalog.db-wal`;
  assertEquals(await send(service, "before"), 202);
  assert((await Deno.stat(wal)).size > 0);
  {
    using _failing = withSync(() => Promise.reject(new Error("I/O error")));
    assertEquals(await send(service, "refused"), 503);
  }
  assertEquals(await send(service, "after"), 202);
  assertEquals((await Deno.stat(wal)).size, 0, "everything is in the database itself");
  assertEquals(summariesOf(service), ["after", "before"]);
  // What a loss of power would leave: the database without the log.
  await Deno.mkdir(`${folder.path}/copy/events/blobs`, { recursive: true });
  await Deno.copyFile(
    `${folder.path}/events/catalog.db`,
    `${folder.path}/copy/events/catalog.db`,
  );
  await using copy = await start(`${folder.path}/copy`);
  assertEquals(summariesOf(copy), ["after", "before"]);
});

Deno.test("with a slow disk nothing is acknowledged or listed early, and everything else continues", async () => {
  await using folder = await scratch();
  await using service = await start(folder.path);
  const disk = Promise.withResolvers<void>();
  using _slow = withSync(async (real) => {
    await disk.promise;
    await real();
  });
  let answered = 0;
  const sent = Array.from({ length: 20 }, async (_, i) => {
    const status = await send(service, `event ${i}`, i % 3 === 0 ? 10 : 0);
    answered++;
    return status;
  });
  for (let i = 0; i < 20; i++) await service.getJson("/health");
  assertEquals([answered, service.events.count()], [0, 0]);
  disk.resolve();
  assertEquals(new Set(await Promise.all(sent)), new Set([202]));
  assertEquals(service.events.count(), 20);
});

Deno.test("clock steps between runs neither change the order nor repeat ids", async () => {
  await using folder = await scratch();
  const hourMs = 3_600_000;
  const startMs = Date.UTC(2026, 0, 1);
  const subjects: string[] = [];
  for (const hours of [10, 2, 30, 1]) {
    await using service = await start(folder.path, { nowMs: startMs + hours * hourMs });
    assertEquals(summariesOf(service), subjects.toReversed());
    for (const n of [1, 2]) {
      subjects.push(`${hours} o'clock, ${n}`);
      assertEquals(await send(service, subjects.at(-1)!, n === 1 ? 10 : 0), 202);
    }
    assertEquals(summariesOf(service), subjects.toReversed());
    const ids = service.events.list({}).map(({ id }) => id);
    assertEquals(ids, [...new Set(ids)].toSorted().toReversed());
  }
});

Deno.test("attachments of earlier runs stay within blob_limit, and those without room stay on disk", async () => {
  await using folder = await scratch();
  const bytes = 100_000;
  const count = 30;
  {
    await using service = await start(folder.path);
    for (let i = 0; i < count; i++) assertEquals(await send(service, `event ${i}`, bytes), 202);
  }
  {
    const limit = 10 * bytes;
    await using service = await start(folder.path, { storage: { blob_limit: limit } });
    assertEquals(service.events.count(), count);
    const statuses: number[] = [];
    for (const { blobs: [id] } of service.events.list({})) {
      const response = await fetch(`${service.api.url}/api/v1/blobs/${id}`);
      await response.body?.cancel();
      statuses.push(response.status);
    }
    assertEquals(statuses.filter((status) => status === 200).length, limit / bytes);
  }
  await using again = await start(folder.path);
  for (const { blobs: [id] } of again.events.list({})) {
    const response = await fetch(`${again.api.url}/api/v1/blobs/${id}`);
    assertEquals((await response.bytes()).length, bytes);
  }
});
