import { assert, assertEquals, assertThrows } from "@std/assert";
import { decodePem } from "../../core/tls/pem.ts";
import { createIdentity, nameOfDer, readCertificate, readCertificatePem } from "./certificate.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

Deno.test("a generated certificate names its subject, and lasts ten years from the day before", async () => {
  const { cert, key } = await createIdentity({ name: "Böhm & Söhne", now: NOW });
  assert(key.startsWith("-----BEGIN PRIVATE KEY-----"));
  const { info, keyId, isPss, curve } = readCertificatePem(cert);
  assertEquals(info.subject, "O=standin, CN=Böhm & Söhne");
  assertEquals([info.issuer, info.self_signed], [info.subject, true]);
  assertEquals(info.key_algorithm, "RSA 2048");
  assertEquals([info.not_before, info.not_after], [
    "2026-01-01T03:04:05.000Z",
    "2036-01-02T03:04:05.000Z",
  ]);
  assert(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(info.fingerprint));
  assert(/^[4-7][0-9a-f]{31}$/.test(info.serial));
  assertEquals([keyId?.length, isPss, curve], [20, false, undefined]);
});

Deno.test("a certificate parses the same again, and differs from another", async () => {
  const [one, other] = await Promise.all(
    ["one", "other"].map((name) => createIdentity({ name, now: NOW })),
  );
  const der = decodePem("CERTIFICATE", one!.cert)!;
  const first = readCertificate(new Uint8Array(der));
  assert(first === readCertificate(new Uint8Array(der).slice()));
  assertEquals(first.info, readCertificatePem(one!.cert).info);
  assert(first.info.fingerprint !== readCertificatePem(other!.cert).info.fingerprint);
});

Deno.test("malformed certificates are refused, and an unreadable name is empty", () => {
  for (const bytes of [[], [0x30, 0], [0x30, 0x80, 0, 0], [1, 2, 3]]) {
    assertThrows(() => readCertificate(Uint8Array.from(bytes)));
  }
  assertThrows(() => readCertificatePem("hello"), TypeError, "expected a PEM certificate");
  const pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
  assertThrows(() => readCertificatePem(pem), TypeError, "found one that cannot be read");
  assertEquals(nameOfDer(Uint8Array.of(1, 2)), "");
});
