/** What S3 clients rely on: settings of a bucket, and responses without any (G). */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { pick, row } from "../support/s3.ts";

const MISSING: Readonly<Record<string, string>> = {
  "cors": "NoSuchCORSConfiguration",
  "encryption": "ServerSideEncryptionConfigurationNotFoundError",
  "lifecycle": "NoSuchLifecycleConfiguration",
  "object-lock": "ObjectLockConfigurationNotFoundError",
  "ownershipControls": "OwnershipControlsNotFoundError",
  "policy": "NoSuchBucketPolicy",
  "publicAccessBlock": "NoSuchPublicAccessBlockConfiguration",
  "replication": "ReplicationConfigurationNotFoundError",
  "tagging": "NoSuchTagSet",
  "website": "NoSuchWebsiteConfiguration",
};

const EMPTY: Readonly<Record<string, string>> = {
  accelerate: "AccelerateConfiguration",
  logging: "BucketLoggingStatus",
  notification: "NotificationConfiguration",
};

row("G1 what is not configured has its own 404, or what S3 has by itself", async (store) => {
  for (const [name, code] of Object.entries(MISSING)) {
    assertEquals(await store.code("GET", `/box?${name}`), `404 ${code}`, name);
    assertEquals(await store.code("GET", `/none?${name}`), "404 NoSuchBucket", name);
  }
  for (const [name, root] of Object.entries(EMPTY)) {
    const text = await store.text("GET", `/box?${name}`, 200);
    assertStringIncludes(text.split("\n")[1]!, `<${root} xmlns=`);
    assertStringIncludes(text, `></${root}>`);
    assertEquals(await store.code("GET", `/none?${name}`), "404 NoSuchBucket", name);
  }
  const payer = await store.text("GET", "/box?requestPayment", 200);
  assertEquals(pick(payer, "Payer"), ["BucketOwner"]);
  assertEquals(pick(await store.text("GET", "/box?policyStatus", 200), "IsPublic"), ["false"]);
});

const rule = (text: string) => `<Rule>${text}</Rule>`;
const lifecycle = (...rules: readonly string[]) =>
  `<LifecycleConfiguration>${rules.map(rule).join("")}</LifecycleConfiguration>`;
const ON = "<Filter></Filter><Status>Enabled</Status>";
const DAYS = "<Expiration><Days>1</Days></Expiration>";

const MARKER = "<ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker>";

const TAGGED = "<Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And>" +
  "</Filter><Status>Enabled</Status>";
const SIZED = "<Filter><ObjectSizeLessThan>5</ObjectSizeLessThan></Filter><Status>Enabled</Status>";
const BOTH = "<Filter><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></Filter>" +
  "<Status>Enabled</Status>";

const encryption = (algorithm: string, more = "") =>
  `<ServerSideEncryptionConfiguration>${
    rule(
      "<ApplyServerSideEncryptionByDefault>" +
        `<SSEAlgorithm>${algorithm}</SSEAlgorithm>${more}</ApplyServerSideEncryptionByDefault>`,
    )
  }</ServerSideEncryptionConfiguration>`;
const notification = (arn: string, event: string, more = "") =>
  `<NotificationConfiguration><QueueConfiguration><Id>one</Id><Queue>${arn}</Queue>` +
  `<Event>${event}</Event>${more}</QueueConfiguration></NotificationConfiguration>`;
const QUEUE = "arn:aws:sqs:us-east-1:123456789012:uploads";
const FILTER = "<Filter><S3Key><FilterRule><Name>prefix</Name><Value>a/</Value></FilterRule>" +
  "</S3Key></Filter>";
const ownership = (word: string) =>
  `<OwnershipControls>${rule(`<ObjectOwnership>${word}</ObjectOwnership>`)}</OwnershipControls>`;
const block = (word: string) =>
  `<PublicAccessBlockConfiguration><BlockPublicAcls>${word}</BlockPublicAcls>` +
  "</PublicAccessBlockConfiguration>";
const website = (text: string) => `<WebsiteConfiguration>${text}</WebsiteConfiguration>`;
const INDEX = "<IndexDocument><Suffix>index.html</Suffix></IndexDocument>";
const REDIRECT = "<RedirectAllRequestsTo><HostName>a.example</HostName></RedirectAllRequestsTo>";

const TWO_KEYS = "<RoutingRule><Redirect><ReplaceKeyWith>a</ReplaceKeyWith>" +
  "<ReplaceKeyPrefixWith>b</ReplaceKeyPrefixWith></Redirect></RoutingRule>";
const accelerate = (word: string) =>
  `<AccelerateConfiguration><Status>${word}</Status></AccelerateConfiguration>`;
