import { assertEquals, assertStringIncludes } from "@std/assert";
import { startService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

/** Sends a request byte for byte: `fetch` would set Host and Origin itself. */
async function raw(port: number, head: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(head));
  return await new Response(connection.readable).text();
}

const cases: readonly [what: string, headers: (port: number) => string, status: number][] = [
  ["its own name", (port) => `Host: 127.0.0.1:${port}`, 200],
  ["localhost", (port) => `Host: localhost:${port}`, 200],
  ["an IPv6 address", (port) => `Host: [::1]:${port}`, 200],
  ["a name under localhost", () => "Host: standin.localhost", 200],
  ["a foreign name", () => "Host: evil.example", 403],
  ["a foreign name that begins like ours", () => "Host: localhost.evil.example", 403],
  ["its own origin", (port) => `Host: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}`, 200],
  ["a foreign origin", (port) => `Host: 127.0.0.1:${port}\r\nOrigin: http://evil.example`, 403],
  ["an opaque origin", (port) => `Host: 127.0.0.1:${port}\r\nOrigin: null`, 403],
  [
    "a picture in a mail's sandboxed frame",
    (port) =>
      `Host: 127.0.0.1:${port}\r\nOrigin: null\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image`,
    403,
  ],
  [
    "a picture on another site, which has no origin",
    (port) =>
      `Host: 127.0.0.1:${port}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image`,
    403,
  ],
  [
    "a link on another site",
    (port) =>
      `Host: 127.0.0.1:${port}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document`,
    403,
  ],
  [
    "the script of a service worker",
    (port) => `Host: 127.0.0.1:${port}\r\nSec-Fetch-Site: same-origin\r\nService-Worker: script`,
    403,
  ],
  [
    "data requested by a sandboxed frame",
    (port) =>
      `Host: 127.0.0.1:${port}\r\nOrigin: null\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty`,
    403,
  ],
  [
    "an origin of another port",
    (port) => `Host: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:1`,
    403,
  ],
];

for (const [what, headers, status] of cases) {
  Deno.test(`the API answers a request for ${what} with ${status}`, async () => {
    await using service = await startService({ plugins: [toy] });
    const { port } = service.api;
    const answer = await raw(
      port,
      `GET /api/v1/health HTTP/1.1\r\n${headers(port)}\r\nConnection: close\r\n\r\n`,
    );
    assertEquals(Number(answer.split(" ")[1]), status);
    assertEquals(service.rejected.count, status === 403 ? 1 : 0);
  });
}

Deno.test("a page of another site can delete nothing", async () => {
  await using service = await startService({ plugins: [toy] });
  await (await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body: "x" })).body
    ?.cancel();
  const answer = await raw(
    service.api.port,
    `DELETE /api/v1/events HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n`,
  );
  assertStringIncludes(answer, "403");
  assertEquals(service.events.count(), 1);
});

Deno.test("every page gets the shell with a strict policy, and unknown pages get 404", async () => {
  await using service = await startService({ plugins: [toy] });
  const get = async (path: string) => {
    const response = await fetch(`${service.ui.url}${path}`, { redirect: "manual" });
    await response.body?.cancel();
    return response;
  };
  for (const path of ["/ui/", "/ui/events/", "/ui/rejected/", "/ui/toy/"]) {
    const page = await get(path);
    assertEquals([path, page.status], [path, 200]);
    assertStringIncludes(page.headers.get("content-security-policy")!, "default-src 'none'");
    assertEquals(page.headers.get("x-content-type-options"), "nosniff");
  }
  for (const path of ["/ui/mail/", "/ui/events/000000000000000000000000", "/ui/nope"]) {
    assertEquals((await get(path)).status, 404, path);
  }
  assertEquals((await get("/")).headers.get("location"), "/ui/");
  assertEquals((await get("/ui/toy")).headers.get("location"), "/ui/toy/");
  assertEquals((await get("/ui/assets/nope.js")).status, 404);
  assertEquals((await get("/ui/assets/../../deno.json")).status, 404);
});
