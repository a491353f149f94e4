/** What S3 clients rely on: virtual-hosted buckets (H). */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { RawClient } from "../support/raw_http.ts";
import { pick, row, startStore, type Store } from "../support/s3.ts";

async function ask(store: Store, host: string, line: string, more = "", body = "") {
  using client = await RawClient.connect(store.service.endpoint("http").port);
  const length = `Content-Length: ${new TextEncoder().encode(body).length}\r\n`;
  await client.send(`${line} HTTP/1.1\r\nHost: ${host}\r\n${more}${length}\r\n${body}`);
  return await client.answer();
}

row(
  "H1 under a subdomain of the domain the path is the key, elsewhere it begins with the bucket",
  async (store) => {
    const own = "box.s3.example.test:9000";
    assertEquals((await ask(store, own, "PUT /a/b%20c", "", "Hello")).status, 200);
    assertEquals(await store.text("GET", "/box/a/b%20c", 200), "Hello");
    for (
      const [host, path, body] of [
        [own, "/a/b%20c", "Hello"],
        ["BOX.S3.Example.Test", "/a/b%20c", "Hello"],
        ["s3.example.test", "/box/a/b%20c", "Hello"],
        ["localhost", "/box/a/b%20c", "Hello"],
        ["xs3.example.test", "/box/a/b%20c", "Hello"],
      ] as const
    ) assertEquals((await ask(store, host, `GET ${path}`)).body, body, host);
    assertEquals(pick((await ask(store, own, "GET /")).body, "Key"), ["a/b c"]);
    assertEquals(pick((await ask(store, "s3.example.test", "GET /")).body, "Name"), ["box"]);
    assertEquals((await ask(store, "new.box.s3.example.test", "PUT /")).status, 200);
    assertEquals((await ask(store, own, "GET /?location")).status, 200);
    const gone = await ask(store, "none.s3.example.test", "GET /a");
    assertEquals(pick(gone.body, "Code"), ["NoSuchBucket"]);
    const buckets = pick(await store.text("GET", "/", 200), "Name");
    assertEquals(buckets, ["box", "new.box"]);
  },
  { domain: "s3.example.test" },
);

row(
  "H2 addresses in answers are those of the host, and its CORS rules are the bucket's",
  async (store) => {
    const own = "box.s3.example.test";
    const type = "Content-Type: multipart/form-data; boundary=x\r\n";
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = `${part("key", "f")}${part("success_action_status", "201")}${
      part("file", "x")
    }--x--`;
    const posted = await ask(store, own, "POST /", type, form);
    assertEquals(pick(posted.body, "Location"), [`http://${own}/f`]);
    const rules = "<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod>" +
      "<AllowedOrigin>https://app.example.com</AllowedOrigin></CORSRule></CORSConfiguration>";
    assertEquals((await ask(store, own, "PUT /?cors", "", rules)).status, 200);
    const page = await ask(store, own, "GET /f", "Origin: https://app.example.com\r\n");
    assertEquals([page.status, page.body], [200, "x"]);
    assertEquals((await ask(store, own, "GET /f", "Origin: https://evil.example\r\n")).status, 403);
    // A browser may open addresses under the domain, but not under another name that resolves to
    // this machine.
    const browser = "User-Agent: Mozilla/5.0\r\n";
    assertEquals((await ask(store, own, "GET /f", browser)).status, 200);
    assertEquals((await ask(store, "box.evil.example", "GET /f", browser)).status, 403);
    const foreign = `${browser}Sec-Fetch-Site: cross-site\r\n`;
    assertEquals((await ask(store, own, "GET /f", foreign)).status, 403);
  },
  { domain: "s3.example.test" },
);

Deno.test("an impossible domain is refused by name", async () => {
  for (
    const domain of ["S3.test", "http://s3.test", "s3.test:9000", ".s3.test", "127.0.0.1", "*"]
  ) {
    const error = await assertRejects(() => startStore({ domain }), ConfigError, domain);
    assertStringIncludes(error.message, "expected a domain");
  }
  await using store = await startStore();
  assertMatch((await ask(store, "box.s3.example.test", "GET /box")).body, /ListBucketResult/);
});
