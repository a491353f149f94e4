/** Messages made by openssl, in every form it writes, and receipts that it checks. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { createIdentity } from "../../plugins/as2/certificate.ts";
import { readCms } from "../../plugins/as2/codec/cms.ts";
import type { IdentityInfo } from "../../plugins/as2/model.ts";
import type { MessageEnvelope } from "../../plugins/as2/views.ts";
import { codes, ENVELOPED, OPAQUE, OpenSslPartner } from "../support/as2_openssl.ts";
import { requireClient, runOk } from "../support/clients.ts";

const DOCUMENT = "ISA*00*          *00*          *ZZ*A*ZZ*B*240101*1200*U*00401*1*0*T*>~\r\n";
const ENTITY = `Content-Type: application/edi-x12; name=order.x12\r\n\r\n${DOCUMENT}`;
const SIGNED_RECEIPT =
  "signed-receipt-protocol=optional, pkcs7-signature; signed-receipt-micalg=optional, sha-256";

const CIPHERS: readonly (readonly [name: string, ...args: string[]])[] = [
  ["3DES-CBC", "-des3"],
  ["AES-128-CBC", "-aes128"],
  ["AES-192-CBC", "-aes192"],
  ["AES-256-CBC", "-aes256"],
  ["AES-128-GCM", "-aes-128-gcm"],
  ["AES-256-GCM", "-aes-256-gcm"],
  ["DES-CBC", "-des", "-provider", "legacy", "-provider", "default"],
  ["RC2-CBC", "-rc2-40", "-provider", "legacy", "-provider", "default"],
  ["RC2-CBC", "-rc2-64", "-provider", "legacy", "-provider", "default"],
  ["RC2-CBC", "-rc2-128", "-provider", "legacy", "-provider", "default"],
];

Deno.test("every cipher and key transport of openssl is opened", async (t) => {
  await using bench = await OpenSslPartner.open(t);
  if (bench === undefined) return;
  const oaep = ["-recip", "standin.pem", "-keyopt", "rsa_padding_mode:oaep"];
  const forms: readonly (readonly [string, ...string[]])[] = [
    ...CIPHERS,
    ["AES-128-CBC", "-aes128", ...oaep],
    ["AES-128-CBC", "-aes128", ...oaep, "-keyopt", "rsa_oaep_md:sha256"],
    [
      "AES-128-CBC",
      "-aes128",
      ...oaep,
      ...["-keyopt", "rsa_oaep_md:sha256", "-keyopt", "rsa_mgf1_md:sha1"],
    ],
    ["AES-128-CBC", "-aes128", ...oaep, "-keyopt", "rsa_oaep_label:616263"],
    ["AES-128-CBC", "-aes128", "-keyid"],
    ["AES-128-CBC", "-aes128", "-stream"],
  ];
  for (const [name, ...args] of forms) {
    const body = await bench.encrypt(ENTITY, ...args);
    const { envelope, mdn } = await bench.post(ENVELOPED, body);
    const form = args.join(" ");
    assertEquals([codes(envelope), form], [[], form]);
    const { encryption, encrypted, signed } = envelope.message.security;
    assertEquals([encrypted, signed, encryption?.content_algorithm, encryption?.decrypted], [
      true,
      false,
      name,
      true,
    ]);
    assertEquals(await bench.payload(envelope), DOCUMENT);
    assertMatch(mdn, /Disposition: automatic-action\/MDN-sent-automatically; processed\r\n/);
    assertEquals(envelope.message.mic?.coverage, "decrypted-entity");
  }
});

Deno.test("every signature of openssl is checked, detached and opaque", async (t) => {
  await using bench = await OpenSslPartner.open(t);
  if (bench === undefined) return;
  const forms = [
    ...["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].map((md) => ["-md", md]),
    ["-md", "sha256", "-noattr"],
    ["-md", "sha256", "-nocerts"],
    ["-md", "sha256", "-keyid"],
    ["-md", "sha256", "-keyopt", "rsa_padding_mode:pss"],
    ["-md", "sha512", "-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:20"],
  ];
  for (const form of forms) {
    const md = form[1]!;
    // The signer's name must precede the options of its key.
    const opaque = await bench.sign(ENTITY, "-nodetach", ...form);
    const { envelope } = await bench.post(OPAQUE, opaque);
    const { signature } = envelope.message.security;
    assertEquals([signature?.error, signature?.verified, form], [undefined, true, form]);
    assertEquals(signature?.signer_matched, true);
    assertEquals(signature?.digest_algorithm, md);
    assertEquals(await bench.payload(envelope), DOCUMENT);
    const [type, body] = await bench.signDetached(ENTITY, ...form);
    const detached = await bench.post(type, body);
    assertEquals(detached.envelope.message.security.signature?.verified, true);
    assertEquals(detached.envelope.message.mic?.bytes, ENTITY.length);
    assertEquals(detached.envelope.meta?.assurance, "intact-partner");
    const mic = digestText(md, ENTITY);
    assertEquals(detached.envelope.message.mic?.digest, mic);
  }
});

function digestText(digest: string, text: string): string {
  return createHash(digest).update(text).digest("base64");
}

Deno.test("ECDSA signatures are checked", async (t) => {
  await using bench = await OpenSslPartner.open(t, false);
  if (bench === undefined) return;
  for (const [curve, md] of [["P-256", "sha256"], ["P-384", "sha384"], ["P-521", "sha512"]]) {
    await bench.openssl(
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", `ec_paramgen_curve:${curve}`, "-nodes"],
      ...["-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=curve"],
    );
    const [type, body] = await bench.signDetached(ENTITY, "-md", md!);
    const { envelope } = await bench.post(type, body);
    const { signature } = envelope.message.security;
    assertEquals([signature?.error, signature?.verified], [undefined, true]);
    assertEquals(signature?.signer?.key_algorithm, `EC ${curve}`);
    assertEquals(envelope.meta?.assurance, "intact");
  }
});

Deno.test("openssl accepts signed receipts of every digest", async (t) => {
  await using bench = await OpenSslPartner.open(t);
  if (bench === undefined) return;
  for (const micalg of ["sha1", "sha-256", "SHA384", "rsa-sha512", "sha224", "md5"]) {
    const options =
      `signed-receipt-protocol=required,pkcs7-signature;signed-receipt-micalg=required,${micalg}`;
    const { response, mdn, envelope } = await bench.post("application/edi-x12", DOCUMENT, {
      "disposition-notification-options": options,
    });
    const head = `MIME-Version: 1.0\r\nContent-Type: ${
      response.headers.get("content-type")
    }\r\n\r\n`;
    await bench.write("mdn", head + mdn);
    const check = ["-verify", "-in", "mdn", "-CAfile", "standin.pem", "-purpose", "any"];
    await bench.openssl("smime", ...check, "-out", "report");
    await bench.openssl("cms", ...check, "-out", "report");
    const report = new TextDecoder().decode(await bench.read("report"));
    assertMatch(report, /Content-Type: message\/disposition-notification/);
    const digest = digestText(micalg.toLowerCase().replace(/^rsa-|-(?=256)/g, ""), DOCUMENT);
    assertEquals(envelope.message.mdn?.received_content_mic, `${digest}, ${micalg}`);
    const read = await fetch(`${bench.service.api.url}${envelope.mdn_url}`);
    assertEquals(await read.text(), mdn);
    assertEquals(response.headers.get("as2-from"), "standin");
    assertEquals(response.headers.get("as2-to"), '"My Partner"');
    assertEquals(envelope.message.from, "My Partner");
  }
});

Deno.test("layers open in any order, binary and base64", async (t) => {
  await using bench = await OpenSslPartner.open(t);
  if (bench === undefined) return;
  const wrap = (type: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
    const base64 = body.toBase64().replace(/.{76}/g, "$&\r\n");
    const head = `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
    return new TextEncoder().encode(head + base64);
  };
  const [type, signed] = await bench.signDetached(ENTITY);
  const entity = `Content-Type: ${type}\r\n\r\n${new TextDecoder().decode(signed)}`;
  const first = await bench.post(ENVELOPED, await bench.encrypt(entity), {
    "disposition-notification-options": SIGNED_RECEIPT,
  });
  assertEquals(first.envelope.message.layers?.map(({ kind }) => kind), ["encrypted", "signed"]);
  assertEquals(first.envelope.message.mic?.digest, digestText("sha256", ENTITY));
  assertEquals(await bench.payload(first.envelope), DOCUMENT);
  assertEquals(codes(first.envelope), []);
  const inner = wrap(ENVELOPED, await bench.encrypt(ENTITY));
  const outer = (await bench.sign(inner, "-nodetach")).toBase64();
  const second = await bench.post(OPAQUE, outer, { "content-transfer-encoding": "base64" });
  assertEquals(second.envelope.message.layers?.map(({ kind }) => kind), ["signed", "encrypted"]);
  assertEquals(await bench.payload(second.envelope), DOCUMENT);
  const filtered = await bench.service.getJson<MessageEnvelope[]>(
    "/as2/messages?security=signed,encrypted&issue=false&format=x12&from=my%20partner",
  );
  assertEquals(filtered.map(({ id }) => id), [second.envelope.id, first.envelope.id]);
});

Deno.test("a message that cannot be opened is captured, recovered, and reported in the receipt", async (t) => {
  await using bench = await OpenSslPartner.open(t);
  if (bench === undefined) return;
  const [type, body] = await bench.signDetached(ENTITY);
  const altered = new TextDecoder().decode(body).replace("240101", "240102");
  const tampered = await bench.post(type, altered);
  assertEquals(codes(tampered.envelope), ["integrity-check-failed"]);
  assertMatch(tampered.mdn, /processed\/Error: integrity-check-failed\r\n/);
  assertMatch(await bench.payload(tampered.envelope), /240102/);
  assertEquals(tampered.envelope.meta?.assurance, "invalid");

  const cipher = await bench.encrypt(ENTITY, "-aes128", "-recip", "cert.pem");
  const foreign = await bench.post(ENVELOPED, cipher);
  assertEquals(codes(foreign.envelope), ["decryption-failed"]);
  assertMatch(foreign.mdn, /processed\/Error: decryption-failed\r\n/);
  assert(!/Received-Content-MIC/.test(foreign.mdn));
  assertEquals(foreign.envelope.message.payload.recovered, true);
  assertEquals(foreign.envelope.message.payload.size, cipher.length);
  assertEquals(foreign.envelope.message.security.encryption?.recipients?.[0]?.issuer, "CN=partner");

  const own = await bench.encrypt(ENTITY);
  const cut = await bench.post(ENVELOPED, own.slice(0, own.length - 40));
  assertEquals(codes(cut.envelope), ["unparsable-body"]);
  assertMatch(cut.mdn, /processed\/Error: unexpected-processing-error\r\n/);

  const stray = `Content-Type: ${ENVELOPED}\r\n\r\n${own.toBase64()}`;
  const strayed = await bench.post(ENVELOPED, stray, { "content-transfer-encoding": "base64" });
  assertEquals(codes(strayed.envelope), ["unparsable-body"]);
  assertEquals(strayed.response.status, 200);
});

Deno.test("every snippet sends a document that is opened, and prints the receipt", async (t) => {
  await using bench = await OpenSslPartner.open(t);
  if (bench === undefined) return;
  if (requireClient(t, "curl") === undefined) return;
  const described = await bench.service.getJson<
    { providers: { snippets: { title: string; lang: string; code: string }[] }[] }[]
  >("/plugins");
  // The one that is not a command is for the test of OpenAS2.
  const snippets = described[0]!.providers[0]!.snippets.filter(({ lang }) => lang === "sh");
  assertEquals(snippets.length, 2);
  for (const { title, code } of snippets) {
    await t.step(title, async () => {
      const { stdout } = await runOk("sh", ["-c", code], { cwd: bench.folder });
      assertMatch(stdout, /Disposition: automatic-action\/MDN-sent-automatically; processed\r\n/);
      const [newest] = await bench.service.getJson<MessageEnvelope[]>("/as2/messages?limit=1");
      assertEquals(newest?.message.payload.format, "x12");
      assertEquals(codes(newest!), []);
    });
  }
});

Deno.test("a message is the same over every version of HTTP that curl speaks", async (t) => {
  await using partner = await OpenSslPartner.open(t);
  if (partner === undefined) return;
  const curl = requireClient(t, "curl");
  if (curl === undefined) return;
  const [type, body] = await partner.signDetached(ENTITY);
  await partner.write("message", body);
  const forms = [
    ["--http1.0"],
    ["--http1.1", "-H", "Expect: 100-continue"],
    ["--http1.1", "-H", "Transfer-Encoding: chunked"],
    ["--http2-prior-knowledge"],
  ];
  const digest = digestText("sha256", ENTITY);
  for (const form of forms) {
    const { stdout } = await runOk(curl, [
      ...["-sS", "--data-binary", "@message", `${partner.service.ingress.url}/as2`, ...form],
      ...[
        "-H",
        `Content-Type: ${type}`,
        "-H",
        'AS2-From: "Bücher \\"A\\""',
        "-H",
        "AS2-To: standin",
      ],
      ...["-H", "AS2-Version: 1.1", "-H", `Message-ID: <${form.join("")}@x>`],
      ...["-H", "Disposition-Notification-To: x"],
    ], { cwd: partner.folder });
    assert(stdout.includes(`Received-Content-MIC: ${digest}, sha-256\r\n`), form.join(" "));
  }
  const found = await partner.service.getJson<MessageEnvelope[]>("/as2/messages?issue=false");
  assertEquals(found.length, forms.length);
  for (const { message } of found) assertEquals(message.from, 'Bücher "A"');
});

Deno.test("an expired certificate and one of no partner are reported, and nothing else", async (t) => {
  await using bench = await OpenSslPartner.open(t);
  if (bench === undefined) return;
  const past = await createIdentity({ name: "old", now: new Date("2000-01-01T00:00:00Z") });
  await bench.write("cert.pem", past.cert);
  await bench.write("key.pem", past.key);
  const [type, body] = await bench.signDetached(ENTITY, "-md", "sha384");
  const { envelope, mdn } = await bench.post(type, body);
  assertEquals(codes(envelope), [
    "signer-not-partner",
    "micalg-mismatch",
    "signer-certificate-expired",
  ]);
  assertEquals(envelope.meta?.assurance, "intact-unexpected-signer");
  assertEquals(envelope.message.security.signature?.signer?.not_after, "2010-01-01T00:00:00.000Z");
  assertMatch(mdn, /; processed\r\n/);
});

Deno.test("openssl keys are accepted in both forms, and one with a password is refused with a hint", async (t) => {
  await using partner = await OpenSslPartner.open(t, false);
  if (partner === undefined) return;
  const { folder } = partner;
  await partner.openssl("rsa", "-in", "key.pem", "-traditional", "-out", "pkcs1.pem");
  await partner.openssl(
    "rsa",
    "-in",
    "key.pem",
    "-aes128",
    "-passout",
    "pass:x",
    "-out",
    "locked.pem",
  );
  await partner.openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", "curve.pem");
  const cert_file = `${folder}/cert.pem`;
  const own = await partner.read("cert.pem");
  for (const name of ["key.pem", "pkcs1.pem"]) {
    await using other = await partner.beside({ cert_file, key_file: `${folder}/${name}` });
    assertEquals(await other.read("standin.pem"), own);
    const { envelope } = await other.post(ENVELOPED, await other.encrypt(ENTITY));
    assertEquals([name, codes(envelope)], [name, []]);
  }
  const refused = [["locked.pem", /password; decrypt it first/], [
    "curve.pem",
    /an RSA key/,
  ]] as const;
  for (const [name, reason] of refused) {
    await using other = await partner.beside({ cert_file, key_file: `${folder}/${name}` });
    const info = await other.service.getJson<IdentityInfo>("/as2/identity");
    assertEquals([info.configured, info.ready], [true, false]);
    assertMatch(info.error!, reason);
    const { envelope, mdn } = await other.post(ENVELOPED, await partner.encrypt(ENTITY));
    assertEquals(codes(envelope), ["identity-not-ready"]);
    assertMatch(mdn, /processed\/Error: decryption-failed\r\n/);
  }
});

Deno.test("of two signers the partner counts, in either position, unless its signature is wrong", async (t) => {
  await using bench = await OpenSslPartner.open(t);
  if (bench === undefined) return;
  const places = new Set<number>();
  // DER sorts a SET by encoding: the shorter name precedes the partner's, the longer one follows
  // it.
  for (const name of ["a", "a stranger whose name is long"]) {
    const key = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "other.key"];
    await bench.openssl(...key, "-out", "other.pem", "-subj", `/CN=${name}`);
    const both = ["-nodetach", "-signer", "other.pem", "-inkey", "other.key"];
    const body = await bench.sign(ENTITY, ...both);
    const cms = readCms(body);
    if (cms.kind !== "signed") throw new Error(`Expected signed data, got ${cms.kind}`);
    const serials = cms.signers.map(({ signer }) => signer.serial);
    const { envelope } = await bench.post(OPAQUE, body);
    const { signature } = envelope.message.security;
    assertEquals([codes(envelope), signature?.signer?.subject], [[], "CN=partner"]);
    assertEquals(signature?.signer_matched, true);
    assertEquals(envelope.meta?.assurance, "intact-partner");
    const place = serials.findIndex((serial) =>
      serial?.toLowerCase() === signature?.signer?.serial.toLowerCase()
    );
    places.add(place);

    // A view of the message: changes to it change the message.
    const octets = cms.signers[place]!.signature;
    octets[octets.length - 1]! ^= 1;
    const broken = await bench.post(OPAQUE, body);
    const found = broken.envelope.message;
    assertEquals(codes(broken.envelope), ["signer-not-partner"]);
    assertMatch(
      found.issues![0]!.detail,
      /CN=a.*not the configured partner; the partner's own signature does not count: The signature/,
    );
    assertEquals(found.security.signature?.signer?.subject, `CN=${name}`);
    assertEquals(found.security.signature?.signer_matched, false);
  }
  assertEquals(places, new Set([0, 1]));
});
