/**
 * What S3 clients rely on: encryption is stored, repeated and, with keys of the customer, required
 * (K).
 */
import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import {
  begin,
  completion,
  fill,
  listedCompletion,
  pick,
  row,
  sendPart,
  type Store,
} from "../support/s3.ts";

type Fields = Readonly<Record<string, string>>;

const FIELD = "x-amz-server-side-encryption";
const KMS = { [FIELD]: "aws:kms", [`${FIELD}-aws-kms-key-id`]: "alias/key" };
const CONTEXT = btoa('{"team":"blue"}');
const INVALID = "400 InvalidArgument";

/** The fields of a key of the customer, all of whose bytes are the same. */
function customer(byte: number, prefix = FIELD): Fields {
  const key = new Uint8Array(32).fill(byte);
  return {
    [`${prefix}-customer-algorithm`]: "AES256",
    [`${prefix}-customer-key`]: key.toBase64(),
    [`${prefix}-customer-key-md5`]: createHash("md5").update(key).digest("base64"),
  };
}

const SOURCE = "x-amz-copy-source-server-side-encryption";
const KEY = customer(1);
const OTHER = customer(2);
const MD5 = KEY[`${FIELD}-customer-key-md5`]!;

/** The encryption fields of a response, without their common prefix. */
async function told(
  store: Store,
  [method, path, status]: readonly [string, string, number],
  init: RequestInit = {},
): Promise<Fields> {
  const response = await store.send(method, path, init);
  const text = await response.text();
  assertEquals(response.status, status, `${method} ${path}: ${text}`);
  const found: Record<string, string> = {};
  for (const [name, value] of response.headers) {
    if (name.startsWith(FIELD)) found[name.slice(FIELD.length + 1)] = value;
  }
  return found;
}

async function setDefault(store: Store, inner: string): Promise<void> {
  const body = `<ServerSideEncryptionConfiguration><Rule>${inner}</Rule>` +
    "</ServerSideEncryptionConfiguration>";
  await store.text("PUT", "/box?encryption", 200, { body });
}

row("K1 encryption is repeated by the answers to a write and to every read", async (store) => {
  const put = (headers: Fields) => told(store, ["PUT", "/box/a", 200], { headers, body: "x" });
  assertEquals(await put({}), {});
  assertEquals(await put({ [FIELD]: "AES256" }), { "": "AES256" });
  assertEquals(await told(store, ["GET", "/box/a", 200]), { "": "AES256" });
  const more = {
    ...KMS,
    [`${FIELD}-bucket-key-enabled`]: "true",
    [`${FIELD}-context`]: CONTEXT,
  };
  const all = {
    "": "aws:kms",
    "aws-kms-key-id": "alias/key",
    "bucket-key-enabled": "true",
  };
  assertEquals(await put(more), { ...all, context: CONTEXT });
  for (const method of ["GET", "HEAD"]) {
    assertEquals(await told(store, [method, "/box/a", 200]), all);
  }
  const copy = { "x-amz-copy-source": "box/a" };
  assertEquals(await told(store, ["PUT", "/box/plain", 200], { headers: copy }), {});
  const headers = { ...copy, [FIELD]: "aws:kms:dsse" };
  assertEquals(await told(store, ["PUT", "/box/b", 200], { headers }), { "": "aws:kms:dsse" });
  // A change of the encryption alone is a change.
  const onto = { ...copy, [FIELD]: "AES256" };
  assertEquals(await told(store, ["PUT", "/box/a", 200], { headers: onto }), { "": "AES256" });
  const { payload } = store.service.events.list({ type: "s3.object.put" })[0]!;
  assertEquals((payload as { readonly encryption?: unknown }).encryption, {
    algorithm: "aws:kms",
    kms_key_id: "alias/key",
    kms_context: CONTEXT,
    bucket_key: true,
  });
});

