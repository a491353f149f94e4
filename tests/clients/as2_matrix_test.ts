/**
 * Every order of layers, rare algorithms, and layers that cannot be opened, around messages made by
 * openssl.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { MessageEnvelope } from "../../plugins/as2/views.ts";
import { type As2Entity, compress } from "../support/as2.ts";
import { codes, ENVELOPED, OPAQUE, OpenSslPartner } from "../support/as2_openssl.ts";

const DOCUMENT = "UNB+UNOA:1+A+B+240101:1200+9'\r\nUNZ+0+9'\r\n";
const ENTITY = `Content-Type: application/edifact; name=orders.edi\r\n\r\n${DOCUMENT}`;
const SIGNED_RECEIPT = {
  "disposition-notification-options":
    "signed-receipt-protocol=required, pkcs7-signature; signed-receipt-micalg=required, sha-256",
};

type Kind = "signed" | "encrypted" | "compressed";
type Encoding = "binary" | "base64";

/** Every selection of layers in every order, from the inside out. */
function orders(kinds: readonly Kind[] = ["signed", "encrypted", "compressed"]): Kind[][] {
  return kinds.flatMap((kind) => [
    [kind],
    ...orders(kinds.filter((other) => other !== kind)).map((inner) => [...inner, kind]),
  ]);
}

async function make(
  partner: OpenSslPartner,
  { kind, detached, content }: { kind: Kind; detached: boolean; content: Uint8Array<ArrayBuffer> },
): Promise<As2Entity> {
  if (kind === "compressed") return compress(content);
  if (kind === "encrypted") return { type: ENVELOPED, body: await partner.encrypt(content) };
  if (!detached) return { type: OPAQUE, body: await partner.sign(content, "-nodetach") };
  const [type, body] = await partner.signDetached(content);
  return { type, body };
}

/** A layer in its transfer encoding, with the matching header fields. */
function encode({ type, body }: As2Entity, encoding: Encoding): As2Entity & { cte: Encoding } {
  // A multipart has no encoding besides that of its parts.
  if (encoding === "binary" || type.startsWith("multipart/")) return { type, body, cte: "binary" };
  const text = body.toBase64().replace(/.{76}/g, "$&\r\n");
  return { type, body: new TextEncoder().encode(text), cte: encoding };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

for (const encoding of ["binary", "base64"] as const) {
  Deno.test(`layers open in all fifteen orders, ${encoding}`, async (t) => {
    await using partner = await OpenSslPartner.open(t);
    if (partner === undefined) return;
    for (const order of orders()) {
      let content: Uint8Array<ArrayBuffer> = new TextEncoder().encode(ENTITY);
      let covered: Uint8Array | undefined;
      let outer: As2Entity & { cte: Encoding } | undefined;
      for (const kind of order) {
        if (kind === "signed") covered = content;
        const detached = encoding === "binary";
        outer = encode(await make(partner, { kind, detached, content }), encoding);
        const head =
          `Content-Type: ${outer.type}\r\nContent-Transfer-Encoding: ${outer.cte}\r\n\r\n`;
        content = Uint8Array.from([...new TextEncoder().encode(head), ...outer.body]);
      }
      const { envelope, mdn } = await partner.post(outer!.type, outer!.body, {
        "content-transfer-encoding": outer!.cte,
        ...SIGNED_RECEIPT,
      });
      const name = order.join(" in ");
      const { layers = [], mic, security } = envelope.message;
      assertEquals([name, codes(envelope)], [name, []]);
      assertEquals(layers.map(({ kind }) => kind), order.toReversed());
      assertEquals(await partner.payload(envelope), DOCUMENT);
      assertMatch(mdn, /; processed\r\n/);
      const digest = sha256(covered ?? new TextEncoder().encode(ENTITY));
      const coverage = covered !== undefined
        ? "signed-content"
        : order.includes("encrypted")
        ? "decrypted-entity"
        : "decompressed-entity";
      assertEquals([name, mic?.digest, mic?.coverage], [name, digest, coverage]);
      if (covered !== undefined) assertEquals(security.signature?.signer_matched, true);
      if (!order.includes("compressed")) continue;
      const inside = order.indexOf("compressed") < order.indexOf("signed");
      const placement = covered === undefined
        ? "unsigned"
        : inside
        ? "before-signing"
        : "after-signing";
      assertEquals([name, security.compression?.placement], [name, placement]);
    }
  });
}

const RARE: readonly (readonly [name: string, key: readonly string[], ...sign: string[]])[] = [
  ["ECDSA-SHA1", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "-md", "sha1"],
  ["ECDSA-SHA1", ["ec", "-pkeyopt", "ec_paramgen_curve:P-521"], "-md", "sha1"],
  ["ECDSA-SHA256", ["ec", "-pkeyopt", "ec_paramgen_curve:P-521"], "-md", "sha256"],
  ["ECDSA-SHA512", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "-md", "sha512"],
  ["ECDSA-SHA224", ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], "-md", "sha224"],
  ["RSASSA-PSS", ["rsa-pss", "-pkeyopt", "rsa_keygen_bits:2048"], "-md", "sha256"],
  [
    "RSASSA-PSS",
    ["rsa:2048"],
    ...["-md", "sha384", "-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:0"],
  ],
  ["RSA-SHA256", ["rsa:4096"], "-md", "sha256", "-cades"],
  ["RSA-SHA512", ["rsa:1024"], "-md", "sha512", "-stream"],
];

