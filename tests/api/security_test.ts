/** Limits for hostile pages, clients and captured text. `docs/security.md` names the test of each. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fc } from "../support/fast_check.ts";
import { gzipSync } from "node:zlib";
import { contentDisposition } from "../../core/http/disposition.ts";
import { files } from "../../plugins/files/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { s3 } from "../../plugins/s3/mod.ts";
import { fuzzed } from "../support/fuzz.ts";
import { RawClient } from "../support/raw_http.ts";
import { md5Of } from "../support/s3.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

/** Sends a request byte for byte: `fetch` would set Host, Origin and Sec-Fetch-* itself. Returns the status. */
async function ask(port: number, method: string, path: string, headers: string): Promise<number> {
  using client = await RawClient.connect(port);
  await client.send(`${method} ${path} HTTP/1.1\r\n${headers}Content-Length: 0\r\n\r\n`);
  // Only the head of a stream arrives.
  return (await client.answer()).status;
}

/** A route of every kind, and its response to allowed requests. */
const ROUTES: readonly (readonly [method: string, path: string, served: number])[] = [
  ["GET", "/api/v1/events", 200],
  ["DELETE", "/api/v1/events", 204],
  ["POST", "/api/v1/reset", 204],
  ["POST", "/api/v1/expect", 400],
  ["GET", "/api/v1/events/stream", 200],
  ["GET", "/ui/stream", 200],
  ["GET", "/ui/", 200],
  ["GET", "/ui/assets/app.js", 200],
  ["GET", "/metrics", 200],
];

const FETCHED = "Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n";
const FOREIGN: readonly (readonly [what: string, headers: string])[] = [
  ["a rebound name", "Host: evil.example\r\n"],
  ["a rebound name and its origin", "Host: a.evil\r\nOrigin: http://a.evil\r\n"],
  ["no name at all", "Host: \r\n"],
  ["another origin", "Host: localhost\r\nOrigin: https://evil.example\r\n"],
  ["an opaque origin", "Host: localhost\r\nOrigin: null\r\n"],
  ["our own origin, but with https", "Host: localhost\r\nOrigin: https://localhost\r\n"],
  ["another site", `Host: localhost\r\nSec-Fetch-Site: cross-site\r\n${FETCHED}`],
  ["another port of this machine", `Host: localhost\r\nSec-Fetch-Site: same-site\r\n${FETCHED}`],
  [
    "a frame on another site",
    "Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
  ],
  [
    "a script tag on another site",
    "Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n",
  ],
];
for (const [what, headers] of FOREIGN) {
  Deno.test(`every route of API, streams and UI refuses ${what}`, async () => {
    await using service = await startService({ plugins: [toy] });
    await capture(service);
    for (const [method, path] of ROUTES) {
      const status = await ask(service.api.port, method, path, headers);
      assertEquals([method, path, status], [method, path, 403]);
    }
    assertEquals(service.events.count(), 1);
    assertEquals(service.rejected.count, ROUTES.length);
    assertMatch(service.rejected.list()[0]!.reason, /^Cannot serve /);
  });
}

const OWN: readonly (readonly [what: string, headers: string])[] = [
  ["a program", "Host: localhost\r\n"],
  [
    "a page of ours",
    `Host: localhost\r\nOrigin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n${FETCHED}`,
  ],
  ["somebody who typed the address", "Host: localhost\r\nSec-Fetch-Site: none\r\n"],
];
for (const [what, headers] of OWN) {
  Deno.test(`every route of API, streams and UI serves ${what}`, async () => {
    await using service = await startService({ plugins: [toy] });
    for (const [method, path, served] of ROUTES) {
      const status = await ask(service.api.port, method, path, headers);
      assertEquals([method, path, status], [method, path, served]);
    }
    assertEquals(service.rejected.count, 0);
  });
}

Deno.test("a link on another site can open our pages, and nothing else", async () => {
  const link =
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
  const id = "0123456789abcdef01234567";
  const cases: readonly (readonly [method: string, path: string, status: number])[] = [
    ["GET", "/", 302],
    ["GET", "/ui", 302],
    ["GET", "/ui/", 200],
    ["GET", "/ui/events/", 200],
    ["GET", `/ui/events/?id=${id}`, 200],
    ["GET", `/ui/events/${id}`, 404],
    ["POST", "/ui/", 403],
    ["GET", "/ui/stream", 403],
    ["GET", "/ui/stream?namespace=a", 403],
    ["GET", "/ui/assets/app.js", 403],
    ["GET", "/metrics", 403],
    ["GET", "/api/v1/health", 403],
    ["GET", "/api/v1/events", 403],
    ["GET", `/api/v1/events/${id}`, 403],
    ["GET", "/api/v1/events/wait?text=1", 403],
    ["GET", "/nope", 403],
    ["POST", "/api/v1/reset", 403],
  ];
  await using service = await startService({ plugins: [toy] });
  for (const [method, path, status] of cases) {
    const answered = await ask(service.ui.port, method, path, `Host: localhost\r\n${link}`);
    assertEquals([method, path, answered], [method, path, status]);
  }
});

