/** What single events carry by the specification, where no other test looks at all of it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { as2 } from "../../plugins/as2/mod.ts";
import type { MessageEnvelope } from "../../plugins/as2/views.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushEnvelope } from "../../plugins/push/views.ts";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { sign } from "../support/as2.ts";
import { DRIVERS } from "../support/drivers/mod.ts";
import { fileEvents, noise, startFiles, until } from "../support/files.ts";
import { startStore } from "../support/s3.ts";
import { startService } from "../support/service.ts";

const TRANSPORTS: Readonly<Record<string, string>> = {
  ftp: "ftp",
  sftp: "ssh",
  tftp: "udp",
  nfs: "tcp",
};

for (const driver of DRIVERS) {
  Deno.test(`an event of ${driver.id} tells who did what by which command, and holds no bytes`, async () => {
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
    // TFTP knows no user (RFC 1350 has none).
    assertEquals(payload.user === undefined, driver.id === "tftp");
  });
}

Deno.test("an event of s3 tells the operation and the object, and holds no bytes", async () => {
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

Deno.test("no picture comes from the Apple API, and no subtitle from the common fields of FCM", async () => {
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
