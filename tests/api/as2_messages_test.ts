import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Certificate, ContentInfo, EnvelopedData } from "pkijs";
import { ConfigError } from "../../core/errors.ts";
import { definePlugin } from "../../core/plugin.ts";
import { decodePem } from "../../core/tls/pem.ts";
import type { As2State } from "../../plugins/as2/capture.ts";
import { as2 } from "../../plugins/as2/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { createIdentity } from "../../plugins/as2/certificate.ts";
import type { IdentityInfo } from "../../plugins/as2/model.ts";
import type { MessageEnvelope } from "../../plugins/as2/views.ts";
import { compress, sign } from "../support/as2.ts";
import { startService, type TestService } from "../support/service.ts";

const DOCUMENT = "UNB+UNOA:1+A+B+240101:1200+1'";
const COMPRESSED = "application/pkcs7-mime; smime-type=compressed-data";

async function start(http: Readonly<Record<string, unknown>> = {}): Promise<TestService> {
  return await startService({
    plugins: [as2],
    config: { plugins: { as2: { providers: { http } } } },
  });
}

async function post(
  service: TestService,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(`${service.ingress.url}/as2`, {
    method: "POST",
    body,
    headers: {
      "as2-version": "1.1",
      "as2-from": "partner",
      "as2-to": "standin",
      "message-id": "<1@partner>",
      "content-type": "application/edifact",
      ...headers,
    },
  });
}

const RECEIPT = { "disposition-notification-to": "me" };

async function only(service: TestService, query = ""): Promise<MessageEnvelope> {
  const found = await service.getJson<MessageEnvelope[]>(`/as2/messages${query}`);
  assertEquals(found.length, 1);
  return found[0]!;
}

function codes({ message: { issues = [] } }: MessageEnvelope): string[] {
  return issues.map(({ code }) => code);
}

Deno.test("a message that requests no receipt gets an empty answer", async () => {
  await using service = await start();
  const response = await post(service, DOCUMENT);
  assertEquals([response.status, await response.text()], [200, ""]);
  const envelope = await only(service);
  assertEquals(envelope.mdn_url, undefined);
  assertEquals(envelope.message.receipt, { requested: false, signed_requested: false });
  assertEquals(envelope.message.mic?.coverage, "content");
  assertEquals(envelope.message.alternate_mics?.[0]?.coverage, "headers-and-content");
  assertEquals(envelope.meta, { security: "plain", assurance: "unsigned", issues: [] });
  const base = `${service.api.url}/api/v1/as2/messages/${envelope.id}`;
  const read = async (path: string): Promise<string> => await (await fetch(base + path)).text();
  assertEquals([await read("/raw"), await read("/payload")], [DOCUMENT, DOCUMENT]);
  await service.getJson(`/as2/messages/${envelope.id}/mdn`, 404);
  const removed = await fetch(base, { method: "DELETE" });
  assertEquals(removed.status, 204);
  await service.getJson(`/as2/messages/${envelope.id}`, 404);
});

Deno.test("unusual header fields are noted but not refused", async () => {
  await using service = await start({ as2_to: "Standin" });
  await (await post(service, DOCUMENT)).body?.cancel();
  const response = await post(service, DOCUMENT, {
    ...RECEIPT,
    "as2-version": "",
    "receipt-delivery-option": "http://127.0.0.1:1/never",
    "disposition-notification-options":
      "signed-receipt-protocol=required, pgp; signed-receipt-micalg=required, whirlpool",
    authorization: "Basic eDp5",
  });
  assertMatch(await response.text(), /Disposition: [^\r]*; processed\r\n/);
  const envelope = await only(service, "?issue=async-receipt-not-delivered");
  assertEquals(codes(envelope), [
    "missing-header",
    "to-mismatch",
    "duplicate-message-id",
    "async-receipt-not-delivered",
    "unsupported-receipt-protocol",
    "unsupported-mic-algorithm",
  ]);
  assertEquals(envelope.message.mic?.algorithm, "sha256");
  assertEquals(envelope.message.mdn?.signed, false);
  assertEquals(envelope.meta?.as2_to_matched, false);
  assertEquals(envelope.meta?.authorization, "Basic eDp5");
  assertEquals(
    (await service.getJson<unknown[]>("/as2/messages?message_id=1@partner&to=STANDIN")).length,
    2,
  );
  await service.getJson("/as2/messages?issue=perhaps", 400);
  await service.getJson("/as2/messages?security=sealed", 400);
});

