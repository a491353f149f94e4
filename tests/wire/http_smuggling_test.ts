/**
 * Requests that two servers could read in two ways, so that one of them smuggles a request past the first
 * (RFC 9112 sections 2.2, 5, 6.3, 7.1 and 11.2): each is refused and ends its connection, or has exactly one meaning.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openFront, openHeldFront, RawClient } from "../support/raw_http.ts";

const HOST = "Host: h\r\n";
const FINE = `GET /fine HTTP/1.1\r\n${HOST}\r\n`;
const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`;

/** A POST with these fields before the smuggled request. */
function post(fields: string, body = ""): string {
  return `POST /outer HTTP/1.1\r\n${HOST}${fields}\r\n${body}${SMUGGLED}`;
}

function chunked(body: string): string {
  return post("Transfer-Encoding: chunked\r\n", body);
}

/** Requests after which nothing on the connection may be parsed as another request. */
const REFUSED: Readonly<Record<string, string>> = {
  "a length before a coding": post(
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "0\r\n\r\n",
  ),
  "a coding before a length": post(
    "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    "0\r\n\r\n",
  ),
  "a length of 0 beside a coding": post("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n"),
  "a length beside an identity": post("Content-Length: 0\r\nTransfer-Encoding: identity\r\n"),
  "two lengths that differ": post("Content-Length: 0\r\nContent-Length: 40\r\n"),
  "two lengths that agree": post("Content-Length: 0\r\nContent-Length: 0\r\n"),
  "two lengths in two spellings": post("content-length: 0\r\nCONTENT-LENGTH: 40\r\n"),
  "a list of lengths": post("Content-Length: 0, 0\r\n"),
  "a length with a plus": post("Content-Length: +0\r\n"),
  "a length with a minus": post("Content-Length: -1\r\n"),
  "a negative zero": post("Content-Length: -0\r\n"),
  "an empty length": post("Content-Length:\r\n"),
  "a hexadecimal length": post("Content-Length: 0x10\r\n"),
  "a length with a fraction": post("Content-Length: 1.0\r\n"),
  "a length with an exponent": post("Content-Length: 1e1\r\n"),
  "a length with a blank inside": post("Content-Length: 1 0\r\n"),
  "a length beyond 64 bits": post("Content-Length: 18446744073709551616\r\n"),
  "a length beyond 53 bits": post("Content-Length: 9007199254740993\r\n"),
  "a length with a line feed": post("Content-Length: 0\nX: y\r\nContent-Length: 40\r\n"),
  "a length in another script": post("Content-Length: \xb9\r\n"),
  "identity": post("Transfer-Encoding: identity\r\n"),
  "chunked and identity": post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
  "identity and chunked": post("Transfer-Encoding: identity, chunked\r\n", "0\r\n\r\n"),
  "chunked and then another coding": post(
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n",
    "0\r\n\r\n",
  ),
  "chunked twice": post(
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    "0\r\n\r\n",
  ),
  "a quoted coding": post('Transfer-Encoding: "chunked"\r\n', "0\r\n\r\n"),
  "a coding with a parameter": post("Transfer-Encoding: chunked;q=1\r\n", "0\r\n\r\n"),
  "a coding behind a tab and a control": post("Transfer-Encoding:\t\x0bchunked\r\n", "0\r\n\r\n"),
  "an empty coding": post("Transfer-Encoding:\r\n"),
  "a coding with a comma": post("Transfer-Encoding: ,chunked\r\n", "0\r\n\r\n"),
  "a coding in HTTP/1.0":
    `POST /outer HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  "a blank before the colon of a length": post("Content-Length : 40\r\n"),
  "a blank before the colon of a coding": post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
  "a tab before a colon": post("Transfer-Encoding\t: chunked\r\n", "0\r\n\r\n"),
  "a name behind a blank": post(" Content-Length: 40\r\n"),
  "a folded length": post("Content-Length:\r\n 40\r\n"),
  "a folded coding": post("Transfer-Encoding:\r\n\tchunked\r\n", "0\r\n\r\n"),
  "a folded field": post("X: y\r\n Content-Length: 40\r\n"),
  "a line without a colon": post("Content-Length\r\n"),
  "a field without a name": post(": 40\r\n"),
  "a NUL in a name": post("Content-\0Length: 40\r\n"),
  "a bare CR as a line end": post("X: y\rContent-Length: 40\r\n"),
  "a bare CR before the empty line": `POST /outer HTTP/1.1\r\n${HOST}\r\r\n${SMUGGLED}`,
  "a request line with a control": `GET /outer\x0b HTTP/1.1\r\n${HOST}\r\n${SMUGGLED}`,
  "a request line with two versions": `GET /outer HTTP/1.1 HTTP/1.1\r\n${HOST}\r\n${SMUGGLED}`,
  "a version in small letters": `GET /outer http/1.1\r\n${HOST}\r\n${SMUGGLED}`,
  "a version with two digits": `GET /outer HTTP/1.10\r\n${HOST}\r\n${SMUGGLED}`,
  "a chunk of negative size": chunked("-1\r\n"),
  "a chunk with a plus": chunked("+1\r\nx\r\n0\r\n\r\n"),
  "a chunk size with 0x": chunked("0x1\r\nx\r\n0\r\n\r\n"),
  "a chunk size of 16 digits": chunked("fffffffffffffff0\r\n"),
  "a chunk size of 17 digits": chunked("10000000000000001\r\nx\r\n0\r\n\r\n"),
  "a chunk size behind many zeros": chunked(`${"0".repeat(100)}1\r\nx\r\n0\r\n\r\n`),
  "a chunk size behind a blank": chunked(" 1\r\nx\r\n0\r\n\r\n"),
  "a chunk size ended by LF": chunked("1\nx\r\n0\r\n\r\n"),
  "a chunk size ended by CR": chunked("1\rx\r\n0\r\n\r\n"),
  "an extension with a bare LF": chunked("1;a=b\nx\r\n0\r\n\r\n"),
  "an extension with a bare CR": chunked("1;a=\rb\r\nx\r\n0\r\n\r\n"),
  "a chunk that is longer than its size": chunked("1\r\nxy\r\n0\r\n\r\n"),
  "a chunk that is shorter than its size": chunked("3\r\nx\r\n0\r\n\r\n"),
  "chunk data ended by LF": chunked("1\r\nx\n0\r\n\r\n"),
  "a last chunk ended by LF": chunked("0\n\r\n"),
  "trailers ended by LF": chunked("0\r\nX: y\n\r\n"),
  "trailers with a bare CR": chunked("0\r\nX: y\rZ: a\r\n\r\n"),
};

for (const [name, bytes] of Object.entries(REFUSED)) {
  Deno.test(`nothing is smuggled behind ${name}`, async () => {
    for (const cut of [false, true]) {
      await using front = await openFront();
      using client = await RawClient.connect(front.port);
      const all = FINE + bytes;
      // If a request is sent in two chunks, a server may answer before it reads the second.
      const middle = cut ? FINE.length + Math.floor(bytes.length / 3) : all.length;
      await client.send(all.slice(0, middle));
      if (cut) await client.send(all.slice(middle)).catch(() => {});
      assertEquals((await client.told()).target, "/fine");
      const answer = await client.answer();
      assert(answer.status === 400 || answer.status === 501 || answer.status === 505, answer.head);
      assertMatch(answer.head, /\r\nconnection: close\r\n/i);
      assertEquals(await client.rest(), "");
      const targets = front.calls.map(({ target }) => target);
      assert(!targets.includes("/smuggled"), `Called with ${targets}`);
      assertEquals(front.refused.length, 1);
      assertMatch(front.refused[0]!.reason, /^Cannot /);
      assertEquals(front.faults, []);
    }
  });
}

/** Requests with exactly one meaning: a body, followed by the next request. */
const TAKEN: Readonly<Record<string, readonly [bytes: string, body: string]>> = {
  "a request within a body of known length": [
    `POST /outer HTTP/1.1\r\n${HOST}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    SMUGGLED,
  ],
  "a request within a chunk": [
    `POST /outer HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n` +
    `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
    SMUGGLED,
  ],
  "a request within the body of a GET": [
    `GET /outer HTTP/1.1\r\n${HOST}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    SMUGGLED,
  ],
  "a request within a chunk of a GET": [
    `GET /outer HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n` +
    `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
    SMUGGLED,
  ],
  "a length with blanks around it": [
    `POST /outer HTTP/1.1\r\n${HOST}Content-Length: \t 3 \r\n\r\nabc`,
    "abc",
  ],
  "a length behind zeros": [
    `POST /outer HTTP/1.1\r\n${HOST}Content-Length: 0003\r\n\r\nabc`,
    "abc",
  ],
  "a coding in mixed case": [
    `POST /outer HTTP/1.1\r\n${HOST}TRANSFER-ENCODING: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    "abc",
  ],
  "chunk sizes in both cases and with leading zeros": [
    `POST /outer HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n` +
    "0a\r\n0123456789\r\nB\r\n01234567890\r\n000\r\n\r\n",
    "012345678901234567890",
  ],
  "an extension that looks like a size": [
    `POST /outer HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n` +
    '1;a=5;b="0\t0" ;c\r\nx\r\n0;last\r\n\r\n',
    "x",
  ],
  "trailers that look like fields": [
    `POST /outer HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n` +
    "1\r\nx\r\n0\r\nContent-Length: 40\r\nTransfer-Encoding: chunked\r\nHost: other\r\n\r\n",
    "x",
  ],
  "a field that only looks like a length": [
    `POST /outer HTTP/1.1\r\n${HOST}Content_Length: 40\r\nX-Content-Length: 40\r\n\r\n`,
    "",
  ],
  "lines that end in LF alone": [
    `POST /outer HTTP/1.1\nHost: h\nContent-Length: 3\n\nabc`,
    "abc",
  ],
};

