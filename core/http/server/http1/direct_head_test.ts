import { assertEquals } from "@std/assert";
import { readPlainHead } from "./direct_head.ts";

function read(text: string, maxBytes = 65_536) {
  return readPlainHead(Uint8Array.from(text, (char) => char.charCodeAt(0)), maxBytes);
}

const PUT = "PUT /a/../b?x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n";

Deno.test("a plain head is read, whatever comes behind it", () => {
  const found = read(`${PUT}abc\r\n\r\n\xff`);
  assertEquals([found?.body, found?.bytes], [3, PUT.length]);
  assertEquals([found?.head.method, found?.head.target], ["PUT", "/a/../b?x"]);
  assertEquals(found?.head.headers, [["Host", "h"], ["Content-Length", "3"]]);
  assertEquals(read("GET / HTTP/1.1\r\nHost: h\r\n\r\n")?.body, 0);
  assertEquals(read("OPTIONS / HTTP/1.1\r\nHost: h\r\n\r\n")?.body, 0);
});

const OTHERS: Readonly<Record<string, string>> = {
  "that has not ended": PUT.slice(0, -1),
  "behind an empty line": `\r\n${PUT}`,
  "of HTTP/1.0": "GET / HTTP/1.0\r\n\r\n",
  "with a bare line feed": "GET / HTTP/1.1\nHost: h\r\n\r\n",
  "that ends in bare line feeds": "GET / HTTP/1.1\r\nHost: h\n\n\r\n\r\n",
  "beyond ASCII": "GET /\xe4 HTTP/1.1\r\nHost: h\r\n\r\n",
  "with a target to be encoded": "GET /a|b HTTP/1.1\r\nHost: h\r\n\r\n",
  "with an address as its target": "GET http://h/a HTTP/1.1\r\nHost: h\r\n\r\n",
  "about the server": "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
  "with an upgrade": "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
  "of a body in chunks": "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
  "of a GET with a body": "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx",
  "of a tunnel": "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n",
  "of a TRACE": "TRACE / HTTP/1.1\r\nHost: h\r\n\r\n",
  "with two lengths":
    "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
  "of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "of nothing like HTTP": "\x16\x03\x01\r\n\r\n",
};
for (const [what, text] of Object.entries(OTHERS)) {
  Deno.test(`a head ${what} is left to the front`, () => {
    assertEquals(read(text), undefined);
  });
}

Deno.test("a head that is longer than allowed is left to the front", () => {
  assertEquals(read(PUT, PUT.length)?.body, 3);
  assertEquals(read(PUT, PUT.length - 1), undefined);
});