Deno.test("a link on another site cannot search: its query is dropped", async () => {
  await using service = await startService({ plugins: [toy] });
  using client = await RawClient.connect(service.ui.port);
  for (const query of ["search=1", "id=1", "id=0123456789abcdef01234567&search=1", "namespace=a"]) {
    await client.send(
      `GET /ui/events/?${query} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-site\r\n` +
        "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n",
    );
    const { status, head } = await client.answer();
    assertEquals([query, status], [query, 302]);
    assertStringIncludes(head.toLowerCase(), "\r\nlocation: /ui/events/\r\n");
  }
  assertEquals(service.rejected.count, 0);
});

Deno.test("without the token, API, streams, UI and metrics answer 401; health and readiness still answer", async () => {
  await using service = await startService({
    plugins: [toy],
    config: { api: { token: "sesame-42" } },
  });
  await capture(service);
  const basic = (password: string) => `Authorization: Basic ${btoa(`any:${password}`)}\r\n`;
  const cases: readonly (readonly [headers: string, known: boolean])[] = [
    ["", false],
    ["Authorization: Bearer sesame-4\r\n", false],
    ["Authorization: Bearer sesame-422\r\n", false],
    ["Authorization: sesame-42\r\n", false],
    ["Cookie: token=sesame-42\r\n", false],
    [basic("sesame"), false],
    ["Authorization: Bearer sesame-42\r\n", true],
    [basic("sesame-42"), true],
  ];
  for (const [headers, known] of cases) {
    for (const [method, path, served] of ROUTES.toReversed()) {
      const status = await ask(service.api.port, method, path, `Host: localhost\r\n${headers}`);
      assertEquals([headers, path, status], [
        headers,
        path,
        known || path.startsWith("/ui/assets/") ? served : 401,
      ]);
    }
  }
  for (const path of ["/api/v1/health", "/api/v1/ready"]) {
    assertEquals(await ask(service.api.port, "GET", path, "Host: localhost\r\n"), 200);
  }
});

Deno.test("a refusal for a missing token says how to send it", async () => {
  await using service = await startService({ plugins: [toy], config: { api: { token: "t" } } });
  const response = await fetch(`${service.api.url}/api/v1/events`);
  assertStringIncludes((await response.json()).error, "[api] token");
  assertMatch(response.headers.get("www-authenticate")!, /^Basic realm=/);
  assertEquals(service.rejected.count, 0);
  const wrong = await fetch(`${service.api.url}/api/v1/events`, {
    headers: { authorization: "Bearer wrong" },
  });
  assertStringIncludes((await wrong.json()).error, "with this token");
  assertEquals(service.rejected.list()[0]!.status, 401);
});

Deno.test("a token does not open the service to a page of another site", async () => {
  await using service = await startService({ plugins: [toy], config: { api: { token: "t" } } });
  const headers = "Host: localhost\r\nOrigin: http://evil.example\r\nAuthorization: Bearer t\r\n";
  assertEquals(await ask(service.api.port, "GET", "/api/v1/events", headers), 403);
});

Deno.test("every answer forbids other sites to embed, frame or cache it", async () => {
  await using service = await startService({
    plugins: [toy, mail],
    config: { api: { token: "t" } },
  });
  const sent = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    body: JSON.stringify({ from: "a@a.example", to: "b@b.example", subject: "s", html: "h" }),
  });
  await sent.body?.cancel();
  const id = service.events.list({})[0]!.id;
  const known = "Host: localhost\r\nAuthorization: Bearer t\r\n";
  const cases: readonly (readonly [request: string, headers: string, sandboxed: boolean])[] = [
    ["GET /", known, false],
    ["GET /ui/", known, false],
    ["GET /ui/assets/app.js", known, false],
    ["GET /ui/nope", known, false],
    ["POST /ui/", known, false],
    ["GET /ui/stream", known, false],
    ["GET /metrics", known, false],
    ["GET /api/v1/health", known, false],
    ["GET /api/v1/events", known, false],
    ["GET /api/v1/events/stream", known, false],
    ["GET /api/v1/nope", known, false],
    ["PUT /api/v1/events", known, false],
    ["GET /api/v1/events?nope=1", known, false],
    ["GET /api/v1/tls/ca.pem", known, false],
    [`GET /api/v1/mail/messages/${id}/raw`, known, true],
    [`GET /api/v1/mail/messages/${id}/html?cid=1`, known, true],
    [`DELETE /api/v1/events/${id}`, known, false],
    ["GET /ui/", "Host: localhost\r\n", false],
    ["GET /ui/", "Host: evil.example\r\n", false],
    ["GET /nope", "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n", false],
  ];
  for (const [request, headers, sandboxed] of cases) {
    using client = await RawClient.connect(service.ui.port);
    await client.send(`${request} HTTP/1.1\r\n${headers}Content-Length: 0\r\n\r\n`);
    const { head } = await client.answer();
    const field = (name: string) => new RegExp(`\r\n${name}: ([^\r]*)\r\n`, "i").exec(head)?.[1];
    assertEquals({
      request,
      type: field("x-content-type-options"),
      resource: field("cross-origin-resource-policy"),
      opener: field("cross-origin-opener-policy"),
      frame: field("x-frame-options"),
      referrer: field("referrer-policy"),
      policy: /(?:^sandbox; |^)default-src 'none'/.test(field("content-security-policy") ?? ""),
    }, {
      request,
      type: "nosniff",
      resource: "same-origin",
      opener: sandboxed ? undefined : "same-origin",
      frame: sandboxed ? "SAMEORIGIN" : "DENY",
      referrer: "no-referrer",
      policy: true,
    });
  }
});