Deno.test("the rarer signatures of openssl are checked", async (t) => {
  await using partner = await OpenSslPartner.open(t, false);
  if (partner === undefined) return;
  for (const [name, key, ...sign] of RARE) {
    await partner.openssl(
      ...["req", "-x509", "-nodes", "-subj", "/CN=rare", "-keyout", "key.pem", "-out", "cert.pem"],
      ...["-newkey", ...key],
    );
    const form = [name, ...sign];
    const opaque = await partner.post(OPAQUE, await partner.sign(ENTITY, "-nodetach", ...sign));
    const { signature } = opaque.envelope.message.security;
    assertEquals([form, signature?.error, signature?.verified], [form, undefined, true]);
    assertEquals([form, signature?.signature_algorithm], [form, name]);
    const [type, body] = await partner.signDetached(ENTITY, ...sign);
    const damaged = body.slice();
    damaged[damaged.indexOf(0x27)] = 0x28;
    const tampered = await partner.post(type, damaged);
    assertEquals(tampered.envelope.message.security.signature?.verified, false);
    assertMatch(tampered.mdn, /processed\/Error: integrity-check-failed\r\n/);
  }
});

Deno.test("a signature that cannot be checked is not reported as wrong", async (t) => {
  await using partner = await OpenSslPartner.open(t, false);
  if (partner === undefined) return;
  for (const [curve, digest] of [["P-384", "sha1"], ["secp256k1", "sha256"]] as const) {
    await partner.openssl(
      ...["req", "-x509", "-nodes", "-subj", "/CN=rare", "-keyout", "key.pem", "-out", "cert.pem"],
      ...["-newkey", "ec", "-pkeyopt", `ec_paramgen_curve:${curve}`],
    );
    const body = await partner.sign(ENTITY, "-nodetach", "-md", digest);
    const { envelope, mdn } = await partner.post(OPAQUE, body);
    assertMatch(envelope.message.security.signature!.error!, /^Cannot check the signature: ECDSA/);
    assertMatch(mdn, /processed\/Error: authentication-failed\r\n/);
    assertEquals(await partner.payload(envelope), DOCUMENT);
  }
});

Deno.test("content whose line ends were changed in transit is verified as it was signed", async (t) => {
  await using partner = await OpenSslPartner.open(t);
  if (partner === undefined) return;
  const [type, body] = await partner.signDetached(ENTITY);
  const bare = body.filter((byte, at) => byte !== 0x0d || body[at + 1] !== 0x0a);
  const { envelope, mdn } = await partner.post(type, bare, SIGNED_RECEIPT);
  assertEquals(codes(envelope), ["content-not-canonical"]);
  assertMatch(mdn, /; processed\r\n/);
  const { mic, security } = envelope.message;
  assertEquals([security.signature?.verified, mic?.bytes], [true, ENTITY.length]);
  assertEquals(mic?.digest, sha256(new TextEncoder().encode(ENTITY)));
  assertEquals(await partner.payload(envelope), DOCUMENT.replaceAll("\r\n", "\n"));
});

Deno.test("two signatures, a chain and AES-192-GCM of openssl are read", async (t) => {
  await using partner = await OpenSslPartner.open(t);
  if (partner === undefined) return;
  await partner.openssl(
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=second"],
    ...["-keyout", "key2.pem", "-out", "cert2.pem"],
  );
  const both = await partner.sign(
    ENTITY,
    "-nodetach",
    "-signer",
    "cert2.pem",
    "-inkey",
    "key2.pem",
  );
  const { envelope } = await partner.post(OPAQUE, both);
  const { signature } = envelope.message.security;
  assertEquals([signature?.verified, signature?.chain?.length], [true, 2]);
  const gcm = await partner.post(ENVELOPED, await partner.encrypt(ENTITY, "-aes-192-gcm"));
  assertEquals(codes(gcm.envelope), []);
  const { encryption } = gcm.envelope.message.security;
  assertEquals([encryption?.content_algorithm, encryption?.decrypted], ["AES-192-GCM", true]);
  // Among other recipients; only the last one is the service.
  const many = await partner.encrypt(
    ENTITY,
    ...["-aes128", "-recip", "cert.pem", "-recip", "cert2.pem", "-recip", "standin.pem"],
  );
  const shared = await partner.post(ENVELOPED, many);
  assertEquals(codes(shared.envelope), []);
  assertEquals(shared.envelope.message.security.encryption?.recipients?.length, 3);
});