Deno.test("only zlib compression is undone, within the limit", async () => {
  await using service = await start({ max_body: 10_000 });
  const send = async (body: Uint8Array<ArrayBuffer>): Promise<MessageEnvelope> => {
    const response = await post(service, body, { ...RECEIPT, "content-type": COMPRESSED });
    await response.body?.cancel();
    const id = response.headers.get("x-service-event-url")?.split("/").at(-1);
    return await service.getJson<MessageEnvelope>(`/as2/messages/${id}`);
  };
  const entity = new TextEncoder().encode(`Content-Type: application/edifact\r\n\r\n${DOCUMENT}`);
  const good = await send(compress(entity).body);
  assertEquals(good.message.payload.preview, DOCUMENT);
  assertEquals(good.message.mic?.coverage, "decompressed-entity");
  assertEquals(good.message.security.compression?.decompressed_size, entity.length);
  for (
    const { body: bad } of [compress(new Uint8Array(100_000)), compress(entity, "1.2.3.4")]
  ) {
    const envelope = await send(bad);
    assert(codes(envelope).includes("decompression-failed"));
    assertMatch(envelope.message.mdn!.disposition, /processed\/Error: decompression-failed$/);
    assertEquals([envelope.message.payload.recovered, envelope.message.payload.size], [
      true,
      bad.length,
    ]);
  }
});

Deno.test("at most ten nested layers are opened", async () => {
  await using service = await start();
  let { body } = compress(new TextEncoder().encode("\r\nx"));
  const head = new TextEncoder().encode(`Content-Type: ${COMPRESSED}\r\n\r\n`);
  for (let i = 0; i < 11; i++) ({ body } = compress(Uint8Array.from([...head, ...body])));
  const response = await post(service, body, { ...RECEIPT, "content-type": COMPRESSED });
  assertMatch(await response.text(), /processed\/Error: unexpected-processing-error/);
  const envelope = await only(service);
  assertEquals([envelope.message.layers?.length, codes(envelope)], [10, ["too-many-layers"]]);
});

Deno.test("a body over the limit gets 413, and its beginning is kept", async () => {
  await using service = await start({ max_body: 100_000 });
  const response = await post(service, "x".repeat(200_000));
  assertEquals(response.status, 413);
  assertMatch(await response.text(), /more than 100000 bytes/);
  const envelope = await only(service);
  assert(response.headers.get("x-service-event-url")?.endsWith(envelope.id));
  assertEquals(codes(envelope), ["body-too-large"]);
  assertEquals(envelope.meta?.truncated, true);
  const raw = await fetch(`${service.api.url}${envelope.raw_url}`);
  assertEquals((await raw.text()).length, 65_536);
  const get = await fetch(`${service.ingress.url}/as2`);
  assertEquals(get.status, 405);
  await get.body?.cancel();
});