Deno.test("pages allow only their own scripts, no text as markup, and no framing", async () => {
  await using service = await startService({ plugins: [toy] });
  for (const path of ["/ui/", "/ui/events/", "/ui/nope", "/ui/assets/app.js"]) {
    const response = await fetch(`${service.ui.url}${path}`);
    await response.body?.cancel();
    const policy = response.headers.get("content-security-policy")!.split("; ");
    for (
      const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]
    ) assert(policy.includes(rule), `${path}: ${rule}`);
    assertEquals(policy.join().includes("unsafe"), false);
    assertEquals(response.headers.get("cross-origin-opener-policy"), "same-origin");
    assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  }
});

Deno.test("no file name breaks out of a header or names a folder", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const value = contentDisposition("attachment", name);
      assertMatch(
        value,
        /^attachment(; filename="[^"\\/%]*"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?)?$/,
      );
      assertEquals(/[^\x20-\x7e]/.test(value), false);
      new Headers({ "content-disposition": value });
    }),
    fuzzed(),
  );
});

Deno.test("no path escapes the served files", async () => {
  await using service = await startService({ plugins: [files, s3] });
  const climbs = ["..", "%2e%2e", "%252e%252e", "..%2f..", "..%5c..", "%c0%ae%c0%ae", "....//"];
  const bases = [
    "/ui/assets",
    "/ui/events",
    "/api/v1/blobs",
    "/api/v1/files/tree",
    "/api/v1/s3/buckets",
  ];
  for (const base of bases) {
    for (const climb of climbs) {
      const up = Array(8).fill(climb).join("/");
      for (const path of [`${base}/${up}/etc/passwd`, `${base}/${up}/deno.json`]) {
        using client = await RawClient.connect(service.ui.port);
        await client.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        const answer = await client.rest();
        assertMatch(answer, /^HTTP\/1\.1 4\d\d /, path);
        assertEquals(/root:|nodeModulesDir/.test(answer), false, path);
      }
    }
  }
});

Deno.test("keys such as __proto__ in any input stay data", async () => {
  await using service = await startService();
  const evil =
    `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"from":"a@example.com",` +
    `"to":"b@example.com","subject":"s","text":"t","headers":{"__proto__":"1"},"channel":"C1",` +
    `"message":{"token":"x","data":{"__proto__":"1"}},"personalizations":[{"__proto__":{"polluted":1}}]}`;
  const paths = [
    "/emails",
    "/v3/mail/send",
    "/v3.1/send",
    "/api/chat.postMessage",
    "/services/T00000000/B00000000/XXXX",
    "/v1/projects/demo/messages:send",
    "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json",
  ];
  for (const path of paths) {
    for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
      const body = type === "application/json"
        ? evil
        : "__proto__=1&__proto__[polluted]=1&constructor[prototype][polluted]=1&To=1&Body=2";
      const response = await fetch(service.ingress.url + path, {
        method: "POST",
        headers: { "content-type": type, authorization: `Basic ${btoa("a:b")}` },
        body,
      });
      await response.body?.cancel();
      assert(response.status < 500, `${path}: ${response.status}`);
    }
  }
  await fetch(`${service.api.url}/api/v1/expect`, { method: "POST", body: evil })
    .then((response) => response.body?.cancel());
  for (const name of ["__proto__", "constructor", "hasOwnProperty"]) {
    await service.getJson(`/events?${name}=1`, 400);
  }
  assertEquals(Object.hasOwn(Object.prototype, "polluted"), false);
  assertEquals(service.log, []);
});

