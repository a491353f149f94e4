/** What S3 clients rely on: unsupported features are refused by name, and never dropped (Q). */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { begin, completion, fill, pick, row, sendPart, type Store } from "../support/s3.ts";

type Fields = Readonly<Record<string, string>>;

/** Sends a request that must be refused as not implemented, with the name in the message. */
async function refuse(
  store: Store,
  name: string,
  [method, path, init]: readonly [string, string, RequestInit?],
): Promise<void> {
  const response = await store.send(method, path, init);
  const text = await response.text();
  assertEquals(
    [response.status, pick(text, "Code")],
    [501, ["NotImplemented"]],
    `${name}: ${text}`,
  );
  assertStringIncludes(pick(text, "Message")[0]!, name);
}

const LEFT_OUT: readonly (readonly [string, string])[] = [
  ["x-amz-grant-full-control", 'id="a"'],
  ["x-amz-grant-read", 'id="a"'],
  ["x-amz-object-lock-event-hold", "ON"],
  ["x-amz-storage-class", "GLACIER"],
  ["x-amz-write-offset-bytes", "0"],
  ["x-amz-tagging2", "unknown"],
  ["x-amz-api-version", "2012-01-01"],
];

row("Q13 a header field of what is left out, or unknown, is 501 with its name", async (store) => {
  await fill(store, ["a"]);
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
  const copy = { "x-amz-copy-source": "box/a" };
  const requests: readonly (readonly [string, string, Fields, string?])[] = [
    ["PUT", "/box/a", {}, "new"],
    ["PUT", "/box/b", copy],
    ["POST", "/box/b?uploads", {}],
    ["PUT", at, {}, "part"],
    ["PUT", at, copy],
    ["GET", "/box/a", {}],
  ];
  for (const [name, value] of LEFT_OUT) {
    for (const [method, path, more, body] of requests) {
      const init = { headers: { ...more, [name]: value }, ...(body === undefined ? {} : { body }) };
      await refuse(store, name, [method, path, init]);
    }
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
  assertEquals(await store.text("GET", "/box/a", 200), "a");
  const buckets: readonly (readonly [string, string])[] = [
    ["x-amz-grant-write", 'id="a"'],
  ];
  for (const [name, value] of buckets) {
    await refuse(store, name, ["PUT", "/new-box", { headers: { [name]: value } }]);
  }
  assertEquals(await store.code("HEAD", "/new-box"), "404");
});

row("Q14 a condition is refused where it would be dropped", async (store) => {
  await fill(store, ["a"]);
  const id = await begin(store, "/box/a");
  const copy = { "x-amz-copy-source": "box/a" };
  const past = "Thu, 01 Jan 2015 00:00:00 GMT";
  const rows: readonly (readonly [string, string, string, string, Fields?])[] = [
    ["if-unmodified-since", past, "PUT", "/box/a"],
    ["if-modified-since", past, "PUT", "/box/a"],
    ["if-unmodified-since", past, "DELETE", "/box/a"],
    ["if-none-match", "*", "DELETE", "/box/a"],
    ["if-match", '"x"', "PUT", `/box/a?uploadId=${id}&partNumber=1`],
    ["if-match", '"x"', "POST", "/box/a?uploads"],
    ["if-match", '"x"', "DELETE", `/box/a?uploadId=${id}`],
    ["if-match", '"x"', "DELETE", "/box"],
    ["content-range", "bytes 0-0/9", "PUT", "/box/a"],
    ["x-amz-if-match-size", "9", "PUT", "/box/a"],
    ["x-amz-if-match-initiated-time", past, "DELETE", "/box/a"],
    ["x-amz-copy-source-if-match", '"x"', "PUT", "/box/a"],
    ["x-amz-copy-source-range", "bytes=0-0", "PUT", "/box/b", copy],
    ["x-amz-copy-source", "box/a", "POST", "/box/b?uploads"],
    ["x-amz-mp-object-size", "9", "PUT", "/box/a"],
    ["x-amz-object-lock-mode", "GOVERNANCE", "PUT", `/box/a?uploadId=${id}&partNumber=1`],
    ["x-amz-object-lock-legal-hold", "ON", "GET", "/box/a"],
    ["x-amz-bypass-governance-retention", "true", "PUT", "/box/a"],
    ["x-amz-bucket-object-lock-enabled", "true", "PUT", "/box/a"],
    ["x-amz-storage-class", "STANDARD_IA", "GET", "/box/a"],
    ["x-amz-metadata-directive", "REPLACE", "PUT", "/box/a"],
    ["x-amz-checksum-mode", "ENABLED", "PUT", "/box/a"],
    ["x-amz-checksum-mode", "DISABLED", "GET", "/box/a"],
    ["x-amz-checksum-type", "COMPOSITE", "GET", "/box/a"],
    ["x-amz-website-redirect-location", "/b", "GET", "/box/a"],
    ["x-amz-object-ownership", "ObjectWriter", "PUT", "/box/a"],
    ["x-amz-object-ownership", "BucketOwnerEnforced", "GET", "/box"],
    ["x-amz-object-ownership", "Somebody", "PUT", "/new-box"],
    ["x-amz-bucket-namespace", "global", "PUT", "/box/a"],
    ["x-amz-bucket-namespace", "global", "DELETE", "/box"],
    ["x-amz-bucket-namespace", "account-regional", "PUT", "/new-box"],
    ["if-match", '"x"', "GET", "/box"],
    ["if-none-match", "*", "GET", "/box?list-type=2"],
    ["if-modified-since", past, "GET", "/"],
    ["if-unmodified-since", past, "GET", "/box/a?tagging"],
  ];
  for (const [name, value, method, path, more] of rows) {
    const body = method === "PUT" && more === undefined ? { body: "new" } : {};
    await refuse(store, name, [method, path, { headers: { ...more, [name]: value }, ...body }]);
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
  assertEquals(await store.text("GET", "/box/a", 200), "a");
});

row("Q27 a body that the operation does not read is refused, and digests of one", async (store) => {
  await fill(store, ["a"]);
  const id = await begin(store, "/box/m");
  const copy = { "x-amz-copy-source": "box/a" };
  const requests: readonly (readonly [string, string, Fields?])[] = [
    ["DELETE", "/box/a"],
    ["DELETE", "/box?cors"],
    ["POST", "/box/b?uploads"],
    ["DELETE", `/box/m?uploadId=${id}`],
    ["PUT", "/box/b", copy],
    ["PUT", `/box/m?uploadId=${id}&partNumber=1`, copy],
  ];
  const stated: readonly (readonly [string, string, Fields])[] = [
    ["400 BadDigest", "1B2M2Y8AsgTpgAmY7PhCfg==", { "content-md5": "CY9rzUYh03PK3k6DJie09g==" }],
    ["400 BadDigest", "AAAAAA==", { "x-amz-checksum-crc32": "2H8+DA==" }],
    ["400 XAmzContentSHA256Mismatch", "e3b0c442", { "x-amz-content-sha256": "0".repeat(64) }],
    ["501 NotImplemented", "xxhash64", { "x-amz-checksum-xxhash64": "2H8+DA==" }],
  ];
  const reads = [["GET", "/box/a"], ["GET", "/box"], ["GET", "/"], ["GET", "/box?versioning"]];
  for (const [method, path, more] of [...requests, ...reads] as typeof requests) {
    for (const [expected, named, headers] of stated) {
      const response = await store.send(method, path, { headers: { ...more, ...headers } });
      const text = await response.text();
      assertEquals(`${response.status} ${pick(text, "Code")}`, expected, `${method} ${path}`);
      assertStringIncludes(pick(text, "Message")[0]!, named);
    }
  }
  for (const [method, path, headers = {}] of requests) {
    const init = { headers, body: "content" };
    assertEquals(await store.code(method, path, init), "400 UnexpectedContent", path);
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
  assertEquals(pick(await store.text("GET", "/box?uploads", 200), "UploadId"), [id]);
  // Those of no bytes, as some clients send them.
  const nothing = {
    "content-md5": "1B2M2Y8AsgTpgAmY7PhCfg==",
    "x-amz-checksum-crc32": "AAAAAA==",
    "x-amz-content-sha256": "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
  };
  await store.text("GET", "/box/a", 200, { headers: nothing });
  await store.text("PUT", "/box/b", 200, { headers: { ...copy, ...nothing } });
});

row("Q29 a checksum after the body is refused where nothing carries it", async (store) => {
  const headers = { "x-amz-trailer": "x-amz-checksum-crc32" };
  const init = { headers, body: "a" };
  assertEquals(await store.code("PUT", "/box/a", init), "400 MalformedTrailerError");
  assertEquals(await store.code("PUT", "/box?cors", init), "400 MalformedTrailerError");
  assertEquals(await store.code("GET", "/box/a"), "404 NoSuchKey");
});

row("Q30 a value that cannot be understood is refused, not taken for none", async (store) => {
  await fill(store, ["a"]);
  const rows: readonly (readonly [string, string, string, string])[] = [
    ["x-amz-bucket-object-lock-enabled", "yes", "PUT", "/new-box"],
    ["x-amz-bypass-governance-retention", "yes", "DELETE", "/box/a"],
    ["x-amz-confirm-remove-self-bucket-access", "yes", "PUT", "/box?policy"],
    ["x-amz-content-sha256", "sha256", "GET", "/box/a"],
    ["x-amz-optional-object-attributes", "Owner", "GET", "/box"],
    ["x-amz-request-payer", "owner", "GET", "/box/a"],
    ["x-amz-skip-destination-validation", "yes", "PUT", "/box?notification"],
    ["fetch-owner", "", "GET", "/box?list-type=2&fetch-owner=yes"],
  ];
  for (const [name, value, method, path] of rows) {
    const headers: Fields = value === "" ? {} : { [name]: value };
    const response = await store.send(method, path, { headers });
    const text = await response.text();
    assertEquals([response.status, pick(text, "Code")], [400, ["InvalidArgument"]], name);
    assertStringIncludes(pick(text, "Message")[0]!, name);
  }
  assertEquals(await store.code("HEAD", "/new-box"), "404");
  assertEquals(await store.text("GET", "/box/a", 200), "a");
});

row("Q28 fields of an object are refused where none is stored", async (store) => {
  await fill(store, ["a"]);
  const part = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
  const rows: readonly (readonly [string, string, string, string])[] = [
    ["content-disposition", "attachment", "GET", "/box/a"],
    ["content-disposition", "attachment", "PUT", "/box/a?tagging"],
    ["content-language", "de", "POST", part.replace("&partNumber=1", "")],
    ["content-encoding", "gzip", "PUT", "/box?cors"],
    ["expires", "0", "DELETE", "/box/a"],
  ];
  for (const [name, value, method, path] of rows) {
    await refuse(store, name, [method, path, { headers: { [name]: value } }]);
  }
  // A client repeats them with each part; pages and caches send these with any request.
  const fields = { "content-disposition": "attachment", "content-encoding": "gzip", expires: "0" };
  await store.text("PUT", part, 200, { headers: fields, body: "part" });
  const headers = { "cache-control": "no-cache", expires: "0", pragma: "no-cache" };
  assertEquals(await store.text("GET", "/box/a", 200, { headers }), "a");
  await store.text("DELETE", "/box/a", 204, { headers: { "cache-control": "no-cache" } });
});

row("Q15 a sub-resource is never taken for the object or bucket itself", async (store) => {
  await fill(store, ["a"]);
  const id = await begin(store, "/box/a");
  const argument = "400 InvalidArgument";
  const rows: readonly (readonly [string, string, string])[] = [
    // With a value, too.
    ["400 MissingSecurityHeader", "PUT", "/box/a?acl=x"],
    ["400 MalformedXML", "PUT", "/box/a?tagging=x"],
    ["400 MalformedXML", "PUT", "/box?versioning"],
    ["400 MalformedXML", "PUT", "/box?replication=x"],
    ["405 MethodNotAllowed", "PUT", "/box?policyStatus"],
    ["501 NotImplemented", "PUT", "/box?metadataInventoryTable"],
    ["501 NotImplemented", "PUT", "/box/a?annotation&annotationName=n"],
    ["501 NotImplemented", "DELETE", "/box/a?annotation&annotationName=n"],
    // One that is not known, or not written like this.
    ["501 NotImplemented", "DELETE", "/box/a?newer"],
    ["501 NotImplemented", "PUT", "/box/a?Tagging"],
    ["501 NotImplemented", "PUT", "/new-box?newer="],
    // One of something else.
    ["405 MethodNotAllowed", "DELETE", "/box/a?delete"],
    ["405 MethodNotAllowed", "PUT", "/box/a?location"],
    ["405 MethodNotAllowed", "PUT", "/box/a?uploads"],
    ["405 MethodNotAllowed", "DELETE", "/box?uploadId=x"],
    [argument, "DELETE", `/box/a?uploadId=${id}&attributes`],
    [argument, "PUT", "/box/a?partNumber=1"],
    [argument, "DELETE", "/box/a?partNumber=1"],
    [argument, "GET", "/box?list-type=3"],
  ];
  for (const [code, method, path] of rows) {
    assertEquals(await store.code(method, path), code, `${method} ${path}`);
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
  assertEquals(await store.text("GET", "/box/a", 200), "a");
});

/** Parameters of one operation, with a request for another one. */
const MISPLACED: readonly (readonly [name: string, method: string, path: string])[] = [
  ["start-after", "GET", "/box?start-after=a"],
  ["continuation-token", "GET", "/box?continuation-token=a"],
  ["fetch-owner", "GET", "/box?fetch-owner=true"],
  ["marker", "GET", "/box?list-type=2&marker=a"],
  ["key-marker", "GET", "/box?list-type=2&key-marker=a"],
  ["version-id-marker", "GET", "/box?uploads&version-id-marker=a"],
  ["upload-id-marker", "GET", "/box?versions&upload-id-marker=a"],
  ["max-uploads", "GET", "/box?max-uploads=1"],
  ["max-keys", "GET", "/box?uploads&max-keys=1"],
  ["max-buckets", "GET", "/box?max-buckets=1"],
  ["bucket-region", "GET", "/box?bucket-region=us-east-1"],
  ["delimiter", "GET", "/?delimiter=/"],
  ["max-parts", "GET", "/box/a?max-parts=1"],
  ["part-number-marker", "GET", "/box/a?attributes&part-number-marker=1"],
  ["prefix", "DELETE", "/box/a?prefix=a"],
  ["prefix", "POST", "/box?delete&prefix=a"],
  ["encoding-type", "GET", "/box/a?encoding-type=url"],
  ["list-type", "GET", "/box?versions&list-type=2"],
  ["list-type", "DELETE", "/box?list-type=2"],
  ["response-content-type", "PUT", "/box/a?response-content-type=text/plain"],
  ["response-expires", "GET", "/box?response-expires=x"],
];

row("Q26 a parameter of another operation is refused by name, never ignored", async (store) => {
  await fill(store, ["a"]);
  const refused = async (
    path: string,
    name: string,
    [method, expected]: readonly [string, string],
  ) => {
    const response = await store.send(method, path);
    const text = await response.text();
    assertEquals(
      `${response.status} ${pick(text, "Code")}`,
      expected,
      `${method} ${path}: ${text}`,
    );
    assertStringIncludes(pick(text, "Message")[0]!, `Cannot use ${name} with`);
  };
  for (const [name, method, path] of MISPLACED) {
    await refused(path, name, [method, "400 InvalidArgument"]);
  }
  for (const name of ["id", "select-type", "max-directory-buckets"]) {
    await refused(`/box?${name}=2`, name, ["GET", "501 NotImplemented"]);
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
  assertEquals(await store.text("GET", "/box/a", 200), "a");
  // Parameters of SDKs, signers and caches.
  const signed = "AWSAccessKeyId=a&Signature=b&Expires=4102444800";
  const presigned = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=0&X-Amz-Expires=60";
  for (const query of ["x-id=GetObject", signed, presigned, "metadata=true", "no-cache=17"]) {
    assertEquals(await store.text("GET", `/box/a?${query}`, 200), "a", query);
    await store.text("GET", `/box?list-type=2&${query}`, 200);
  }
  const typed = await store.send("GET", `/box/a?${signed}&response-content-type=text/x-a`);
  await typed.body?.cancel();
  assertEquals(typed.headers.get("content-type"), "text/x-a");
});

row("Q17 an element that a document has not is refused, and nothing is done", async (store) => {
  await fill(store, ["a"]);
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  const entry = (more: string) => `<Delete><Object><Key>a</Key>${more}</Object></Delete>`;
  const part = (more: string) =>
    `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber>${more}</Part></CompleteMultipartUpload>`;
  const bucket = (more: string) => `<CreateBucketConfiguration>${more}</CreateBucketConfiguration>`;
  const rows: readonly (readonly [string, string, string, string])[] = [
    ["400 MalformedXML", "POST", "/box?delete", entry("<IfMatch>x</IfMatch>")],
    [
      "400 MalformedXML",
      "POST",
      "/box?delete",
      "<Delete><Mode/><Object><Key>a</Key></Object></Delete>",
    ],
    [
      "400 MalformedXML",
      "POST",
      "/box?delete",
      "<Delete><Quiet>maybe</Quiet><Object><Key>a</Key></Object></Delete>",
    ],
    ["400 MalformedXML", "POST", at, part("<ETag>x</ETag><Size>5</Size>")],
    ["501 NotImplemented", "POST", at, part("<ETag>x</ETag><ChecksumSHA512>x</ChecksumSHA512>")],
    ["501 NotImplemented", "PUT", "/new-box", bucket("<Tags><Tag/></Tags>")],
    ["400 MalformedXML", "PUT", "/new-box", bucket("<Other/>")],
    ["400 MalformedXML", "PUT", "/new-box", "<Other/>"],
  ];
  for (const [code, method, path, body] of rows) {
    assertEquals(await store.code(method, path, { body }), code, body);
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
  assertEquals(await store.code("HEAD", "/new-box"), "404");
});

row("Q18 an expected owner is an account, and every account is the owner", async (store) => {
  await fill(store, ["a"]);
  const expect = (owner: string) => ({ headers: { "x-amz-expected-bucket-owner": owner } });
  await store.text("GET", "/box/a", 200, expect("123456789012"));
  assertEquals(
    await store.code("GET", "/box/a", expect("me")),
    "400 InvalidBucketOwnerAWSAccountID",
  );
});

row("Q31 an unknown checksum algorithm is refused wherever it is named", async (store) => {
  await fill(store, ["a"]);
  for (const field of ["x-amz-checksum-algorithm", "x-amz-sdk-checksum-algorithm"]) {
    for (const [method, path] of [["PUT", "/box/b"], ["POST", "/box/b?uploads"], ["GET", "/box"]]) {
      const body = method === "PUT" ? { body: "b" } : {};
      const response = await store.send(method!, path!, { ...body, headers: { [field]: "ROT13" } });
      const text = await response.text();
      assertEquals([response.status, pick(text, "Code")[0]], [400, "InvalidRequest"], path);
      assertStringIncludes(text, "CRC32, CRC32C, CRC64NVME, SHA1, SHA256");
    }
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
});

row("Q23 a presigned URL may have header fields in its query", async (store) => {
  const sign =
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a%2F20260101%2Fx%2Fs3%2Faws4_request" +
    "&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=0&x-id=PutObject";
  const put = (path: string, query: string, headers: Fields = {}) =>
    store.code("PUT", `${path}?${sign}&${query}`, { headers, body: "text" });
  const fields =
    "X-Amz-Meta-Colour=gr%C3%BCn&x-amz-acl=public-read&x-amz-storage-class=STANDARD_IA" +
    "&x-amz-server-side-encryption=AES256";
  assertEquals(await put("/box/a", fields), "200");
  const { headers } = await store.send("HEAD", "/box/a");
  assertEquals(
    ["x-amz-meta-colour", "x-amz-storage-class", "x-amz-server-side-encryption"].map((name) =>
      headers.get(name)
    ),
    ["grÃ¼n", "STANDARD_IA", "AES256"],
  );
  assertStringIncludes(await store.text("GET", "/box/a?acl", 200), "AllUsers");
  // The header field wins.
  assertEquals(await put("/box/a", "x-amz-meta-colour=a", { "x-amz-meta-colour": "b" }), "200");
  assertEquals((await store.send("HEAD", "/box/a")).headers.get("x-amz-meta-colour"), "b");
  // The checksum of an empty body, which the SDK for JavaScript puts in every URL; S3 ignores it.
  const checksum = "x-amz-checksum-crc32=AAAAAA%3D%3D&x-amz-sdk-checksum-algorithm=CRC32";
  assertEquals(await put("/box/a", checksum), "200");
  const query = "x-amz-tagging=kind%3Dblue";
  assertEquals(await put("/box/b", query), "501 NotImplemented");
  assertEquals(await put("/box/b", query, { "x-amz-tagging": "kind=blue" }), "200");
  assertEquals(await put("/box/c", "x-amz-unknown=1"), "501 NotImplemented");
  assertEquals(await put("/box/c", "x-amz-acl=everybody"), "400 InvalidArgument");
  assertEquals(await put("/box/c", "x-amz-meta-a=%00"), "400 InvalidArgument");
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a", "b"]);
});

row(
  "Q32 a length stated for framing is that of the body, with or without framing",
  async (store) => {
    const state = (length: string, body?: BodyInit) => ({
      headers: { "x-amz-decoded-content-length": length },
      ...(body === undefined ? {} : { body }),
    });
    const stream = () => new Blob(["Hello"]).stream();
    await fill(store, ["a"]);
    const part = `/box/m?partNumber=1&uploadId=${await begin(store, "/box/m")}`;
    const tags = "<Tagging><TagSet></TagSet></Tagging>";
    const cases: readonly (readonly [string, string, RequestInit])[] = [
      ["PUT", "/box/b", state("6", "Hello")],
      ["PUT", "/box/b", state("4", stream())],
      ["PUT", "/box/b", state("five", "Hello")],
      ["PUT", "/box/b", state("5", "")],
      ["PUT", "/box/b", state("99999", "x".repeat(100_000))],
      ["PUT", part, state("6", "Hello")],
      ["PUT", "/box/a?tagging", state("1", tags)],
      ["DELETE", "/box/a", state("1")],
      ["GET", "/box/a", state("1")],
    ];
    for (const [method, path, init] of cases) {
      const refused = await store.text(method, path, 400, init);
      assertEquals(pick(refused, "Code"), ["InvalidArgument"], `${method} ${path}`);
      assertStringIncludes(pick(refused, "Message")[0]!, "x-amz-decoded-content-length");
    }
    assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
    await store.text("PUT", "/box/b", 200, state("5", "Hello"));
    await store.text("PUT", "/box/b", 200, state("5", stream()));
    await store.text("PUT", "/box/b", 200, state("100000", "x".repeat(100_000)));
    await store.text("DELETE", "/box/b", 204, state("0"));
  },
);

row("Q25 an object that is put whole has no composite checksum", async (store) => {
  const put = (type: string) =>
    store.code("PUT", "/box/a", { headers: { "x-amz-checksum-type": type }, body: "a" });
  assertEquals(await put("COMPOSITE"), "400 InvalidRequest");
  assertEquals(await put("OTHER"), "400 InvalidArgument");
  assertEquals(await put("FULL_OBJECT"), "200");
});

row("Q24 metadata is refused where no object is made", async (store) => {
  await fill(store, ["a"]);
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
  const headers = { "x-amz-meta-colour": "blue" };
  for (const [method, path] of [["PUT", at], ["GET", "/box/a"], ["PUT", "/new-box"]] as const) {
    assertEquals(await store.code(method, path, { headers }), "400 InvalidArgument", path);
  }
});

row("B10 buckets are listed by their region", async (store) => {
  const place = "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint>" +
    "</CreateBucketConfiguration>";
  await store.text("PUT", "/there", 200, { body: place });
  const names = async (region: string) =>
    pick(await store.text("GET", `/?bucket-region=${region}`, 200), "Name");
  assertEquals(await names("eu-west-1"), ["there"]);
  assertEquals(await names("us-east-1"), ["box"]);
});

row("M12 an upload is aborted under the condition that it began at that second", async (store) => {
  const id = await begin(store, "/box/m");
  const listed = await store.text("GET", "/box?uploads", 200);
  const when = (time: string) => ({ headers: { "x-amz-if-match-initiated-time": time } });
  const at = `/box/m?uploadId=${id}`;
  const past = "Thu, 01 Jan 2015 00:00:00 GMT";
  assertEquals(await store.code("DELETE", at, when(past)), "412 PreconditionFailed");
  assertEquals(await store.code("DELETE", at, when("soon")), "400 InvalidArgument");
  const initiated = new Date(pick(listed, "Initiated")[0]!).toUTCString();
  await store.text("DELETE", at, 204, when(initiated));
});

row("M15 a repeated completion that asks for something else is refused", async (store) => {
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  const etag = await sendPart(store, `${at}&partNumber=1`, "x");
  const body = completion([[1, etag]]);
  const none = { "if-none-match": "*" };
  const complete = (headers: Readonly<Record<string, string>>, list = body) =>
    store.code("POST", at, { headers, body: list });
  const codes = await Promise.all([complete(none), complete(none)]);
  assertEquals(codes, ["200", "200"]);
  assertEquals(await complete({ "if-match": etag }), "412 PreconditionFailed");
  assertEquals(await complete({ "x-amz-mp-object-size": "2" }), "400 InvalidRequest");
  assertEquals(await complete({ "content-md5": "1B2M2Y8AsgTpgAmY7PhCfg==" }), "400 BadDigest");
  assertEquals(await complete({ "x-amz-checksum-crc32": "2H8+DA==" }), "400 InvalidRequest");
  const other = completion([[1, `"${"0".repeat(32)}"`]]);
  assertEquals(await complete({}, other), "400 InvalidPart");
  assertEquals(await complete({}, "<No/>"), "400 MalformedXML");
  await store.text("DELETE", "/box/m", 204);
  assertEquals(await complete({ "if-match": "*" }), "404 NoSuchKey");
  assertEquals(await complete(none), "200");
  assertEquals(await store.code("GET", "/box/m"), "404 NoSuchKey");
});
