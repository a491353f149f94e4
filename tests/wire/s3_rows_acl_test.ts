/** What S3 clients rely on: canned ACLs are stored and returned (Q). */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { begin, completion, fill, pick, row, sendPart, type Store } from "../support/s3.ts";

const ALL = "http://acs.amazonaws.com/groups/global/AllUsers";
const AUTHENTICATED = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";
const LOGS = "http://acs.amazonaws.com/groups/s3/LogDelivery";
const EC2 = "6aa5a366c34c1cbe25dc49211496e913e0351eb0e8c37aa3477e40942ec6b97c";

/**
 * Grants of each besides the owner's full control (S3 user guide, "Access control list (ACL)
 * overview").
 */
const GRANTS: Readonly<Record<string, readonly string[]>> = {
  "private": [],
  "public-read": [`Group ${ALL} READ`],
  "public-read-write": [`Group ${ALL} READ`, `Group ${ALL} WRITE`],
  "authenticated-read": [`Group ${AUTHENTICATED} READ`],
  "aws-exec-read": [`CanonicalUser ${EC2} READ`],
  "bucket-owner-read": [],
  "bucket-owner-full-control": [],
  "log-delivery-write": [`Group ${LOGS} WRITE`, `Group ${LOGS} READ_ACP`],
};

const GRANT =
  /<Grant><Grantee xmlns:xsi="http:\/\/www\.w3\.org\/2001\/XMLSchema-instance" xsi:type="(\w+)"><(?:ID|URI)>([^<]+)<.*?<Permission>(\w+)</g;

/** The grants of a document; the first is the owner's. */
async function grants(store: Store, place: string): Promise<readonly string[]> {
  const text = await store.text("GET", `${place}?acl`, 200);
  assertStringIncludes(text, "<Owner><ID>standin</ID><DisplayName>standin</DisplayName></Owner>");
  const all = [...text.matchAll(GRANT)].map(([, type, to, what]) => `${type} ${to} ${what}`);
  assertEquals(all[0], "CanonicalUser standin FULL_CONTROL", text);
  return all.slice(1);
}

const asking = (acl: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { "x-amz-acl": acl, ...more },
});

function told(store: Store): S3Operation {
  return store.service.events.list({ plugin: "s3" })[0]!.payload as S3Operation;
}

row("Q19 an object keeps the canned ACL it was made with, however it was made", async (store) => {
  await fill(store, ["plain"]);
  assertEquals(await grants(store, "/box/plain"), []);
  assertEquals("acl" in told(store), false);
  for (const [acl, expected] of Object.entries(GRANTS)) {
    if (acl === "log-delivery-write") continue;
    await store.text("PUT", "/box/put", 200, { body: "x", ...asking(acl) });
    assertEquals(told(store).acl, acl);
    const copy = asking(acl, { "x-amz-copy-source": "box/plain" });
    await store.text("PUT", "/box/copy", 200, copy);
    assertEquals(told(store).acl, acl);
    const id = await begin(store, "/box/parts", { "x-amz-acl": acl });
    const at = `/box/parts?uploadId=${id}`;
    const etag = await sendPart(store, `${at}&partNumber=1`, "x");
    await store.text("POST", at, 200, { body: completion([[1, etag]]) });
    assertEquals(told(store).acl, acl);
    for (const key of ["put", "copy", "parts"]) {
      assertEquals(await grants(store, `/box/${key}`), expected, `${acl} of ${key}`);
      const view = await store.service.getJson<{ acl?: string }>(`/s3/buckets/box/objects/${key}`);
      assertEquals(view.acl, acl);
    }
  }
  // The ACL of a source is not copied.
  await store.text("PUT", "/box/open", 200, { body: "x", ...asking("public-read") });
  await store.text("PUT", "/box/shut", 200, { headers: { "x-amz-copy-source": "box/open" } });
  assertEquals(await grants(store, "/box/shut"), []);
  assertEquals(await store.code("GET", "/box/nothing?acl"), "404 NoSuchKey");
  assertEquals(await store.code("GET", "/nothing/a?acl"), "404 NoSuchBucket");
  const version = await store.send("GET", "/box/open?acl&versionId=null");
  await version.body?.cancel();
  assertEquals([version.status, version.headers.get("x-amz-version-id")], [200, "null"]);
});