const payer = (word: string) =>
  `<RequestPaymentConfiguration><Payer>${word}</Payer></RequestPaymentConfiguration>`;
const logging = (text: string) =>
  `<BucketLoggingStatus><LoggingEnabled>${text}</LoggingEnabled></BucketLoggingStatus>`;
const replication = (status: string) =>
  "<ReplicationConfiguration><Role>arn:aws:iam::123456789012:role/r</Role>" +
  `${
    rule(
      `<ID>a</ID><Priority>1</Priority><Filter><Prefix>a/</Prefix></Filter><Status>${status}</Status>` +
        "<DeleteMarkerReplication><Status>Disabled</Status></DeleteMarkerReplication>" +
        "<Destination><Bucket>arn:aws:s3:::other</Bucket></Destination>",
    )
  }</ReplicationConfiguration>`;

const GOOD: Readonly<Record<string, readonly string[]>> = {
  accelerate: [accelerate("Enabled"), accelerate("Suspended")],
  encryption: [
    encryption("AES256"),
    encryption("aws:kms"),
    encryption("aws:kms", "<KMSMasterKeyID>k</KMSMasterKeyID>"),
  ],
  logging: [logging("<TargetBucket>box</TargetBucket><TargetPrefix>a</TargetPrefix>")],
  requestPayment: [payer("Requester")],
  lifecycle: [
    lifecycle(
      `<ID>a</ID>${ON}${DAYS}<Transition><Days>0</Days><StorageClass>GLACIER</StorageClass></Transition>`,
      "<ID>b</ID><Filter><And><Prefix>a/</Prefix><Tag><Key>k</Key><Value>v</Value></Tag>" +
        "<ObjectSizeGreaterThan>5</ObjectSizeGreaterThan></And></Filter><Status>Disabled</Status>" +
        "<Expiration><Date>2030-01-01T00:00:00Z</Date></Expiration>",
      "<ID>c</ID><Prefix>x</Prefix><Status>Enabled</Status><AbortIncompleteMultipartUpload>" +
        "<DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
    ),
  ],
  notification: [notification(QUEUE, "s3:ObjectCreated:*", FILTER)],
  ownershipControls: [ownership("BucketOwnerEnforced")],
  publicAccessBlock: [block("true")],
  website: [website(INDEX), website(REDIRECT)],
};

row("G2 what is configured is got back as it was put, and deleted", async (store) => {
  for (const [name, documents] of Object.entries(GOOD)) {
    for (const body of documents) {
      await store.text("PUT", `/box?${name}`, 200, { body });
      const inner = body.slice(body.indexOf(">") + 1);
      assertStringIncludes(await store.text("GET", `/box?${name}`, 200), `">${inner}`, name);
    }
    if (name === "notification") {
      await store.text("PUT", "/box?notification", 200, { body: "<NotificationConfiguration/>" });
      const text = await store.text("GET", "/box?notification", 200);
      assertEquals(pick(text, "Queue"), []);
    }
    if (!(name in MISSING)) {
      assertEquals(await store.code("DELETE", `/box?${name}`), "405 MethodNotAllowed");
      continue;
    }
    await store.text("DELETE", `/box?${name}`, 204);
    assertEquals(await store.code("GET", `/box?${name}`), `404 ${MISSING[name]}`);
  }
});

row("G7 a lifecycle rule without an ID gets one, and keeps it", async (store) => {
  const body = lifecycle(`<ID>own</ID>${ON}${DAYS}`, `${ON}${DAYS}`, `<ID/>${ON}${DAYS}`);
  await store.text("PUT", "/box?lifecycle", 200, { body });
  const ids = pick(await store.text("GET", "/box?lifecycle", 200), "ID");
  assertEquals([ids.length, ids[0], new Set(ids).size, ids.includes("")], [3, "own", 3, false]);
  assertEquals(pick(await store.text("GET", "/box?lifecycle", 200), "ID"), ids);
});

