/** Encryption and locks survive a restart; invalid rows are refused. */
import { assertEquals } from "@std/assert";
import { scratch } from "../support/files.ts";
import { begin, completion, pick, sendPart, startStore, type Store } from "../support/s3.ts";
import { change, type Keeper, testDamages } from "./damage.ts";

const KEY = {
  "x-amz-server-side-encryption-customer-algorithm": "AES256",
  "x-amz-server-side-encryption-customer-key": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
  "x-amz-server-side-encryption-customer-key-md5": "KYvwGXoFFJ42a2u2GDWhwQ==",
};
const KMS = {
  "x-amz-server-side-encryption": "aws:kms",
  "x-amz-server-side-encryption-aws-kms-key-id": "k",
  "x-amz-server-side-encryption-bucket-key-enabled": "true",
};
const LOCK = {
  "x-amz-object-lock-mode": "GOVERNANCE",
  "x-amz-object-lock-retain-until-date": "2100-01-01T00:00:00.000Z",
  "x-amz-object-lock-legal-hold": "ON",
};

function start(folder: string): Promise<Store> {
  return startStore({}, { storage: { backend: "filesystem", path: folder } });
}

/** Creates a locked bucket with two objects and an upload; returns the id of the upload. */
async function fillStore(store: Store): Promise<string> {
  const headers = { "x-amz-bucket-object-lock-enabled": "true" };
  await store.text("PUT", "/safe", 200, { headers });
  await store.text("PUT", "/safe/a", 200, { headers: { ...KMS, ...LOCK }, body: "a" });
  await store.text("PUT", "/safe/b", 200, { headers: KEY, body: "b" });
  return await begin(store, "/safe/m", { ...KMS, ...LOCK });
}

async function protection(store: Store, key: string, headers = {}): Promise<unknown> {
  const answer = await store.send("HEAD", `/safe/${key}`, { headers });
  return [...answer.headers].filter(([name]) => /encryption|lock/.test(name)).sort();
}

Deno.test("encryption, retention and legal holds survive a restart", async () => {
  await using folder = await scratch();
  await using store = await start(folder.path);
  const place = `/safe/m?uploadId=${await fillStore(store)}`;
  const [a, b] = [await protection(store, "a"), await protection(store, "b", KEY)];
  await store[Symbol.asyncDispose]();
  await using again = await start(folder.path);
  assertEquals([await protection(again, "a"), await protection(again, "b", KEY)], [a, b]);
  assertEquals(a, [...Object.entries(KMS), ...Object.entries(LOCK)].sort());
  assertEquals(await again.code("GET", "/safe/b"), "400 InvalidRequest");
  const id = pick(await again.text("GET", "/safe?versions&prefix=a", 200), "VersionId")[0]!;
  assertEquals(await again.code("DELETE", `/safe/a?versionId=${id}`), "403 AccessDenied");
  const etag = await sendPart(again, `${place}&partNumber=1`, "part");
  await again.text("POST", place, 200, { body: completion([[1, etag]]) });
  assertEquals(await protection(again, "m"), a);
});

const STORE: Keeper = {
  name: "the store with locks",
  folder: "s3",
  start,
  async fill(folder) {
    await using store = await start(folder);
    await fillStore(store);
  },
};

/** Replaces a text in the metadata of versions. */
function edit(from: string, to: string): (folder: string) => void {
  return (folder) =>
    change(folder, `UPDATE version SET about = replace(about, '${from}', '${to}')`);
}

testDamages(STORE, [
  ["an invalid retention mode", "retention", edit("GOVERNANCE", "FOREVER")],
  ["a retention without an end", "time", edit("2100-01-01", "soon")],
  ["an invalid legal hold", "legal hold", edit('"legalHold":true', '"legalHold":1')],
  ["an unknown encryption", "encryption", edit("aws:kms", "rot13")],
  ["a key that no header field can hold", "encryption", edit('"kmsKeyId":"k"', '"kmsKeyId":"\\n"')],
]);