Deno.test("an identity is stored privately in its folder and reused", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const dir = `${folder}/as2`;
    const prints: string[] = [];
    for (let i = 0; i < 2; i++) {
      await using service = await start({ cert_dir: dir, common_name: "Our name" });
      if (i === 0) await assertRejects(() => Deno.stat(dir), Deno.errors.NotFound);
      const info = await service.getJson<IdentityInfo>("/as2/identity");
      assertEquals([info.ready, info.source, info.configured], [true, "generated", false]);
      assertEquals(info.certificate?.subject, "O=standin, CN=Our name");
      assertEquals(info.certificate?.key_algorithm, "RSA 2048");
      assertEquals(info.cert_path, `${dir}/as2-cert.pem`);
      prints.push(info.certificate!.fingerprint);
      const pem = await fetch(`${service.api.url}/api/v1/as2/certificate`);
      assertEquals(await pem.text(), info.pem);
    }
    assertEquals(prints[0], prints[1]);
    if (Deno.build.os !== "windows") {
      assertEquals((await Deno.stat(dir)).mode! & 0o777, 0o700);
      assertEquals((await Deno.stat(`${dir}/as2-key.pem`)).mode! & 0o777, 0o600);
    }
    assertEquals((await Array.fromAsync(Deno.readDir(dir))).length, 2);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("unusable files do not stop capture, and the receipt says so", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [one, other] = await Promise.all(
      [1, 2].map(() => createIdentity({ name: "x", now: new Date() })),
    );
    await Deno.writeTextFile(`${folder}/cert.pem`, one!.cert);
    await Deno.writeTextFile(`${folder}/key.pem`, other!.key);
    const files = { cert_file: `${folder}/cert.pem`, key_file: `${folder}/key.pem` };
    await using service = await start({ ...files, partner_cert_file: `${folder}/none.pem` });
    assertEquals(service.log.length, 2);
    const info = await service.getJson<IdentityInfo>("/as2/identity");
    assertEquals([info.configured, info.ready, info.source], [true, false, "none"]);
    assertMatch(info.error!, /key does not belong to the certificate/);
    const certificate = await fetch(`${service.ingress.url}/as2/certificate`);
    assertEquals(certificate.status, 503);
    await certificate.body?.cancel();
    const response = await post(service, DOCUMENT, {
      ...RECEIPT,
      "disposition-notification-options": "signed-receipt-protocol=optional,pkcs7-signature",
    });
    assertMatch(response.headers.get("content-type")!, /^multipart\/report/);
    assertMatch(await response.text(), /; processed\r\n/);
    assertEquals(codes(await only(service)), ["identity-not-ready"]);
    const error = await assertRejects(() => start({ cert_file: "a.pem" }), ConfigError);
    assertMatch(error.message, /must be given together/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an envelope from pkijs, which appends the GCM tag to the ciphertext, is opened", async () => {
  await using service = await start();
  const pem = await (await fetch(`${service.ingress.url}/as2/certificate`)).text();
  const envelope = new EnvelopedData();
  envelope.addRecipientByCertificate(Certificate.fromBER(decodePem("CERTIFICATE", pem)!), {
    oaepHashAlgorithm: "SHA-512",
  });
  const entity = new TextEncoder().encode(`Content-Type: application/edifact\r\n\r\n${DOCUMENT}`);
  const cipher: AesKeyAlgorithm = { name: "AES-GCM", length: 192 };
  await envelope.encrypt(cipher, entity.buffer);
  const info = new ContentInfo({
    contentType: ContentInfo.ENVELOPED_DATA,
    content: envelope.toSchema(),
  });
  const body = new Uint8Array(info.toSchema().toBER());
  await (await post(service, body, { "content-type": "application/x-pkcs7-mime" })).body?.cancel();
  const { message } = await only(service);
  assertEquals(message.issues, undefined);
  assertEquals(message.payload.preview, DOCUMENT);
  const { content_algorithm, key_algorithm } = message.security.encryption!;
  assertEquals([content_algorithm, key_algorithm], ["AES-192-GCM", "RSAES-OAEP"]);
});

Deno.test("extra paths accept messages, and a path of another provider stops the start", async () => {
  await using service = await start({ paths: ["/partner/inbox", "/as2"] });
  const send = async (path: string): Promise<number> => {
    const response = await fetch(service.ingress.url + path, { method: "POST", body: DOCUMENT });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals([await send("/partner/inbox"), await send("/as2"), await send("/partner")], [
    200,
    200,
    404,
  ]);
  assertEquals(service.events.count("as2"), 2);
  const [plugin] = await service.getJson<
    { providers: { endpoints: { method: string; path: string }[] }[] }[]
  >("/plugins");
  assertEquals(plugin?.providers[0]?.endpoints.map(({ method, path }) => `${method} ${path}`), [
    "POST /as2",
    "POST /partner/inbox",
    "GET /as2/certificate",
  ]);
  const config = {
    plugins: { as2: { providers: { http: { paths: ["/emails", "/ui/x", "x"] } } } },
  };
  const error = await assertRejects(
    () => startService({ plugins: [as2, mail], config }),
    ConfigError,
  );
  assertEquals(error.problems, [
    "Cannot serve POST /emails for as2/http: mail/mail3 already has that path",
    "Cannot serve POST /ui/x for as2/http: it belongs to the service's own UI and API",
    "Cannot serve POST x for as2/http: expected a path such as /inbox, without a query or braces",
  ]);
});

Deno.test("a message without room for its document is kept with its receipt", async () => {
  await using service = await startService({
    plugins: [as2],
    config: { storage: { blob_limit: 2000 } },
  });
  const document = `${DOCUMENT}${"x".repeat(5000)}`;
  const response = await post(service, document, RECEIPT);
  const receipt = await response.text();
  assertMatch(receipt, /; processed\r\n/);
  const envelope = await only(service);
  assertEquals(codes(envelope), ["payload-not-stored"]);
  assertEquals([envelope.payload_url, envelope.message.payload.size], [undefined, document.length]);
  const base = `${service.api.url}/api/v1/as2/messages/${envelope.id}`;
  assertEquals(await (await fetch(`${base}/raw`)).text(), document);
  assertEquals(await (await fetch(`${base}/mdn`)).text(), receipt);
  await service.getJson(`/as2/messages/${envelope.id}/payload`, 404);
});

Deno.test("an internal error keeps the message as received and is reported", async () => {
  const identity = {
    readFiles: () => Promise.resolve(),
    obtain: () => Promise.reject(new Error("a fault")),
  };
  const state: As2State = {};
  // Remains, whatever the provider does.
  Object.defineProperty(state, "identity", { get: () => identity, set: () => undefined });
  const broken = definePlugin({ ...as2, open: () => state });
  await using service = await startService({ plugins: [broken] });
  const response = await post(service, DOCUMENT, RECEIPT);
  assertEquals(response.status, 500);
  assertMatch(await response.text(), /an unexpected error, see the log/);
  const envelope = await only(service);
  assert(response.headers.get("x-service-event-url")?.endsWith(envelope.id));
  assertEquals(codes(envelope), ["internal-fault"]);
  assertEquals([envelope.message.payload.recovered, envelope.message.mdn], [true, undefined]);
  const raw = await fetch(`${service.api.url}${envelope.raw_url}`);
  assertEquals(await raw.text(), DOCUMENT);
  assertEquals(service.log.length, 1);
});

Deno.test("a list can omit details that only a single message returns", async () => {
  await using service = await start();
  const signed = await sign(new TextEncoder().encode(`\r\n${DOCUMENT}`));
  await (await post(service, signed.body, { ...RECEIPT, "content-type": signed.type })).body
    ?.cancel();
  const whole = await only(service);
  const brief = await only(service, "?include_details=0&security=signed");
  assertEquals(brief.preview, DOCUMENT);
  assertEquals(brief.meta, whole.meta);
  assertEquals(Object.keys(brief.message).sort(), [
    ...["as2_version", "from", "mdn", "message_id", "payload", "receipt", "security", "to"],
  ]);
  assertEquals(brief.message.security, { compressed: false, encrypted: false, signed: true });
  assertEquals(brief.message.mdn?.disposition, whole.message.mdn?.disposition);
  assert(JSON.stringify(brief).length < JSON.stringify(whole).length / 2);
  await service.getJson("/as2/messages?include_details=some", 400);
});