for (const [name, [bytes, body]] of Object.entries(TAKEN)) {
  Deno.test(`${name} has one meaning`, async () => {
    for (const cut of [false, true]) {
      await using front = await openFront();
      using client = await RawClient.connect(front.port);
      const middle = cut ? Math.floor(bytes.length / 2) : bytes.length;
      await client.send(bytes.slice(0, middle));
      await client.send(bytes.slice(middle) + FINE);
      const told = await client.told();
      assertEquals([told.target, told.body], ["/outer", body]);
      assertEquals((await client.told()).target, "/fine");
      assertEquals(front.calls.length, 2);
      assertEquals([front.refused, front.faults], [[], []]);
    }
  });
}

Deno.test(
  "a refused request ends the connection in its turn, even behind a late answer",
  async () => {
    await using front = await openHeldFront();
    using client = await RawClient.connect(front.port);
    await client.send(`GET /1 HTTP/1.1\r\n${HOST}\r\n${FINE}GET /x y HTTP/1.1\r\n\r\n${SMUGGLED}`);
    while (front.calls.length === 0) await new Promise((done) => setTimeout(done, 1));
    front.release();
    assertEquals((await client.answer()).body, "/1");
    assertEquals((await client.answer()).body, "/fine");
    assertEquals((await client.answer()).status, 400);
    assertEquals(await client.rest(), "");
    assertEquals(front.calls.length, 2);
  },
);
