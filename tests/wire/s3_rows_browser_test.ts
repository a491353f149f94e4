/** What S3 clients rely on: browser uploads with CORS rules (R) and forms (F). */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pick, row, startStore, type Store } from "../support/s3.ts";

const APP = "https://app.example.com";
const LOCAL = "http://localhost:5173";

const rule = (...parts: readonly string[]) => `<CORSRule>${parts.join("")}</CORSRule>`;
const element = (name: string) => (text: string): string => `<${name}>${text}</${name}>`;
const [allow, from, take, show] = [
  "AllowedMethod",
  "AllowedOrigin",
  "AllowedHeader",
  "ExposeHeader",
]
  .map(element) as [Element, Element, Element, Element];
type Element = (text: string) => string;

const cors = (...rules: readonly string[]) =>
  `<CORSConfiguration>${rules.join("")}</CORSConfiguration>`;

async function configure(store: Store, ...rules: readonly string[]): Promise<void> {
  await store.text("PUT", "/box?cors", 200, { body: cors(...rules) });
}

/** Status and, if the page is allowed, its headers. */
async function seen(
  store: Store,
  line: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [number, Readonly<Record<string, string>>]> {
  const [method = "", path = ""] = line.split(" ");
  const response = await store.send(method, path, { headers });
  await response.body?.cancel();
  const told = [...response.headers].filter(([name]) => name.startsWith("access-control-"));
  return [
    response.status,
    Object.fromEntries(told.map(([name, value]) => [name.slice("access-control-".length), value])),
  ];
}

const ask = (origin: string, method: string, names?: string) => ({
  origin,
  "access-control-request-method": method,
  ...(names === undefined ? {} : { "access-control-request-headers": names }),
});

row("R1 the first rule that fits a preflight answers it", async (store) => {
  await configure(
    store,
    rule(allow("PUT"), allow("POST"), from(APP), take("*"), show("ETag"), show("x-amz-id-2"))
      .replace("</CORSRule>", "<MaxAgeSeconds>3000</MaxAgeSeconds></CORSRule>"),
    rule(allow("GET"), from("https://*.example.org"), take("x-amz-*")),
    rule(allow("GET"), from("*")),
  );
  assertEquals(await seen(store, "OPTIONS /box/a", ask(APP, "PUT", "Content-Type, X-Amz-Acl")), [
    200,
    {
      "allow-origin": APP,
      "allow-credentials": "true",
      "allow-methods": "PUT, POST",
      "allow-headers": "content-type, x-amz-acl",
      "expose-headers": "ETag, x-amz-id-2",
      "max-age": "3000",
    },
  ]);
  const named = { "allow-credentials": "true", "allow-methods": "GET" };
  assertEquals(
    await seen(store, "OPTIONS /box", ask("https://a.example.org", "GET", "x-amz-date")),
    [
      200,
      { ...named, "allow-origin": "https://a.example.org", "allow-headers": "x-amz-date" },
    ],
  );
  const any = [200, { "allow-origin": "*", "allow-methods": "GET" }] as const;
  assertEquals(await seen(store, "OPTIONS /box/a", ask("null", "GET")), any);
  assertEquals(await seen(store, "OPTIONS /box/a", ask(LOCAL, "GET")), any);
  for (
    const headers of [
      ask(APP, "DELETE"),
      ask(LOCAL, "PUT"),
      ask("https://example.org", "GET", "x-amz-date"),
      ask("https://a.example.org", "GET", "range"),
      ask("https://app.example.com.evil.example", "PUT"),
    ]
  ) assertEquals(await seen(store, "OPTIONS /box/a", headers), [403, {}], JSON.stringify(headers));
});

row(
  "R2 every answer to a page that is let in says so, errors too; no other page is",
  async (store) => {
    await configure(store, rule(allow("GET"), from(APP), show("ETag")));
    const told = {
      "allow-origin": APP,
      "allow-credentials": "true",
      "allow-methods": "GET",
      "expose-headers": "ETag",
    };
    assertEquals(await seen(store, "GET /box", { origin: APP }), [200, told]);
    assertEquals(await seen(store, "GET /box/none", { origin: APP }), [404, told]);
    assertEquals(await seen(store, "PUT /box/a", { origin: APP }), [403, {}]);
    assertEquals(await seen(store, "GET /", { origin: APP }), [403, {}]);
    assertEquals(await seen(store, "GET /other", { origin: APP }), [403, {}]);
    // A page of this machine is served, but may not see the response.
    assertEquals(await seen(store, "GET /box", { origin: LOCAL }), [200, {}]);
    assertEquals((await store.send("HEAD", "/box")).headers.get("vary"), null);
    const answer = await store.send("GET", "/box", { headers: { origin: APP } });
    assertStringIncludes(answer.headers.get("vary")!, "Origin, Access-Control-Request-Headers");
    await answer.body?.cancel();
  },
);

row("R3 a page reads no other bucket by a copy into the one that lets it in", async (store) => {
  await store.text("PUT", "/other", 200);
  await store.text("PUT", "/other/secret", 200, { body: "secret" });
  await configure(store, rule(allow("PUT"), allow("GET"), from(APP), take("*")));
  const copy = (source: string) => ({ origin: APP, "x-amz-copy-source": source });
  assertEquals(await seen(store, "PUT /box/b", copy("other/secret")), [403, {}]);
  await store.text("PUT", "/box/a", 200, { body: "own" });
  assertEquals((await seen(store, "PUT /box/b", copy("box/a")))[0], 200);
});

row(
  "R4 without rules, pages of this machine are let in, others by --s3-cors-origins",
  async (store) => {
    for (const origin of [LOCAL, "http://127.0.0.1:3000", "http://[::1]:8080", APP]) {
      const [status, told] = await seen(
        store,
        "OPTIONS /box/a",
        ask(origin, "PUT", "content-type"),
      );
      assertEquals([status, told["allow-origin"], told["allow-headers"]], [
        200,
        origin,
        "content-type",
      ]);
      const put = await store.send("PUT", "/box/a", { body: "x", headers: { origin } });
      await put.body?.cancel();
      assertEquals([put.status, put.headers.get("access-control-allow-origin")], [200, origin]);
      assertMatch(put.headers.get("access-control-expose-headers")!, /\betag\b.*x-amz-request-id/);
    }
    assertEquals(await seen(store, "OPTIONS /box/a", ask("https://evil.example", "GET")), [
      403,
      {},
    ]);
    assertEquals(await seen(store, "GET /box", { origin: "null" }), [403, {}]);
  },
  { cors_origins: [APP] },
);

row("R5 rules are got back as they were put, and deleted", async (store) => {
  const missing = "404 NoSuchCORSConfiguration";
  assertEquals(await store.code("GET", "/box?cors"), missing);
  await store.text("DELETE", "/box?cors", 204);
  const parts = ["<ID>one</ID>", allow("GET"), from("*"), take("x-*"), show("ETag")];
  const put = rule(...parts, "<MaxAgeSeconds>5</MaxAgeSeconds>");
  await configure(store, put, put.replace("one", "two &amp; more"));
  const got = await store.text("GET", "/box?cors", 200);
  assertStringIncludes(got, `>${put}${put.replace("one", "two &amp; more")}</CORSConfiguration>`);
  await configure(store, rule(allow("PUT"), from(APP)));
  assertEquals(pick(await store.text("GET", "/box?cors", 200), "AllowedMethod"), ["PUT"]);
  await store.text("DELETE", "/box?cors", 204);
  assertEquals(await store.code("GET", "/box?cors"), missing);
  assertEquals(await store.code("GET", "/none?cors"), "404 NoSuchBucket");
});

row("R6 rules that S3 does not take change nothing", async (store) => {
  await configure(store, rule(allow("PUT"), from(APP)));
  const malformed = "400 MalformedXML";
  const request = "400 InvalidRequest";
  const good = [allow("GET"), from("*")];
  const cases: readonly (readonly [string, string])[] = [
    [malformed, ""],
    [malformed, "<CORS/>"],
    [malformed, cors()],
    [malformed, cors("<Rule/>")],
    [malformed, cors(rule(allow("GET")))],
    [malformed, cors(rule(from("*")))],
    [malformed, cors(rule(...good, "<AllowCredentials>true</AllowCredentials>"))],
    [malformed, cors(rule(...good, "<MaxAgeSeconds>soon</MaxAgeSeconds>"))],
    [malformed, cors(rule(...good, take("x".repeat(70_000))))],
    [request, cors(rule(allow("PATCH"), from("*")))],
    [request, cors(rule(allow("GET"), from("*.a.*")))],
    [request, cors(rule(...good, take("x-*-*")))],
    [request, cors(rule(...good, show("x-amz-*")))],
    [request, cors(...Array.from({ length: 101 }, () => rule(...good)))],
    ["400 InvalidArgument", cors(rule(...good, `<ID>${"x".repeat(256)}</ID>`))],
  ];
  for (const [code, body] of cases) {
    assertEquals(await store.code("PUT", "/box?cors", { body }), code, body.slice(0, 200));
  }
  assertEquals(pick(await store.text("GET", "/box?cors", 200), "AllowedMethod"), ["PUT"]);
});

/** Sends a form; the last of its fields is the file. */
function post(
  store: Store,
  fields: readonly (readonly [string, string | File])[],
  path = "/box",
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return store.send("POST", path, { body, redirect: "manual" });
}

async function codeOf(response: Response): Promise<string> {
  const text = await response.text();
  return `${response.status} ${pick(text, "Code")[0] ?? ""}`.trim();
}

const file = (text: string, name = "photo.txt") => ["file", new File([text], name)] as const;

row("F1 a form puts an object with what its fields say", async (store) => {
  const response = await post(store, [
    ["key", "up/${filename}"],
    ["acl", "public-read"],
    ["Content-Type", "text/plain"],
    ["Cache-Control", "max-age=60"],
    ["x-amz-meta-Name", "ü"],
    ["x-amz-meta-list", "one"],
    ["x-amz-meta-list", "two"],
    ["x-ignore-this", "anything"],
    file("Hello", "C:\\photos\\photo.txt"),
    ["success_action_status", "201"],
  ]);
  assertEquals([response.status, await response.text()], [204, ""]);
  assertMatch(response.headers.get("location")!, /\/box\/up\/photo\.txt$/);
  const got = await store.send("GET", "/box/up/photo.txt");
  assertEquals(await got.text(), "Hello");
  const { headers } = got;
  assertEquals(
    ["content-type", "cache-control", "x-amz-meta-list"].map((name) => headers.get(name)),
    ["text/plain", "max-age=60", "one,two"],
  );
  assertEquals(headers.get("etag"), response.headers.get("etag"));
  const [event] = store.service.events.list({ type: "s3.object.put" });
  const { acl, key, size } = event!.payload as Readonly<Record<string, unknown>>;
  assertEquals([acl, key, size], ["public-read", "up/photo.txt", 5]);
});

row("F2 a form says what it is answered with", async (store) => {
  const send = (name: string, value: string) =>
    post(store, [["key", "a b"], [name, value], file("x")]);
  for (const [value, status] of [["200", 200], ["204", 204], ["404", 204]] as const) {
    const answer = await send("success_action_status", value);
    assertEquals([answer.status, await answer.text()], [status, ""]);
  }
  const created = await send("success_action_status", "201");
  const text = await created.text();
  assertEquals(created.status, 201);
  assertEquals(["Bucket", "Key", "ETag"].map((name) => pick(text, name)[0]), [
    "box",
    "a b",
    "&quot;9dd4e461268c8034f5c8564e155c67a6&quot;",
  ]);
  assertMatch(pick(text, "Location")[0]!, /^http:.*\/box\/a%20b$/);
  for (const name of ["success_action_redirect", "redirect"]) {
    const there = await send(name, "https://app.example.com/done?x=1");
    await there.body?.cancel();
    assertEquals([there.status, there.headers.get("location")], [
      303,
      "https://app.example.com/done?x=1&bucket=box&key=a+b&etag=%229dd4e461268c8034f5c8564e155c67a6%22",
    ]);
  }
  for (const odd of ["not a url", "javascript:alert(1)"]) {
    assertEquals(await codeOf(await send("success_action_redirect", odd)), "204");
  }
});

const SIGNED: readonly (readonly [string, string])[] = [
  ["x-amz-algorithm", "AWS4-HMAC-SHA256"],
  ["x-amz-credential", "AKID/20260101/eu-west-1/s3/aws4_request"],
  ["x-amz-date", "20260101T000000Z"],
  ["x-amz-signature", "0".repeat(64)],
];

function signed(conditions: unknown, expiration = "2100-01-01T00:00:00Z") {
  const policy = btoa(JSON.stringify({ expiration, conditions }));
  return [...SIGNED, ["policy", policy]] as const;
}

const COVERED = SIGNED.slice(0, 3).map(([name, value]) => ({ [name]: value }));

row("F3 a policy is kept to, and a signature must look like one", async (store) => {
  const conditions = [
    { bucket: "box" },
    ["starts-with", "$key", "up/"],
    ["content-length-range", 2, 5],
    ...COVERED,
  ];
  const fields = signed(conditions);
  const key = ["key", "up/a"] as const;
  const send = async (...parts: readonly (readonly [string, string | File])[]) =>
    await codeOf(await post(store, parts));
  assertEquals(await send(key, ...fields, file("Hello")), "204");
  const { meta } = store.service.events.list({ type: "s3.object.put" })[0]!;
  assertEquals([meta.access_key, meta.region, meta.auth], ["AKID", "eu-west-1", "presigned"]);
  const denied = "403 AccessDenied";
  assertEquals(await send(["key", "down/a"], ...fields, file("Hello")), denied);
  assertEquals(await send(key, ["acl", "private"], ...fields, file("Hello")), denied);
  assertEquals(await send(key, ...signed(COVERED), file("Hello")), denied);
  const elsewhere = signed([{ bucket: "other" }, ...conditions.slice(1)]);
  assertEquals(await send(key, ["bucket", "other"], ...elsewhere, file("Hello")), denied);
  assertEquals(await send(key, ...signed(conditions, "2020-01-01T00:00:00Z"), file("x")), denied);
  assertEquals(await send(key, ...fields, file("Hello!")), "400 EntityTooLarge");
  assertEquals(await send(key, ...fields, file("H")), "400 EntityTooSmall");
  assertEquals(await send(key, ...signed("all"), file("Hello")), "400 InvalidPolicyDocument");
  for (const [index, [name]] of SIGNED.entries()) {
    const argument = "400 InvalidArgument";
    const bad = fields.map((field, at) => at === index ? [name, "bad"] as const : field);
    assertEquals(await send(key, ...bad, file("Hello")), argument, name);
    assertEquals(await send(key, ...bad.toSpliced(index, 1), file("Hello")), argument, name);
  }
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["up/a"]);
});