row("G8 answers name the expiry of an object and its lifecycle rule", async (store) => {
  const days = (count: number) => `<Expiration><Days>${count}</Days></Expiration>`;
  const on = (prefix: string) =>
    `<Filter><Prefix>${prefix}</Prefix></Filter><Status>Enabled</Status>`;
  const body = lifecycle(
    `<ID>late</ID>${on("a")}${days(9)}`,
    `<ID>soon &amp; sure</ID>${on("a/")}${days(2)}`,
    `<ID>off</ID>${on("").replace("Enabled", "Disabled")}${DAYS}`,
  );
  await store.text("PUT", "/box?lifecycle", 200, { body });
  const told = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await store.send(method, path, init);
    await response.body?.cancel();
    return response.headers.get("x-amz-expiration");
  };
  const put = await told("PUT", "/box/a/b", { body: "x" });
  const [, date, rule] = /^expiry-date="(.+ 00:00:00 GMT)", rule-id="(.+)"$/.exec(put ?? "")!;
  assertEquals(rule, "soon%20%26%20sure");
  const modified = Date.parse((await store.send("HEAD", "/box/a/b")).headers.get("last-modified")!);
  const ahead = (Date.parse(date!) - modified) / 86_400_000;
  assertEquals([ahead >= 2, ahead <= 3], [true, true], put!);
  for (const method of ["GET", "HEAD"]) assertEquals(await told(method, "/box/a/b"), put);
  const copy = { headers: { "x-amz-copy-source": "box/a/b" } };
  assertStringIncludes((await told("PUT", "/box/a", copy))!, 'rule-id="late"');
  assertEquals(await told("PUT", "/box/b", copy), null);
  assertEquals(await told("GET", "/box/b"), null);
});

row("G9 what is stored beside the elements of a document is got back, too", async (store) => {
  const name = "x-amz-transition-default-minimum-object-size";
  const put = async (headers: Readonly<Record<string, string>>) => {
    const body = lifecycle(`<ID>a</ID>${ON}${DAYS}`);
    const told = await store.send("PUT", "/box?lifecycle", { body, headers });
    assertEquals([told.status, await told.text()], [200, ""]);
    const got = await store.send("GET", "/box?lifecycle");
    await got.body?.cancel();
    return [told.headers.get(name), got.headers.get(name)];
  };
  const [usual, other] = ["all_storage_classes_128K", "varies_by_storage_class"];
  assertEquals(await put({}), [usual, usual]);
  assertEquals(await put({ [name]: other }), [other, other]);
  const init = { body: lifecycle(`${ON}${DAYS}`), headers: { [name]: "none" } };
  assertEquals(await store.code("PUT", "/box?lifecycle", init), "501 NotImplemented");

  const grant = (type: string) =>
    "<TargetBucket>box</TargetBucket><TargetGrants><Grant>" +
    `<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="${type}">` +
    "<URI>u</URI></Grantee><Permission>READ</Permission></Grant></TargetGrants><TargetPrefix/>";
  await store.text("PUT", "/box?logging", 200, { body: logging(grant("Group")) });
  assertStringIncludes(await store.text("GET", "/box?logging", 200), ' xsi:type="Group"><URI>u');
  const body = logging(grant("Everybody"));
  assertEquals(await store.code("PUT", "/box?logging", { body }), "400 MalformedXML");
});

row(
  "G10 text beside elements, elements in a text and a second element are refused",
  async (store) => {
    await store.text("PUT", "/box/a", 200, { body: "a" });
    const begun = await store.text("POST", "/box/m?uploads", 200);
    const upload = `/box/m?uploadId=${pick(begun, "UploadId")}`;
    const cors = (more: string) =>
      "<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin>" +
      `<AllowedMethod>GET</AllowedMethod>${more}</CORSRule></CORSConfiguration>`;
    const tags = (more: string) =>
      `<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value>${more}</Tag></TagSet></Tagging>`;
    const keys = (more: string) => `<Delete><Object><Key>a</Key>${more}</Object></Delete>`;
    const parts = (more: string) =>
      `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber>${more}</Part></CompleteMultipartUpload>`;
    const cases: readonly (readonly [string, string, string])[] = [
      ["PUT", "/new-box", "<CreateBucketConfiguration>eu-west-1</CreateBucketConfiguration>"],
      [
        "PUT",
        "/box?cors",
        cors("<MaxAgeSeconds>1</MaxAgeSeconds><MaxAgeSeconds>2</MaxAgeSeconds>"),
      ],
      ["PUT", "/box?cors", cors("<ExposeHeader>a<b/></ExposeHeader>")],
      ["PUT", "/box?cors", cors("stray")],
      ["PUT", "/box?lifecycle", lifecycle(`<ID>a</ID>${ON}${DAYS}stray`)],
      ["PUT", "/box/a?tagging", tags("<Value>w</Value>")],
      ["PUT", "/box/a?tagging", tags("stray")],
      ["PUT", "/box?tagging", "<Tagging><TagSet/><TagSet/></Tagging>"],
      ["POST", "/box?delete", keys("<Key>b</Key>")],
      ["POST", "/box?delete", keys("<VersionId>null<x/></VersionId>")],
      ["POST", upload, parts("<ETag>x</ETag><ETag>y</ETag>")],
      ["PUT", "/box?versioning", "<VersioningConfiguration>Enabled</VersioningConfiguration>"],
    ];
    for (const [method, path, body] of cases) {
      assertEquals(await store.code(method, path, { body }), "400 MalformedXML", body);
    }
    assertEquals(await store.code("HEAD", "/new-box"), "404");
    assertEquals(await store.text("GET", "/box/a", 200), "a");
  },
);

