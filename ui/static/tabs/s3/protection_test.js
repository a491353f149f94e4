import { assertEquals } from "@std/assert";
import { encryptionOf, lockOf } from "./protection.js";

Deno.test("encryption is told in a few words", () => {
  assertEquals(encryptionOf({}), undefined);
  assertEquals(encryptionOf({ encryption: { algorithm: "AES256" } }), "AES256");
  const kms = /** @type {const} */ ({
    algorithm: "aws:kms",
    kms_key_id: "k",
    bucket_key: true,
  });
  assertEquals(encryptionOf({ encryption: kms }), "aws:kms, key k, bucket key");
  const customer = /** @type {const} */ ({ algorithm: "AES256", customer_key_md5: "m" });
  assertEquals(
    encryptionOf({ encryption: customer }),
    "AES256 with a customer-provided key (SSE-C)",
  );
});

Deno.test("a lock is told while it holds", () => {
  const lock = (/** @type {string} */ until) => /** @type {const} */ ({
    mode: "GOVERNANCE",
    until,
  });
  assertEquals(lockOf({}), undefined);
  assertEquals(lockOf({ retention: lock("2020-01-01T00:00:00Z"), legal_hold: false }), undefined);
  assertEquals(lockOf({ retention: lock("2990-01-01T00:00:00Z") }), "governance retention");
  assertEquals(
    lockOf({ retention: lock("2990-01-01T00:00:00Z"), legal_hold: true }),
    "legal hold, governance retention",
  );
});