row("F4 a policy may be signed the old way, and cover fields that nobody knows", async (store) => {
  const policy = signed([{ bucket: "box" }, { key: "a" }, ["eq", "$utf8", "yes"]]).at(-1)!;
  const old = [["AWSAccessKeyId", "AKID"], ["signature", `${"a".repeat(27)}=`], policy] as const;
  assertEquals(
    await codeOf(await post(store, [["key", "a"], ["utf8", "yes"], ...old, file("x")])),
    "204",
  );
  assertEquals(store.service.events.list({ type: "s3.object.put" })[0]!.meta.access_key, "AKID");
  const wrong = [["AWSAccessKeyId", "AKID"], ["signature", "no"], policy] as const;
  const answer = await post(store, [["key", "a"], ["utf8", "yes"], ...wrong, file("x")]);
  assertEquals(await codeOf(answer), "400 InvalidArgument");
});

const TWO_CHECKSUMS = [
  ["x-amz-checksum-crc32", "jNwYMw=="],
  ["x-amz-checksum-sha1", "Et6pb+wgWTVmq3VpLJlJWWgzrck="],
] as const;

row("F5 a form that cannot be one, or asks for what is not here, puts nothing", async (store) => {
  const argument = "400 InvalidArgument";
  const key = ["key", "a"] as const;
  const cases: readonly (readonly [string, readonly (readonly [string, string | File])[]])[] = [
    [argument, [file("x")]],
    [argument, [["key", ""], file("x")]],
    // Nothing after the file is read.
    [argument, [file("x"), key]],
    ["400 MalformedPOSTRequest", [key]],
    [argument, [key, ["succes_action_status", "201"], file("x")]],
    [argument, [key, ["bucket", "other"], file("x")]],
    [argument, [key, ["acl", "public"], file("x")]],
    [argument, [["key", "k".repeat(1025)], file("x")]],
    [argument, [key, ["Content-Type", "a\r\nb"], file("x")]],
    ["400 MaxPostPreDataLengthExceeded", [key, ["x-amz-meta-a", "a".repeat(21_000)], file("x")]],
    ["400 InvalidDigest", [key, ["Content-MD5", "x"], file("x")]],
    ["400 BadDigest", [key, ["Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg=="], file("x")]],
    ["400 BadDigest", [key, ["x-amz-checksum-crc32", "AAAAAA=="], file("x")]],
    ["400 InvalidRequest", [key, ...TWO_CHECKSUMS, file("x")]],
    [argument, [key, ["x-amz-decoded-content-length", "1"], file("x")]],
    [argument, [key, ["x-amz-content-sha256", "0".repeat(64)], file("x")]],
    ["501 NotImplemented", [key, ["x-amz-storage-class", "GLACIER"], file("x")]],
    ["501 NotImplemented", [key, ["x-amz-unknown", "1"], file("x")]],
  ];
  for (const [code, fields] of cases) {
    const name = JSON.stringify(fields).slice(0, 100);
    assertEquals(await codeOf(await post(store, fields)), code, name);
  }
  const form = [key, file("x")] as const;
  assertEquals(await codeOf(await post(store, form, "/none")), "404 NoSuchBucket");
  assertEquals(await codeOf(await post(store, form, "/box/a")), "405 MethodNotAllowed");
  const send = (body: string, type: string, more: Readonly<Record<string, string>> = {}) =>
    store.code("POST", "/box", { body, headers: { "content-type": type, ...more } });
  assertEquals(await send("x", "multipart/form-data"), "400 MalformedPOSTRequest");
  assertEquals(await send("x", "multipart/form-data; boundary=x"), argument);
  const open = '--x\r\nContent-Disposition: form-data; name="key"\r\n\r\na\r\n--x\r\n' +
    'Content-Disposition: form-data; name="file"\r\n\r\nHel';
  assertEquals(await send(open, "multipart/form-data; boundary=x"), "400 IncompleteBody");
  const fields: readonly Readonly<Record<string, string>>[] = [
    { "x-amz-meta-a": "b" },
    { "content-md5": "1B2M2Y8AsgTpgAmY7PhCfg==" },
    { "x-amz-content-sha256": "0".repeat(64) },
    { "x-amz-decoded-content-length": "1" },
  ];
  for (const more of fields) {
    const answer = await send(`${open}\r\n--x--`, "multipart/form-data; boundary=x", more);
    assertEquals(answer, argument, JSON.stringify(more));
  }
  assertEquals(await store.text("GET", "/box", 200).then((text) => pick(text, "Key")), []);
  assertEquals(store.service.events.count(), 0);
  assertEquals((await store.service.getJson("/s3/buckets") as Stats).stats.bytes, 0);
});

interface Stats {
  readonly stats: { readonly bytes: number };
}

row("F6 a file of any size comes through a form, up to the largest object", async (store) => {
  const text = "0123456789\r\n--".repeat(400_000);
  const answer = await post(store, [["key", "large"], file(text)]);
  assertEquals(await codeOf(answer), "204");
  assertEquals(await store.text("GET", "/box/large", 200), text);
  assertEquals(
    await codeOf(await post(store, [["key", "more"], file(text.repeat(2))])),
    "400 EntityTooLarge",
  );
}, { max_object_bytes: 6_000_000 });

Deno.test("a page of another site that no rule or setting allows is refused, with a hint", async () => {
  await using store = await startStore();
  const headers = { origin: "https://evil.example" };
  const response = await store.send("POST", "/box", { headers, body: new FormData() });
  const text = await response.text();
  assertEquals([response.status, pick(text, "Code")], [403, ["AccessForbidden"]]);
  assertStringIncludes(text, "--s3-cors-origins");
  assertEquals(store.service.rejected.list().length, 1);
});