row("G3 a document that S3 does not take changes nothing", async (store) => {
  const malformed = "400 MalformedXML";
  const argument = "400 InvalidArgument";
  const request = "400 InvalidRequest";
  const abort = "<AbortIncompleteMultipartUpload></AbortIncompleteMultipartUpload>";
  const due = abort.replace("><", "><DaysAfterInitiation>1</DaysAfterInitiation><");
  const keep = "<NoncurrentVersionExpiration><NewerNoncurrentVersions>1" +
    "</NewerNoncurrentVersions></NoncurrentVersionExpiration>";
  const at = (date: string) => `<Expiration><Date>${date}</Date></Expiration>`;
  const cases: readonly (readonly [string, string, string])[] = [
    ["lifecycle", malformed, ""],
    ["lifecycle", malformed, "<Lifecycle/>"],
    ["lifecycle", malformed, lifecycle()],
    ["lifecycle", malformed, lifecycle(DAYS)],
    ["lifecycle", malformed, lifecycle(`<Status>Enabled</Status>${DAYS}`)],
    ["lifecycle", malformed, lifecycle(`<Prefix>a</Prefix>${ON}${DAYS}`)],
    ["lifecycle", malformed, lifecycle(`${ON.replace("Enabled", "On")}${DAYS}`)],
    ["lifecycle", malformed, lifecycle(`${ON}${DAYS}${DAYS}`)],
    ["lifecycle", malformed, lifecycle(`${ON}${abort}`)],
    ["lifecycle", malformed, lifecycle(`${ON}${DAYS}<Restore/>`)],
    ["lifecycle", malformed, lifecycle(`${ON}<Expiration><Days>soon</Days></Expiration>`)],
    [
      "lifecycle",
      malformed,
      lifecycle(`${ON}${DAYS.replace("</E", "<Date>2030-01-01</Date></E")}`),
    ],
    ["lifecycle", malformed, lifecycle(`${BOTH}${DAYS}`)],
    ["lifecycle", "400 InvalidRequest", lifecycle(ON)],
    ["lifecycle", argument, lifecycle(`${ON}${DAYS.replace("1", "0")}`)],
    ["lifecycle", argument, lifecycle(`${ON}${at("2030-01-01T12:00:00Z")}`)],
    ["lifecycle", argument, lifecycle(`${ON}${at("someday")}`)],
    ["lifecycle", argument, lifecycle(`<ID>a</ID>${ON}${DAYS}`, `<ID>a</ID>${ON}${DAYS}`)],
    ["lifecycle", argument, lifecycle(`<ID>${"x".repeat(256)}</ID>${ON}${DAYS}`)],
    ["lifecycle", malformed, lifecycle(`${ON}<Expiration/>`)],
    ["lifecycle", malformed, lifecycle(`${ON}${DAYS.replace("</E", `${MARKER}</E`)}`)],
    ["lifecycle", malformed, lifecycle(`${ON}${keep}`)],
    // An upload has neither tags nor a size, a delete marker has no tags.
    ["lifecycle", request, lifecycle(`${TAGGED}${due}`)],
    ["lifecycle", request, lifecycle(`${SIZED}${due}`)],
    ["lifecycle", request, lifecycle(`${TAGGED}<Expiration>${MARKER}</Expiration>`)],
    ["accelerate", malformed, accelerate("On")],
    ["accelerate", malformed, "<AccelerateConfiguration/>"],
    ["logging", malformed, logging("<TargetBucket>box</TargetBucket>")],
    [
      "logging",
      "400 InvalidTargetBucketForLogging",
      logging("<TargetBucket>none</TargetBucket><TargetPrefix/>"),
    ],
    ["requestPayment", malformed, payer("Nobody")],
    ["replication", malformed, replication("Maybe")],
    // The bucket has no versions.
    ["replication", "400 InvalidRequest", replication("Enabled")],
    ["encryption", malformed, encryption("rot13")],
    ["encryption", argument, encryption("AES256", "<KMSMasterKeyID>k</KMSMasterKeyID>")],
    ["encryption", malformed, "<ServerSideEncryptionConfiguration/>"],
    ["notification", malformed, notification("queue", "s3:ObjectCreated:*")],
    ["notification", malformed, notification(QUEUE, "s3:ObjectRead")],
    ["notification", malformed, notification(QUEUE, "s3:ObjectCreated:*", "<More/>")],
    ["ownershipControls", malformed, ownership("Nobody")],
    ["publicAccessBlock", malformed, block("maybe")],
    ["website", argument, website("<ErrorDocument><Key>e</Key></ErrorDocument>")],
    ["website", argument, website(`${INDEX}${REDIRECT}`)],
    ["website", malformed, website(INDEX.replace("index.html", "a/b"))],
    ["website", request, website(`${INDEX}<RoutingRules>${TWO_KEYS}</RoutingRules>`)],
  ];
  for (const [name, code, body] of cases) {
    assertEquals(await store.code("PUT", `/box?${name}`, { body }), code, `${name} ${body}`);
  }
  for (const name of new Set(cases.map(([name]) => name))) {
    if (!(name in MISSING)) continue;
    assertEquals(await store.code("GET", `/box?${name}`), `404 ${MISSING[name]}`);
  }
});