row("K2 an upload in parts has its encryption in every answer", async (store) => {
  const started = await store.send("POST", "/box/m?uploads", { headers: KMS });
  assertEquals(started.headers.get(FIELD), "aws:kms");
  const place = `/box/m?uploadId=${pick(await started.text(), "UploadId")}`;
  const all = { "": "aws:kms", "aws-kms-key-id": "alias/key" };
  const response = await store.send("PUT", `${place}&partNumber=1`, { body: "part" });
  await response.body?.cancel();
  assertEquals(response.headers.get(`${FIELD}-aws-kms-key-id`), "alias/key");
  const body = completion([[1, response.headers.get("etag")!]]);
  assertEquals(await told(store, ["POST", place, 200], { body }), all);
  assertEquals(await told(store, ["POST", place, 200], { body }), all);
  assertEquals(await told(store, ["HEAD", "/box/m", 200]), all);
});

row("K3 the default encryption of a bucket is that of new objects", async (store) => {
  await fill(store, ["before"]);
  await setDefault(
    store,
    "<ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm>" +
      "<KMSMasterKeyID>k</KMSMasterKeyID></ApplyServerSideEncryptionByDefault>" +
      "<BucketKeyEnabled>true</BucketKeyEnabled>",
  );
  const all = { "": "aws:kms", "aws-kms-key-id": "k", "bucket-key-enabled": "true" };
  assertEquals(await told(store, ["PUT", "/box/a", 200], { body: "x" }), all);
  assertEquals(await told(store, ["HEAD", "/box/a", 200]), all);
  assertEquals(await told(store, ["POST", "/box/m?uploads", 200]), all);
  assertEquals(await told(store, ["HEAD", "/box/before", 200]), {});
  const headers = { [FIELD]: "AES256" };
  assertEquals(await told(store, ["PUT", "/box/b", 200], { headers, body: "x" }), { "": "AES256" });
  // Omitted fields come from the bucket.
  assertEquals(await told(store, ["PUT", "/box/c", 200], { headers: KMS, body: "x" }), {
    ...all,
    "aws-kms-key-id": "alias/key",
  });
});

row("K4 an object under a key of the customer is read with that key alone", async (store) => {
  const mine = { "customer-algorithm": "AES256", "customer-key-md5": MD5 };
  assertEquals(await told(store, ["PUT", "/box/a", 200], { headers: KEY, body: "secret" }), mine);
  assertEquals(await store.text("GET", "/box/a", 200, { headers: KEY }), "secret");
  const ranged = { headers: { ...KEY, range: "bytes=0-1" } };
  assertEquals(await store.text("GET", "/box/a", 206, ranged), "se");
  assertEquals(await told(store, ["HEAD", "/box/a", 200], { headers: KEY }), mine);
  const attributes = { "x-amz-object-attributes": "ObjectSize" };
  for (
    const [method, path, more] of [
      ["GET", "/box/a", {}],
      ["HEAD", "/box/a", {}],
      ["GET", "/box/a?attributes", attributes],
    ] as const
  ) {
    const body = method === "HEAD" ? "" : " InvalidRequest";
    assertEquals(await store.code(method, path, { headers: { ...more } }), `400${body}`, path);
    const denied = await store.code(method, path, { headers: { ...more, ...OTHER } });
    assertEquals(denied, method === "HEAD" ? "403" : "403 AccessDenied", path);
    await store.text(method, path, 200, { headers: { ...more, ...KEY } });
  }
  // It can be deleted and tagged without the key.
  await store.text("GET", "/box/a?tagging", 200);
  await store.text("DELETE", "/box/a", 204);
  await fill(store, ["plain"]);
  assertEquals(await store.code("GET", "/box/plain", { headers: KEY }), "400 InvalidRequest");
  const { payload } = store.service.events.list({ type: "s3.object.put" }).at(-1)!;
  assertEquals((payload as { readonly encryption?: unknown }).encryption, {
    algorithm: "AES256",
    customer_key_md5: MD5,
  });
});

