import { assertEquals } from "@std/assert";
import { contentDisposition } from "./disposition.ts";
import { parseRange, sendBytes } from "./range.ts";

for (
  const [header, expected] of [
    [null, undefined],
    ["bytes=0-4", { start: 0, end: 4 }],
    ["bytes=5-", { start: 5, end: 9 }],
    ["bytes=-3", { start: 7, end: 9 }],
    ["bytes=-99", { start: 0, end: 9 }],
    ["bytes=0-99", { start: 0, end: 9 }],
    ["bytes=9-9", { start: 9, end: 9 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=4-2", undefined],
    ["bytes=-", undefined],
    ["bytes=0-1,3-4", undefined],
    ["items=0-1", undefined],
    ["bytes=a-b", undefined],
  ] as const
) {
  Deno.test(`a range of 10 bytes is read from ${header}`, () => {
    assertEquals(parseRange(header, 10), expected);
  });
}

const bytes = new TextEncoder().encode("0123456789");

Deno.test("a range is answered 206 with its place and length", async () => {
  const reply = await sendBytes(bytes, {
    headers: new Headers({ range: "bytes=2-4" }),
    disposition: "attachment",
    filename: "a.txt",
  });
  assertEquals(reply.status, 206);
  assertEquals(reply.headers.get("content-range"), "bytes 2-4/10");
  assertEquals(reply.headers.get("content-length"), "3");
  assertEquals(await reply.text(), "234");
});

Deno.test("a range outside is answered 416 with the size", async () => {
  const reply = await sendBytes(bytes, {
    headers: new Headers({ range: "bytes=10-" }),
    disposition: "attachment",
  });
  assertEquals(reply.status, 416);
  assertEquals(reply.headers.get("content-range"), "bytes */10");
  await reply.body?.cancel();
});

Deno.test("If-None-Match with the tag is answered 304, If-Range with another tag serves the whole", async () => {
  const same = await sendBytes(bytes, {
    headers: new Headers({ "if-none-match": '"x"' }),
    disposition: "inline",
    etag: "x",
  });
  assertEquals(same.status, 304);
  const other = await sendBytes(bytes, {
    headers: new Headers({ range: "bytes=0-1", "if-range": '"y"' }),
    disposition: "inline",
    etag: "x",
  });
  assertEquals([other.status, await other.text()], [200, "0123456789"]);
});

for (
  const [filename, expected] of [
    [undefined, "attachment"],
    ["a.txt", 'attachment; filename="a.txt"'],
    ['a"b.txt', "attachment; filename=\"a_b.txt\"; filename*=UTF-8''a%22b.txt"],
    ["ä.txt", "attachment; filename=\"_.txt\"; filename*=UTF-8''%C3%A4.txt"],
    ["a\r\nX: y.txt", 'attachment; filename="a  X: y.txt"'],
    ["../../etc/passwd", 'attachment; filename=".._.._etc_passwd"'],
    ["\ud800.txt", "attachment; filename=\"_.txt\"; filename*=UTF-8''%EF%BF%BD.txt"],
  ] as const
) {
  Deno.test(`a disposition names ${JSON.stringify(filename)}`, () => {
    assertEquals(contentDisposition("attachment", filename), expected);
  });
}

for (
  const [type, dest, expected] of [
    ["text/html", "document", "text/plain"],
    ["text/html; charset=iso-8859-1", "iframe", "text/plain; charset=iso-8859-1"],
    ["image/svg+xml", "object", "text/plain"],
    ["Application/XML", "embed", "text/plain"],
    ["text/html", "empty", "text/html"],
    ["image/svg+xml", "image", "image/svg+xml"],
    ["text/htmlx", "document", "text/htmlx"],
    ["image/png", "document", "image/png"],
    ["text/html", undefined, "text/html"],
  ] as const
) {
  Deno.test(`${type} is sent to ${dest ?? "a program"} as ${expected}`, async () => {
    const headers = new Headers(dest === undefined ? {} : { "sec-fetch-dest": dest });
    const about = { headers, contentType: type, disposition: "inline" } as const;
    const sent = await sendBytes(bytes, about);
    assertEquals(sent.headers.get("content-type"), expected);
    const page = await sendBytes(bytes, { ...about, page: true });
    assertEquals(page.headers.get("content-type"), type);
  });
}
