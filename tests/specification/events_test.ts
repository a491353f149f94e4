/** Details of events in the specification that no other test covers. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { as2 } from "../../plugins/as2/mod.ts";
import type { MessageEnvelope } from "../../plugins/as2/views.ts";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatEnvelope } from "../../plugins/chat/views.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushEnvelope } from "../../plugins/push/views.ts";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { sign } from "../support/as2.ts";
import { DRIVERS } from "../support/drivers/mod.ts";
import { fileEvents, noise, scratch, startFiles, until } from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import { startStore, talk } from "../support/s3.ts";
import { startService } from "../support/service.ts";

const TRANSPORTS: Readonly<Record<string, string>> = {
  ftp: "ftp",
  sftp: "ssh",
  tftp: "udp",
  nfs: "tcp",
};

for (const driver of DRIVERS) {
  Deno.test(`an event of ${driver.id} says who did what by which command, and holds no bytes`, async () => {
    await using service = await startFiles({ [driver.id]: driver.settings ?? {} });
    await using client = await driver.open(service);
    await client.put("/a.txt", noise(20));
    await until(() => fileEvents(service).length === 1);
    const { payload, raw, provider } = fileEvents(service)[0]!;
    const transport = TRANSPORTS[driver.id];
    assertEquals([provider, payload.provider], [driver.id, driver.id]);
    assertEquals([raw.transport, payload.transport], [transport, transport]);
    assertMatch(payload.peer ?? "", /^127\.0\.0\.1:\d+$/);
    assertMatch(payload.command ?? "", /a\.txt/);
    assertEquals(new TextDecoder().decode(raw.body), payload.command);
    assertEquals([payload.operation, payload.path, payload.size], ["upload", "/a.txt", 20]);
    assertEquals(payload.blob?.size, 20);
    // TFTP has no users (RFC 1350).
    assertEquals(payload.user === undefined, driver.id === "tftp");
  });
}

Deno.test("the bytes of a file are released when it is overwritten or deleted", async () => {
  await using service = await startFiles();
  await using ftp = await FtpClient.open(service);
  const status = async (id: string): Promise<number> => {
    const response = await fetch(`${service.api.url}/api/v1/blobs/${id}`);
    await response.body?.cancel();
    return response.status;
  };
  for (const seed of [1, 2]) assertMatch(await ftp.put("STOR a", noise(20, seed)), /^226 /);
  const [first, second] = fileEvents(service).map(({ payload }) => payload.blob!.id);
  assertEquals([await status(first!), await status(second!)], [404, 200]);
  await ftp.play("DELE a", /^250 /);
  assertEquals(await status(second!), 404);
});

Deno.test("an event of s3 names the operation and the object, and holds no bytes", async () => {
  await using store = await startStore();
  await store.text("PUT", "/box/dir/a", 200, {
    body: "secret bytes",
    headers: {
      "content-type": "text/x-a",
      authorization: "AWS4-HMAC-SHA256 Credential=AKID/20200101/eu-west-1/s3/aws4_request, " +
        "SignedHeaders=host, Signature=0",
    },
  });
  const [event] = store.service.events.list({ plugin: "s3" });
  const { blob, ...payload } = event!.payload as S3Operation;
  assertEquals(payload, {
    operation: "object.put",
    bucket: "box",
    key: "dir/a",
    size: 12,
    etag: "53be90a35260426938a6b78debc4bd23",
    content_type: "text/x-a",
  });
  assertEquals(blob?.size, 12);
  assertEquals(event!.summary, "stored s3://box/dir/a (12 bytes)");
  assertEquals([event!.meta.access_key, event!.meta.region], ["AKID", "eu-west-1"]);
  const { raw } = await store.service.getJson<{ raw: { body?: string } }>(`/events/${event!.id}`);
  assert(!atob(raw.body ?? "").includes("secret bytes"));
});

Deno.test("the Apple API sets no picture, and the common fields of FCM set no subtitle", async () => {
  await using service = await startService({ plugins: [push] });
  const post = async (path: string, body: unknown): Promise<number> => {
    const response = await fetch(service.ingress.url + path, {
      method: "POST",
      headers: { "apns-topic": "com.example.app" },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    return response.status;
  };
  const image = "https://example.com/i.png";
  await post("/3/device/a", {
    aps: { alert: { title: "T", image } },
    image,
    fcm_options: { image },
  });
  const [apple] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals(apple!.message.alert, { title: "T" });
  const message = { token: "t", notification: { title: "T", subtitle: "S", image } };
  assertEquals(await post("/v1/projects/p/messages:send", { message }), 200);
  const [common] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals(common!.message.alert, { title: "T", image });
});

Deno.test("a background push is silent, by its type or by its payload", async () => {
  await using service = await startService({ plugins: [push] });
  const kindOf = async (body: string, type?: string): Promise<string> => {
    const headers = {
      "apns-topic": "a",
      ...(type === undefined ? {} : { "apns-push-type": type }),
    };
    const init = { method: "POST", headers, body };
    await (await fetch(`${service.ingress.url}/3/device/a`, init)).body?.cancel();
    const [newest] = await service.getJson<PushEnvelope[]>("/push/messages?limit=1");
    return newest!.message.kind;
  };
  assertEquals(await kindOf('{"aps":{}}', "background"), "silent");
  assertEquals(await kindOf('{"aps":{"content-available":1}}'), "silent");
  assertEquals(await kindOf('{"aps":{}}', "alert"), "empty");
  assertEquals(await kindOf('{"aps":{"alert":"Hi"}}', "background"), "notification");
});

Deno.test("a message without a ts is the root of its own thread, named by the id of its event", async () => {
  await using service = await startService({ plugins: [chat] });
  const init = { method: "POST", body: '{"text":"hello"}' };
  await (await fetch(`${service.ingress.url}/services/T/B/x`, init)).body?.cancel();
  const [posted] = await service.getJson<ChatEnvelope[]>("/chat/messages");
  const { id, channel_key, thread_key, root_id, reply, message } = posted!;
  assertEquals([message.ts, thread_key], [undefined, `${channel_key}.${id}`]);
  assertEquals([root_id, reply], [id, false]);
});

Deno.test("the bucket is taken from the path, whatever the host says", async () => {
  await using store = await startStore({ buckets: ["box", "other"] });
  await store.text("PUT", "/box/a", 200, { body: "x" });
  const request = "GET /box/a HTTP/1.1\r\nHost: other.localhost\r\nConnection: close\r\n\r\n";
  assertMatch(await talk(store.service, request), /^HTTP\/1\.1 200 [^]*\r\n\r\nx$/);
});

Deno.test("a trap of either version gets no reply, but the inform after it does", async () => {
  await using service = await startService({ plugins: [snmp] });
  const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
  using _closed = { [Symbol.dispose]: () => socket.close() };
  const { port } = service.endpoint("trap");
  const element = (tag: string, content: string): string =>
    `${tag}${(content.length / 2).toString(16).padStart(2, "0")}${content}`;
  const community = element("04", "7075626c6963");
  // RFC 1157 section 4.1.6: enterprise, agent, generic and specific number, time, bindings.
  const version1 = "06062b060104010940047f0000010201060201114301ff3000";
  const first = element("30", `020100${community}${element("a4", version1)}`);
  const version2 = (tag: string, id: string) =>
    element("30", `020101${community}${element(tag, `0201${id}0201000201003000`)}`);
  for (const hex of [first, version2("a7", "01"), version2("a6", "02")]) {
    await socket.send(Uint8Array.fromHex(hex), { hostname: "127.0.0.1", port, transport: "udp" });
  }
  const [reply] = await socket.receive();
  assertEquals(reply.toHex(), version2("a2", "02"));
  const traps = service.events.list({ plugin: "snmp" }).map(({ payload }) => payload as SnmpTrap);
  assertEquals(
    traps.map(({ version, inform, decode_error }) => [version, inform, decode_error]),
    [["2c", true, undefined], ["2c", false, undefined], ["1", false, undefined]],
  );
});

Deno.test("no certificate is created while the provider is disabled, or before it is needed", async () => {
  await using folder = await scratch();
  for (const enabled of [false, true]) {
    const http = { cert_dir: `${folder.path}/as2`, enabled };
    const plugins = { as2: { providers: { http } } };
    await using service = await startService({ plugins: [as2, push], config: { plugins } });
    await assertRejects(() => Deno.stat(`${folder.path}/as2`), Deno.errors.NotFound);
    const answer = await fetch(`${service.ingress.url}/as2/certificate`);
    await answer.body?.cancel();
    assertEquals(answer.status, enabled ? 200 : 404);
  }
  assertEquals((await Array.fromAsync(Deno.readDir(`${folder.path}/as2`))).length, 2);
});

Deno.test("the declared values are exactly those of the specification", async () => {
  const rows:
    readonly (readonly [plugin: string, type: string, property: string, words: string])[] = [
      [
        "sms",
        "sms.Message",
        "status",
        "queued accepted scheduled sending sent delivered undelivered failed received",
      ],
      ["sms", "sms.Message", "direction", "outbound inbound"],
      ["sms", "sms.Segments", "encoding", "GSM-7 UCS-2"],
      [
        "chat",
        "chat.Content",
        "format",
        "chat1.blocks chat1.attachments chat1.view chat2.messagecard chat2.adaptivecard " +
        "chat3.embeds chat3.components chat3.poll chat4.reply_markup chat4.content",
      ],
      ["chat", "chat.Change", "kind", "edit deletion reaction_added reaction_removed"],
      ["push", "push.Message", "kind", "notification silent empty"],
      ["push", "push.Target", "kind", "device topic condition channel"],
      ["push", "push.Delivery", "priority", "high normal low"],
    ];
  for (const [plugin, type, property, words] of rows) {
    const { stdout } = await runToEnd(["openapi", plugin], { plugins: STANDARD_PLUGINS });
    const schema = JSON.parse(stdout).components.schemas[type].properties[property];
    const declared = schema.anyOf.map((one: { const: string }) => one.const);
    assertEquals(declared.sort(), words.split(" ").sort(), `${type}.${property}`);
  }
});

Deno.test("without a partner's certificate a verified signature names no partner", async () => {
  await using service = await startService({ plugins: [as2] });
  const { type, body } = await sign(
    new TextEncoder().encode("Content-Type: text/plain\r\n\r\nHello"),
  );
  const answer = await fetch(`${service.ingress.url}/as2`, {
    method: "POST",
    body,
    headers: { "as2-from": "a", "as2-to": "b", "message-id": "<1@a>", "content-type": type },
  });
  await answer.body?.cancel();
  const [envelope] = await service.getJson<MessageEnvelope[]>("/as2/messages");
  const { verified, partner_configured, signer_matched } = envelope!.message.security.signature!;
  assertEquals([verified, partner_configured, signer_matched], [true, false, false]);
});

Deno.test("every filter of the AS2 list selects, and combines with the others", async () => {
  await using service = await startService({ plugins: [as2] });
  const send = async (fields: Record<string, string>, body: BodyInit): Promise<void> => {
    const headers = { "as2-to": "us", "as2-version": "1.1", ...fields };
    const answer = await fetch(`${service.ingress.url}/as2`, { method: "POST", headers, body });
    await answer.body?.cancel();
  };
  const edifact = "UNB+UNOA:1+A+B+240101:1200+1'";
  await send({ "as2-from": "one", "message-id": "<1@x>", "content-type": "text/plain" }, edifact);
  const signed = await sign(new TextEncoder().encode("Content-Type: text/plain\r\n\r\nISA*00*"));
  await send(
    { "as2-from": "two", "message-id": "<2@x>", "content-type": signed.type },
    signed.body,
  );
  await send({ "as2-from": "one", "content-type": "application/json", "as2-to": "them" }, "{}");
  const found = async (query: string): Promise<string> => {
    const list = await service.getJson<MessageEnvelope[]>(`/as2/messages?${query}`);
    return list.map(({ message }) => message.message_id ?? "-").join(" ");
  };
  const all = "- <2@x> <1@x>";
  assertEquals(await found(""), all);
  assertEquals(await found("from=ONE"), "- <1@x>");
  assertEquals(await found("to=us"), "<2@x> <1@x>");
  assertEquals(await found("message_id=2@x"), "<2@x>");
  assertEquals(await found("message_id=%3C2@x%3E"), "<2@x>");
  assertEquals(await found("format=edifact"), "<1@x>");
  assertEquals(await found("format=json&from=one"), "-");
  assertEquals(await found("security=signed"), "<2@x>");
  assertEquals(await found("security=signed,encrypted"), "");
  assertEquals(await found("issue=missing-header"), "-");
  assertEquals(await found("issue=true&from=one"), "-");
  assertEquals(await found("issue=false&from=one"), "<1@x>");
});