row("K5 a copy needs the key of its source, and may have another one", async (store) => {
  await store.text("PUT", "/box/a", 200, { headers: KEY, body: "secret" });
  const copy = { "x-amz-copy-source": "box/a" };
  const code = (more: Fields) => store.code("PUT", "/box/b", { headers: { ...copy, ...more } });
  assertEquals(await code({}), "400 InvalidRequest");
  assertEquals(await code(KEY), "400 InvalidRequest");
  assertEquals(await code(customer(2, SOURCE)), "403 AccessDenied");
  assertEquals(await code({ ...customer(1, SOURCE), ...OTHER }), "200");
  assertEquals(await store.text("GET", "/box/b", 200, { headers: OTHER }), "secret");
  assertEquals(await code(customer(1, SOURCE)), "200");
  assertEquals(await store.text("GET", "/box/b", 200), "secret");
  assertEquals(await code(customer(3, SOURCE)), "403 AccessDenied");
  const id = await begin(store, "/box/m");
  const part = `/box/m?uploadId=${id}&partNumber=1`;
  assertEquals(await store.code("PUT", part, { headers: copy }), "400 InvalidRequest");
  const keyed = { headers: { ...copy, ...customer(1, SOURCE) } };
  assertEquals(await store.code("PUT", part, keyed), "200");
});

row("K6 every part of an upload under a key of the customer brings the key", async (store) => {
  const id = await begin(store, "/box/m", KEY);
  const place = `/box/m?uploadId=${id}`;
  const send = (headers: Fields) =>
    store.code("PUT", `${place}&partNumber=1`, { headers, body: "part" });
  assertEquals(await send({}), "400 InvalidRequest");
  assertEquals(await send(OTHER), "400 InvalidRequest");
  assertEquals(await send(KEY), "200");
  const listed = await store.text("GET", place, 200, { headers: KEY });
  assertEquals(await store.code("GET", place, { headers: OTHER }), "400 InvalidRequest");
  const body = completion([[1, pick(listed, "ETag")[0]!]]);
  assertEquals(await store.code("POST", place, { headers: OTHER, body }), "400 InvalidRequest");
  await store.text("POST", place, 200, { body });
  // Repeated, too.
  assertEquals(await store.code("POST", place, { headers: OTHER, body }), "400 InvalidRequest");
  await store.text("POST", place, 200, { headers: KEY, body });
  await store.text("POST", place, 200, { body });
  assertEquals(await store.code("GET", "/box/m"), "400 InvalidRequest");
  assertEquals(await store.text("GET", "/box/m", 200, { headers: KEY }), "part");
  // With a checksum, the completion needs the key, too.
  const summed = await begin(store, "/box/s", { ...KEY, "x-amz-checksum-algorithm": "CRC32" });
  const whole = `/box/s?uploadId=${summed}`;
  await store.text("PUT", `${whole}&partNumber=1`, 200, { headers: KEY, body: "part" });
  const end = { body: await listedCompletion(store, whole) };
  assertEquals(await store.code("POST", whole, end), "400 InvalidRequest");
  assertEquals(await store.code("POST", whole, { ...end, headers: OTHER }), "400 InvalidRequest");
  await store.text("POST", whole, 200, { ...end, headers: KEY });
  const plain = await begin(store, "/box/n");
  const keyed = { headers: KEY, body: "part" };
  const at = `/box/n?uploadId=${plain}&partNumber=1`;
  assertEquals(await store.code("PUT", at, keyed), "400 InvalidRequest");
  await sendPart(store, at, "part");
});

