/** Messages of real implementations, damaged in many ways. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { fc } from "../support/fast_check.ts";
import type { As2Message } from "../../plugins/as2/model.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { type As2Entity, compress, encrypt, sign, wrap } from "../support/as2.ts";
import { ENVELOPED, OPAQUE, OpenSslPartner } from "../support/as2_openssl.ts";
import { fuzzed } from "../support/fuzz.ts";

const DOCUMENT = "UNA:+.? 'UNB+UNOC:3+A+B+240101:1200+9'\r\nUNZ+0+9'\r\n".repeat(20);
const ENTITY = new TextEncoder().encode(
  `Content-Type: application/edifact; name=orders.edi\r\n\r\n${DOCUMENT}`,
);

/** Changes of a message; positions and lengths are fractions of its length, in thousandths. */
type Damage =
  | { readonly kind: "set"; readonly at: number; readonly byte: number }
  | { readonly kind: "flip"; readonly at: number; readonly bit: number }
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "drop" | "double" | "zero"; readonly at: number; readonly length: number }
  | { readonly kind: "swap"; readonly at: number; readonly to: number }
  | { readonly kind: "insert"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "bare" };

const part = fc.nat(999);
const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), at: part, byte: fc.nat(255) }),
  fc.record({ kind: fc.constant("flip" as const), at: part, bit: fc.nat(7) }),
  fc.record({ kind: fc.constant("cut" as const), at: part }),
  fc.record({
    kind: fc.constantFrom("drop" as const, "double" as const, "zero" as const),
    at: part,
    length: fc.nat(200),
  }),
  fc.record({ kind: fc.constant("swap" as const), at: part, to: part }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: part,
    // BER lengths, delimiters and ends are hit more often than at random.
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc.constantFrom("30808000", "0000", "a080", "3084ffffffff", "04820fff", "2d2d", "0d0a", "00")
        .map((hex) => Uint8Array.fromHex(hex)),
    ),
  }),
  fc.constant({ kind: "bare" as const }),
);

function damage(bytes: Uint8Array<ArrayBuffer>, what: Damage): Uint8Array<ArrayBuffer> {
  if (what.kind === "bare") return bytes.filter((byte) => byte !== 0x0d);
  const place = (thousandths: number): number => Math.floor(bytes.length * thousandths / 1000);
  const at = place(what.at);
  const out = bytes.slice();
  switch (what.kind) {
    case "set":
      out[at] = what.byte;
      return out;
    case "flip":
      out[at]! ^= 1 << what.bit;
      return out;
    case "cut":
      return out.subarray(0, at);
    case "swap":
      [out[at], out[place(what.to)]] = [out[place(what.to)]!, out[at]!];
      return out;
    case "zero":
      return out.fill(0, at, at + what.length);
    case "drop":
      return Uint8Array.from([...out.subarray(0, at), ...out.subarray(at + what.length)]);
    case "double":
      return Uint8Array.from([...out.subarray(0, at + what.length), ...out.subarray(at)]);
    case "insert":
      return Uint8Array.from([...out.subarray(0, at), ...what.bytes, ...out.subarray(at)]);
  }
}

async function messages(partner: OpenSslPartner): Promise<readonly As2Entity[]> {
  const pem = new TextDecoder().decode(await partner.read("standin.pem"));
  const [type, body] = await partner.signDetached(ENTITY);
  const detached = { type, body };
  const opaque = { type: OPAQUE, body: await partner.sign(ENTITY, "-nodetach", "-stream") };
  const squeezed = compress(wrap(detached));
  const pss = ["-keyopt", "rsa_padding_mode:pss"];
  return [
    { type: "application/edifact", body: ENTITY },
    detached,
    opaque,
    { type: OPAQUE, body: await partner.sign(ENTITY, "-nodetach", "-md", "sha512", ...pss) },
    squeezed,
    compress(wrap(opaque)),
    { type: ENVELOPED, body: await partner.encrypt(wrap(detached), "-aes256") },
    { type: ENVELOPED, body: await partner.encrypt(wrap(squeezed), "-des3", "-stream") },
    { type: ENVELOPED, body: await partner.encrypt(wrap(opaque), "-aes-128-gcm") },
    await encrypt(wrap(await sign(wrap(squeezed))), pem),
    {
      type: ENVELOPED,
      body: await partner.encrypt(
        ENTITY,
        ...["-aes128", "-recip", "standin.pem", "-keyopt", "rsa_padding_mode:oaep"],
      ),
    },
  ];
}

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { "content-transfer-encoding": "base64" },
  { "content-transfer-encoding": "quoted-printable", "receipt-delivery-option": "x" },
  {
    "disposition-notification-options":
      "signed-receipt-protocol=required, pkcs7-signature; signed-receipt-micalg=required, md5",
  },
];

Deno.test("the intact layers of damaged messages are opened, and the messages captured and acknowledged", async (t) => {
  await using partner = await OpenSslPartner.open(t);
  if (partner === undefined) return;
  const { service } = partner;
  const whole = await messages(partner);
  let sent = 0;
  const damaged = fc.tuple(
    fc.nat(whole.length - 1),
    fc.array(damages, { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    fc.constantFrom(...HEADERS),
  );
  await fc.assert(
    fc.asyncProperty(damaged, async ([which, what, base64, headers]) => {
      const { type, body } = whole[which]!;
      const bytes = what.reduce(damage, body);
      // Damage before or after the transfer encoding is not the same.
      const encoded = base64 ? new TextEncoder().encode(bytes.toBase64()) : bytes;
      const response = await fetch(`${service.ingress.url}/as2`, {
        method: "POST",
        body: encoded,
        headers: { "content-type": type, "disposition-notification-to": "x", ...headers },
      });
      assertMatch(await response.text(), /Disposition: automatic-action\/MDN-sent-automatically; /);
      assertEquals(response.status, 200);
      const id = response.headers.get("x-service-event-url")?.split("/").at(-1) ?? "";
      const event = service.events.get(id) as CapturedEvent<As2Message> | undefined;
      assertEquals(event?.raw.body, encoded);
      // The document is what remains inside the layers that open; a layer that does not open is kept as it is.
      const { payload, layers = [] } = event!.payload;
      assert(payload.blob !== undefined && payload.size === payload.blob.size);
      assertEquals(payload.recovered === true, layers.some(({ opened }) => !opened));
      sent++;
    }),
    fuzzed(400),
  );
  assert(sent >= 400);
  assertEquals(service.log, []);
  const { body, type } = whole[6]!;
  const { envelope } = await partner.post(type, body);
  assertEquals(envelope.message.payload.preview, DOCUMENT.slice(0, 1024));
});
