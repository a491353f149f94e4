/** `DELETE` on a list removes exactly what `GET` with the same filters lists. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect } from "../../plugins/client.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

interface Listed {
  readonly id: string;
}

/** Forty mails, every eighth an invoice with a code, half of them to Bob; two text messages. */
async function start(): Promise<TestService> {
  const service = await startService();
  for (let i = 0; i < 40; i++) {
    const answer = await fetch(`${service.ingress.url}/emails`, {
      method: "POST",
      headers: {
        authorization: "Bearer re_any",
        "content-type": "application/json",
        "x-standin-namespace": i < 20 ? "one" : "two",
      },
      body: JSON.stringify({
        from: "shop@example.com",
        to: i % 2 === 0 ? "ada@example.org" : "bob@example.org",
        subject: i % 8 === 0 ? `Invoice ${i}` : `News ${i}`,
        text: i % 8 === 0 ? "Your code is 493201." : "Hello",
        ...(i === 3 ? { attachments: [{ filename: "a.txt", content: btoa("kept") }] } : {}),
      }),
    });
    await answer.body?.cancel();
    assertEquals(answer.status, 200);
  }
  for (const to of ["+15550100", "+15550101"]) {
    const sent = await fetch(`${service.ingress.url}/2010-04-01/Accounts/AC1/Messages.json`, {
      method: "POST",
      body: new URLSearchParams({ To: to, From: "+15550199", Body: "Hello" }),
    });
    await sent.body?.cancel();
    assertEquals(sent.status, 201);
  }
  return service;
}

async function clear(service: TestService, path: string, status = 204): Promise<string> {
  const response = await fetch(`${service.api.url}/api/v1${path}`, { method: "DELETE" });
  const text = await response.text();
  assertEquals([response.status, path], [status, path], text);
  return text;
}

const heldIds = (service: TestService) => service.events.list({}).map(({ id }) => id);

for (
  const [path, count] of [
    ["/mail/messages?subject=Invoice", 5],
    ["/mail/messages?subject=invoice&namespace=one", 3],
    ["/mail/messages?to=ada", 20],
    ["/mail/messages?has=code", 5],
    ["/mail/messages?text=493201&to=bob", 0],
    ["/mail/messages?has_attachments=1", 1],
    ["/mail/messages?namespace=two", 20],
    ["/mail/messages?search=invoice&provider=mail3&since=1h", 5],
    ["/mail/messages?", 40],
    ["/sms/messages?to=0101", 1],
    ["/push/messages?plugin=mail", 0],
    ["/events?plugin=mail&search=Invoice", 5],
    ["/events?plugin=mail&subject=Invoice", 5],
    ["/events?type=mail.message&subject=Invoice&has=code", 5],
    ["/events?type=sms.message", 2],
    ["/events?plugin=sms", 2],
    ["/events?plugin=s3", 0],
    ["/events?namespace=one", 20],
    ["/events?text=493201", 5],
    ["/events?", 42],
  ] as const
) {
  Deno.test(`DELETE ${path} removes the ${count} that GET lists`, async () => {
    await using service = await start();
    const before = heldIds(service);
    const listed = await service.getJson<Listed[]>(path);
    assertEquals(listed.length, count);
    await clear(service, path);
    const gone = new Set(listed.map(({ id }) => id));
    assertEquals(heldIds(service), before.filter((id) => !gone.has(id)));
    assertEquals(await service.getJson(path), []);
    // Blobs outlive their messages, however those are cleared.
    for (const blob of await attachments(service, listed)) assertEquals(blob, 200);
  });
}

async function attachments(service: TestService, listed: readonly Listed[]): Promise<number[]> {
  const mails = listed as readonly {
    readonly message?: { readonly attachments?: readonly { readonly blob: { id: string } }[] };
  }[];
  const ids = mails.flatMap(({ message }) => message?.attachments ?? []).map(({ blob }) => blob.id);
  return await Promise.all(ids.map(async (id) => {
    const response = await fetch(`${service.api.url}/api/v1/blobs/${id}`);
    await response.body?.cancel();
    return response.status;
  }));
}