row("K7 fields that cannot be meant are refused, and nothing is stored", async (store) => {
  const without = (name: string): Fields =>
    Object.fromEntries(
      Object.entries(KEY).filter(([field]) => field !== `${FIELD}-customer-${name}`),
    );
  const short = new Uint8Array(10);
  const cases: readonly (readonly [string, Fields])[] = [
    [INVALID, { [FIELD]: "" }],
    [INVALID, { [FIELD]: "aes:kms" }],
    [INVALID, { [`${FIELD}-aws-kms-key-id`]: "k" }],
    [INVALID, { [FIELD]: "AES256", [`${FIELD}-aws-kms-key-id`]: "k" }],
    [INVALID, { [FIELD]: "AES256", [`${FIELD}-context`]: CONTEXT }],
    [INVALID, { ...KMS, [`${FIELD}-context`]: "text" }],
    [INVALID, { ...KMS, [`${FIELD}-context`]: btoa('{"a":1}') }],
    [INVALID, { ...KMS, [`${FIELD}-bucket-key-enabled`]: "maybe" }],
    [INVALID, { ...KEY, [FIELD]: "AES256" }],
    [INVALID, without("algorithm")],
    [INVALID, without("key")],
    [INVALID, without("key-md5")],
    [INVALID, { ...KEY, [`${FIELD}-customer-key-md5`]: OTHER[`${FIELD}-customer-key-md5`]! }],
    ["400 InvalidEncryptionAlgorithmError", { ...KEY, [`${FIELD}-customer-algorithm`]: "AES192" }],
    [INVALID, {
      ...KEY,
      [`${FIELD}-customer-key`]: short.toBase64(),
      [`${FIELD}-customer-key-md5`]: createHash("md5").update(short).digest("base64"),
    }],
  ];
  for (const [code, headers] of cases) {
    const what = JSON.stringify(headers);
    assertEquals(await store.code("PUT", "/box/a", { headers, body: "x" }), code, what);
    assertEquals(await store.code("POST", "/box/a?uploads", { headers }), code, what);
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), []);
  // Reads and parts refuse other keys.
  await fill(store, ["a"]);
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
  for (const [method, path] of [["GET", "/box/a"], ["PUT", at], ["DELETE", "/box/a"]] as const) {
    assertEquals(await store.code(method, path, { headers: { [FIELD]: "AES256" } }), INVALID, path);
  }
  assertEquals(await store.code("DELETE", "/box/a", { headers: KEY }), INVALID);
  assertEquals(await store.text("GET", "/box/a", 200), "a");
});

row("K8 a bucket that blocks keys of the customer refuses them for new objects", async (store) => {
  await store.text("PUT", "/box/a", 200, { headers: KEY, body: "x" });
  await setDefault(
    store,
    "<BlockedEncryptionTypes><EncryptionType>SSE-C</EncryptionType></BlockedEncryptionTypes>",
  );
  assertEquals(await store.code("PUT", "/box/b", { headers: KEY, body: "x" }), "403 AccessDenied");
  assertEquals(await store.text("GET", "/box/a", 200, { headers: KEY }), "x");
});

row("O24 storage class and website redirect are kept, listed and told", async (store) => {
  const [klass, redirect] = ["x-amz-storage-class", "x-amz-website-redirect-location"];
  const own = { [klass]: "STANDARD_IA", [redirect]: "/b" };
  const read = async (path: string) => {
    const { headers } = await store.send("HEAD", path);
    return [headers.get(klass), headers.get(redirect)];
  };
  await store.text("PUT", "/box/a", 200, { headers: own, body: "x" });
  await store.text("PUT", "/box/b", 200, { headers: { [klass]: "STANDARD" }, body: "x" });
  assertEquals(await read("/box/a"), ["STANDARD_IA", "/b"]);
  assertEquals(await read("/box/b"), [null, null]);
  for (const query of ["", "?list-type=2", "?versions"]) {
    const listed = await store.text("GET", `/box${query}`, 200);
    assertEquals(pick(listed, "StorageClass"), ["STANDARD_IA", "STANDARD"], query);
  }
  // A copy only has the encryption of the request.
  const copy = { "x-amz-copy-source": "box/a" };
  await store.text("PUT", "/box/c", 200, { headers: copy });
  assertEquals(await read("/box/c"), [null, null]);
  await store.text("PUT", "/box/a", 200, { headers: { ...copy, [klass]: "GLACIER_IR" } });
  assertEquals(await read("/box/a"), ["GLACIER_IR", null]);
  const id = await begin(store, "/box/m", own);
  const place = `/box/m?uploadId=${id}`;
  const etag = await sendPart(store, `${place}&partNumber=1`, "part");
  assertEquals(pick(await store.text("GET", place, 200), "StorageClass"), ["STANDARD_IA"]);
  assertEquals(pick(await store.text("GET", "/box?uploads", 200), "StorageClass"), ["STANDARD_IA"]);
  await store.text("POST", place, 200, { body: completion([[1, etag]]) });
  assertEquals(await read("/box/m"), ["STANDARD_IA", "/b"]);
  const elsewhere = { headers: { [redirect]: "b" }, body: "x" };
  assertEquals(await store.code("PUT", "/box/d", elsewhere), "400 InvalidRedirectLocation");
});