row("Q20 a bucket keeps the canned ACL it was made with, or made again with", async (store) => {
  assertEquals(await grants(store, "/box"), []);
  const view = async () => await store.service.getJson<{ acl?: string }>("/s3/buckets/public-box");
  await store.text("PUT", "/public-box", 200);
  await fill(store, ["a"]);
  for (const [acl, expected] of Object.entries(GRANTS)) {
    await store.text("PUT", "/public-box", 200, asking(acl));
    assertEquals(await grants(store, "/public-box"), expected, acl);
    assertEquals([told(store).acl, (await view()).acl], [acl, acl]);
  }
  await store.text("PUT", "/public-box", 200);
  assertEquals([await grants(store, "/public-box"), "acl" in await view()], [[], false]);
  assertEquals(await store.code("GET", "/no-box?acl"), "404 NoSuchBucket");
});

row("Q21 an ACL that S3 does not have is refused, and so is one nobody reads", async (store) => {
  await fill(store, ["a"]);
  const rows: readonly (readonly [string, string, string, string])[] = [
    ["400 InvalidArgument", "public-reed", "PUT", "/box/a"],
    ["400 InvalidArgument", "log-delivery-write", "PUT", "/box/a"],
    ["400 InvalidArgument", "", "PUT", "/box/a"],
    ["400 InvalidArgument", "Private", "POST", "/box/a?uploads"],
    ["400 InvalidArgument", "public-reed", "PUT", "/new-box"],
    ["501 NotImplemented", "public-read", "GET", "/box/a"],
    ["501 NotImplemented", "public-read", "DELETE", "/box/a"],
    ["400 InvalidArgument", "log-delivery-write", "PUT", "/box/a?acl"],
    ["400 InvalidArgument", "public-reed", "PUT", "/box?acl"],
    ["501 NotImplemented", "public-read", "PUT", "/box?cors"],
  ];
  for (const [code, acl, method, path] of rows) {
    assertEquals(await store.code(method, path, asking(acl)), code, `${method} ${path} ${acl}`);
  }
  const text = await store.text("PUT", "/box/a", 400, asking("public-reed"));
  assertStringIncludes(pick(text, "Message")[0]!, "did you mean public-read?");
  assertEquals(await store.text("GET", "/box/a", 200), "a");
  assertEquals(await store.code("HEAD", "/new-box"), "404");
});

row("Q22 an ACL is changed by its name or by its grants", async (store) => {
  await fill(store, ["a"]);
  for (const path of ["/box", "/box/a"]) {
    for (const [acl, expected] of Object.entries(GRANTS)) {
      if (acl === "log-delivery-write" && path !== "/box") continue;
      await store.text("PUT", `${path}?acl`, 200, asking(acl));
      assertEquals(await grants(store, path), expected, `${acl} of ${path}`);
      const document = await store.text("GET", `${path}?acl`, 200);
      await store.text("PUT", `${path}?acl`, 200, asking("private"));
      await store.text("PUT", `${path}?acl`, 200, { body: document });
      assertEquals(await grants(store, path), expected, `${acl} of ${path} by its grants`);
    }
    const put = (body: string, more: RequestInit = {}) =>
      store.code("PUT", `${path}?acl`, { body, ...more });
    const owner = "<Grantee><ID>standin</ID></Grantee><Permission>FULL_CONTROL</Permission>";
    const policy = (...list: readonly string[]) =>
      `<AccessControlPolicy><AccessControlList>${
        list.map((one) => `<Grant>${one}</Grant>`).join("")
      }</AccessControlList></AccessControlPolicy>`;
    assertEquals(await put(""), "400 MissingSecurityHeader");
    assertEquals(await put(policy(owner), asking("private")), "400 UnexpectedContent");
    assertEquals(await put("<Other/>"), "400 MalformedACLError");
    assertEquals(await put("<AccessControlPolicy/>"), "400 MalformedXML");
    assertEquals(await put(policy()), "501 NotImplemented");
    assertEquals(await put(policy(owner, owner.replace("standin", "other"))), "501 NotImplemented");
    assertEquals(await put(policy(owner.replace("FULL_CONTROL", "ALL"))), "400 MalformedXML");
    const given = (id: string) =>
      policy(owner).replace("<AccessControlList", `<Owner><ID>${id}</ID></Owner>$&`);
    assertEquals(await put(given("other")), "403 AccessDenied");
    assertEquals(await put(given("standin")), "200");
    assertEquals(await put(policy(owner)), "200");
    assertEquals(await grants(store, path), []);
  }
  assertEquals(await store.text("GET", "/box/a", 200), "a");
  assertEquals(await store.code("PUT", "/box/none?acl", asking("private")), "404 NoSuchKey");
  assertEquals(await store.code("PUT", "/none?acl", asking("private")), "404 NoSuchBucket");
});