Deno.test("an unknown filter or a paging parameter deletes nothing", async () => {
  await using service = await start();
  const cases: readonly (readonly [path: string, error: string])[] = [
    ["/events?plugni=mail", 'did you mean \\"plugin\\"?'],
    ["/events?subject=Invoice", "is a filter of mail: name it with plugin or type"],
    ["/events?subjct=Invoice", 'did you mean \\"subject\\"? It is a filter of mail'],
    ["/events?plugin=mail&subjct=Invoice", 'did you mean \\"subject\\"?'],
    ["/events?plugin=sms&subject=Invoice", 'unknown parameter \\"subject\\"'],
    ["/events?type=files.upload&path=/a", 'unknown parameter \\"path\\"'],
    ["/events?limit=1", 'unknown parameter \\"limit\\"'],
    ["/events?wait=1", 'unknown parameter \\"wait\\"'],
    ["/events?since=yesterday", "Cannot read since"],
    ["/events?plugin=hl7&value=x", "Cannot use value without path"],
    ["/mail/messages?subjct=Invoice", 'did you mean \\"subject\\"?'],
    ["/mail/messages?offset=1", 'unknown parameter \\"offset\\"'],
    ["/mail/messages?include_body=0", 'unknown parameter \\"include_body\\"'],
    ["/sms/messages?mms=maybe", "Cannot read mms"],
    ["/hl7/messages?value=x", "Cannot use value without path"],
    ["/rejected?limit=1", 'unknown parameter \\"limit\\"'],
    ["/files/tree?path=/a", 'unknown parameter \\"path\\"'],
    ["/s3/buckets?recursive=1", 'unknown parameter \\"recursive\\"'],
  ];
  for (const [path, error] of cases) assertStringIncludes(await clear(service, path, 400), error);
  assertEquals(service.events.count(), 42);
});

Deno.test("the journal can be cleared by provider and by time", async () => {
  await using service = await startService({ plugins: [toy] });
  for (const path of ["/nothing", "/toy/send", "/nothing"]) {
    const body = path === "/toy/send" ? { body: "throw" } : {};
    await (await fetch(service.ingress.url + path, { method: "POST", ...body })).body?.cancel();
  }
  const counted = async () => (await service.getJson<Listed[]>("/rejected")).length;
  assertEquals(await counted(), 3);
  await clear(service, "/rejected?since=2999-01-01T00:00:00Z");
  assertEquals(await counted(), 3);
  await clear(service, "/rejected?provider=post");
  assertEquals(await counted(), 2);
  await clear(service, "/rejected");
  assertEquals(await counted(), 0);
});

Deno.test("waits and streams learn of each deleted event", async () => {
  await using service = await start();
  const ended = new AbortController();
  const told: string[] = [];
  const following = (async () => {
    for await (const item of service.events.subscribe({}, { signal: ended.signal })) {
      if (item.kind === "deleted") told.push(item.id);
      if (item.kind === "captured") return;
      assert(item.kind !== "cleared" && item.kind !== "gap", item.kind);
    }
  })();
  const wait = connect(service.api.url).wait("mail.message", { count: 41, timeoutMs: 20_000 });
  while (service.events.watchers === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const listed = await service.getJson<Listed[]>("/mail/messages?subject=Invoice");
  await clear(service, "/mail/messages?subject=Invoice");
  const add = (n: number) =>
    service.events.add("mail", "smtp", {
      type: "mail.message",
      summary: `late ${n}`,
      payload: { to: [] },
      raw: { transport: "smtp", text: true, body: new Uint8Array() },
    });
  for (let n = 0; n < 6; n++) add(n);
  // Deleted events no longer count: 35 and 6 are 41.
  assertEquals((await wait).length, 41);
  await following;
  assertEquals(new Set(told), new Set(listed.map(({ id }) => id)));
});

Deno.test("the OpenAPI DELETE operation has the list's filters, but no display or paging parameters", async () => {
  await using service = await startService();
  interface Operation {
    readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  }
  type Paths = Record<string, Record<string, Operation>>;
  const names = (operation: Operation | undefined) =>
    operation?.parameters?.filter((one) => one.in === "query").map(({ name }) => name) ?? [];
  const shown = /^(limit|offset|wait|count|timeout|absent|include_.*)$/;
  for (const { id } of STANDARD_PLUGINS) {
    if (id === "snmp" || id === "files" || id === "s3") continue;
    const { paths } = await service.getJson<{ paths: Paths }>(`/${id}/openapi.json`);
    const list = paths[`/api/v1/${id}/messages`]!;
    const filters = names(list.get).filter((name) => !shown.test(name));
    assertEquals(names(list.delete), filters, id);
  }
  const { paths } = await service.getJson<{ paths: Paths }>("/openapi.json");
  const { get, delete: clear } = paths["/api/v1/events"]!;
  const filters = names(get).filter((name) => !shown.test(name));
  assertEquals(new Set(names(clear)), new Set(filters));
  for (const name of ["plugin", "subject", "to", "patient_id", "channel", "data_key", "security"]) {
    assert(names(clear).includes(name), name);
    assert(names(paths["/api/v1/events/wait"]?.get).includes(name), name);
  }
});