Deno.test("a decompression bomb is refused at the limit, however often it is nested", async () => {
  await using service = await startService({ config: { ingress: { max_body: 100_000 } } });
  let packed: Uint8Array<ArrayBuffer> = new Uint8Array(20_000_000);
  for (const codings of ["gzip", "gzip, gzip"]) {
    packed = new Uint8Array(gzipSync(packed));
    assert(packed.length < 100_000);
    const response = await fetch(`${service.ingress.url}/emails`, {
      method: "POST",
      headers: { "content-encoding": codings, "content-type": "application/json" },
      body: packed,
    });
    assertEquals(response.status, 413, await response.text());
  }
  assertEquals([service.events.count(), service.rejected.count], [0, 2]);
});

Deno.test("no XML entity is expanded or fetched", async () => {
  const config = { plugins: { s3: { providers: { http: { buckets: ["box"] } } } } };
  await using service = await startService({ plugins: [s3], config });
  await using canary = openCanary();
  const documents = [
    `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Delete><Object><Key>&x;</Key></Object></Delete>`,
    `<!DOCTYPE d [<!ENTITY x SYSTEM "${canary.url}">]><Delete><Object><Key>&x;</Key></Object></Delete>`,
    `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>` +
    `<Delete><Object><Key>&b;</Key></Object></Delete>`,
  ];
  for (const body of documents) {
    const response = await fetch(`${service.endpoint("http").url}/box?delete`, {
      method: "POST",
      headers: { "content-md5": md5Of(body) },
      body,
    });
    const answer = await response.text();
    assertEquals(response.status, 400, answer);
    assertStringIncludes(answer, "MalformedXML");
  }
  assertEquals(canary.calls(), 0);
});

Deno.test("no URL in captured data is ever fetched", async () => {
  await using service = await startService();
  await using canary = openCanary();
  const { url } = canary;
  const form = new URLSearchParams({
    To: "+15005550006",
    From: "+15005550006",
    Body: `Hello ${url}`,
    MediaUrl: url,
    StatusCallback: url,
  });
  const sent: readonly (readonly [path: string, body: string | URLSearchParams])[] = [
    ["/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json", form],
    [
      "/emails",
      JSON.stringify({
        from: "a@example.com",
        to: "b@example.com",
        subject: "s",
        html: `<img src="${url}"><link rel=stylesheet href="${url}"><a href="${url}">x</a>`,
        attachments: [{ filename: "a.txt", path: url }],
      }),
    ],
    [
      "/services/T00000000/B00000000/XXXX",
      JSON.stringify({
        text: url,
        blocks: [{ type: "image", image_url: url, alt_text: "x" }],
        attachments: [{ image_url: url, text: "x", fallback: "x" }],
      }),
    ],
    [
      "/v1/projects/demo/messages:send",
      JSON.stringify({
        message: {
          topic: "news",
          notification: { title: "t", body: url, image: url },
          webpush: { fcm_options: { link: "https://example.com" } },
        },
      }),
    ],
  ];
  for (const [path, body] of sent) {
    const response = await fetch(service.ingress.url + path, {
      method: "POST",
      headers: {
        authorization: path.startsWith("/2010") ? `Basic ${btoa("AC1:b")}` : "Bearer any",
        ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
      },
      body,
    });
    await response.body?.cancel();
  }
  assertEquals(service.events.count(), sent.length, JSON.stringify(service.rejected.list()));
  for (const { id, plugin } of service.events.list({})) {
    await service.getJson(`/events/${id}`);
    if (plugin !== "mail") continue;
    for (const part of ["html?images=1", "text", "raw"]) {
      const response = await fetch(`${service.api.url}/api/v1/mail/messages/${id}/${part}`);
      await response.body?.cancel();
    }
  }
  for (const has of ["code", "link", "token"]) await service.getJson(`/events?has=${has}`);
  assertEquals(canary.calls(), 0);
});

Deno.test("FTP opens data connections only to the client's own machine", async () => {
  await using service = await startService({ plugins: [files] });
  using client = await RawClient.connect(service.endpoint("ftp").port);
  const said: string[] = [];
  await client.send(
    "USER a\r\nPASS b\r\nPORT 192,0,2,1,0,80\r\nEPRT |1|192.0.2.1|80|\r\nQUIT\r\n",
  );
  said.push(...(await client.rest()).split("\r\n"));
  assertEquals(said.filter((line) => /^200 .*(PORT|EPRT)/.test(line)), []);
  assert(said.filter((line) => /^5\d\d /.test(line)).length >= 2, said.join("\n"));
});

async function capture(service: TestService): Promise<void> {
  const url = `${service.ingress.url}/toy/send`;
  await (await fetch(url, { method: "POST", body: "x" })).body?.cancel();
  assertEquals(service.events.count(), 1);
}

/** A local address that nobody should call. */
function openCanary(): AsyncDisposable & { readonly url: string; calls(): number } {
  let count = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    count++;
    return new Response("called");
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/canary.png`,
    calls: () => count,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