row(
  "G4 a policy is got back to the letter, told public or not, and never enforced",
  async (store) => {
    const statement = {
      Effect: "Allow",
      Principal: "*" as unknown,
      Action: "s3:GetObject" as unknown,
      Resource: "arn:aws:s3:::box/*" as unknown,
    };
    const policy = (more: object = {}, outer: object = {}) =>
      JSON.stringify({ Version: "2012-10-17", Statement: [{ ...statement, ...more }], ...outer });
    const isPublic = async () =>
      pick(await store.text("GET", "/box?policyStatus", 200), "IsPublic")[0];
    const deny = policy({ Effect: "Deny", Action: "s3:*", Resource: "arn:aws:s3:::*" });
    const cases: readonly (readonly [string, string])[] = [
      [`  ${policy()}\n`, "true"],
      [policy({ Principal: { AWS: ["*"] } }), "true"],
      [policy({ Principal: { AWS: "arn:aws:iam::123456789012:root" } }), "false"],
      [policy({ Condition: { IpAddress: { "aws:SourceIp": "10.0.0.0/8" } } }), "false"],
      [deny, "false"],
    ];
    for (const [body, told] of cases) {
      await store.text("PUT", "/box?policy", 204, { body });
      assertEquals([await store.text("GET", "/box?policy", 200), await isPublic()], [body, told]);
    }
    await store.text("PUT", "/box/a", 200, { body: "x" });
    const bad = [
      "",
      "x",
      "[]",
      "{}",
      policy({}, { Statement: [] }),
      policy({}, { Version: "2020-01-01" }),
      policy({}, { Other: 1 }),
      policy({ Effect: "Maybe" }),
      policy({ Principal: undefined }),
      policy({ NotPrincipal: { AWS: "*" } }),
      policy({ NotAction: "s3:PutObject" }),
      policy({ NotResource: "arn:aws:s3:::box/a" }),
      policy({ Action: undefined }),
      policy({ Action: "ec2:RunInstances" }),
      policy({ Resource: undefined }),
      policy({ Resource: "arn:aws:s3:::other/*" }),
      policy({ Ressource: "*" }),
      policy({}, { Id: "x".repeat(21_000) }),
    ];
    for (const body of bad) {
      assertEquals(await store.code("PUT", "/box?policy", { body }), "400 MalformedPolicy", body);
    }
    assertEquals(await store.text("GET", "/box?policy", 200), deny);
    await store.text("DELETE", "/box?policy", 204);
    assertEquals(await store.code("GET", "/box?policy"), "404 NoSuchBucketPolicy");
  },
);

row(
  "G6 a replication is kept for a bucket with versions, and nothing is replicated",
  async (store) => {
    const body = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
    await store.text("PUT", "/box?versioning", 200, { body });
    await store.text("PUT", "/other", 200);
    await store.text("PUT", "/box?replication", 200, { body: replication("Enabled") });
    assertEquals(pick(await store.text("GET", "/box?replication", 200), "Priority"), ["1"]);
    await store.text("PUT", "/box/a/b", 200, { body: "x" });
    assertEquals(pick(await store.text("GET", "/other", 200), "Key"), []);
    await store.text("DELETE", "/box?replication", 204);
    assertEquals(await store.code("GET", "/box?replication"), `404 ${MISSING.replication}`);
  },
);

row("G5 a bucket keeps the ownership that it is made with", async (store) => {
  const headers = { "x-amz-object-ownership": "ObjectWriter" };
  await store.text("PUT", "/new-box", 200, { headers });
  const text = await store.text("GET", "/new-box?ownershipControls", 200);
  assertEquals(pick(text, "ObjectOwnership"), ["ObjectWriter"]);
});