Deno.test("garbage of every kind is captured and answered", async (t) => {
  await using partner = await OpenSslPartner.open(t);
  if (partner === undefined) return;
  const types = [
    ...[ENVELOPED, OPAQUE, "application/pkcs7-mime", "multipart/signed"],
    "multipart/signed; protocol=application/pkcs7-signature; boundary=b",
    "application/pkcs7-mime; smime-type=compressed-data",
  ];
  const random = crypto.getRandomValues(new Uint8Array(2000));
  const bodies: readonly (Uint8Array | string)[] = [
    ...["", "\0", "hello", '{"a":1}', "--b\r\n\r\n--b--\r\n", "AAAA", "0\x80", "MIIB"],
    random,
    Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff),
    new Uint8Array(5000).fill(0x30),
  ];
  for (const type of types) {
    for (const body of bodies) {
      const { envelope, response, mdn } = await partner.post(type, body);
      assertEquals(response.status, 200);
      assertMatch(mdn, /processed\/Error: unexpected-processing-error\r\n/);
      const { payload } = envelope.message;
      assertEquals([payload.recovered, codes(envelope)], [true, ["unparsable-body"]]);
      assert(envelope.message.layers?.[0]?.opened === false);
    }
  }
  assertEquals(partner.service.events.count("as2"), types.length * bodies.length);
  assertEquals(partner.service.log, []);
});

Deno.test("by default at most 64 MiB are accepted, as sent or inflated", async (t) => {
  await using partner = await OpenSslPartner.open(t);
  if (partner === undefined) return;
  const limit = 64 * 1024 * 1024;
  const most = await partner.post("application/octet-stream", new Uint8Array(limit));
  assertEquals([most.envelope.message.payload.size, codes(most.envelope)], [limit, []]);
  const over = await fetch(`${partner.service.ingress.url}/as2`, {
    method: "POST",
    body: new Uint8Array(limit + 1),
    headers: { "content-type": ENVELOPED, "as2-from": "huge" },
  }).catch((error: unknown) => error);
  // The service answers before everything has arrived, and the client may treat that as a broken
  // connection.
  if (over instanceof Response) {
    assertEquals(over.status, 413);
    await over.body?.cancel();
  }
  const found = await partner.service.getJson<MessageEnvelope[]>("/as2/messages?from=huge");
  assertEquals(found.map(codes), [["body-too-large"]]);
  const bomb = compress(new Uint8Array(limit + 1));
  assert(bomb.body.length < 100_000);
  const { envelope, mdn } = await partner.post(bomb.type, bomb.body);
  assertEquals(codes(envelope), ["decompression-failed"]);
  assertMatch(mdn, /processed\/Error: decompression-failed\r\n/);
  assertMatch(envelope.message.issues![0]!.detail, /expands beyond 67108864 bytes/);
  assertEquals(envelope.message.payload.size, bomb.body.length);
  // Nested decompression bombs are stopped at the first one.
  const nested = compress(deflateSync(new Uint8Array(limit + 1)));
  assertEquals(codes((await partner.post(nested.type, nested.body)).envelope), []);
});

Deno.test("a receipt that the key cannot sign is a failure, and the message is kept", async (t) => {
  await using partner = await OpenSslPartner.open(t, false);
  if (partner === undefined) return;
  const { folder } = partner;
  await partner.openssl(
    ...["req", "-x509", "-newkey", "rsa:512", "-nodes", "-subj", "/CN=small"],
    ...["-keyout", "small.key", "-out", "small.pem"],
  );
  const files = { cert_file: `${folder}/small.pem`, key_file: `${folder}/small.key` };
  await using small = await partner.beside(files);
  const { envelope, mdn } = await small.post("application/edifact", DOCUMENT, {
    "disposition-notification-options":
      "signed-receipt-protocol=required, pkcs7-signature; signed-receipt-micalg=required, sha512",
  });
  assertEquals(codes(envelope), ["receipt-not-signed"]);
  assertMatch(mdn, /; failed\/Failure: unexpected-processing-error\r\n/);
  assertEquals([envelope.message.mdn?.signed, await small.payload(envelope)], [false, DOCUMENT]);
});
