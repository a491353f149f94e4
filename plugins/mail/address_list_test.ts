import { assertEquals } from "@std/assert";
import {
  bareContentId,
  decodeAttachment,
  isAddress,
  overlayHeaders,
  parseMailbox,
} from "./address_list.ts";

const ADDRESSES = [
  "a@example.com",
  "first.last+tag@sub.example.co.uk",
  "o'neil@example.com",
  '"quoted local"@example.com',
  "müller@bücher.example",
  "user@xn--bcher-kva.example",
  `${"a".repeat(64)}@${"b".repeat(63)}.example`,
  `a@${"b.".repeat(120)}example`,
];
for (const text of ADDRESSES) {
  Deno.test(`isAddress() accepts ${text}`, () => {
    assertEquals(isAddress(text), true);
    assertEquals(isAddress(text, { publicDomain: true }), true);
  });
}

for (const text of ["a@localhost", "invalid@123.4", "a@[127.0.0.1]"]) {
  Deno.test(`isAddress() accepts ${text} unless the domain must be public`, () => {
    assertEquals(isAddress(text), true);
    assertEquals(isAddress(text, { publicDomain: true }), false);
  });
}

const NO_ADDRESSES = [
  "",
  "@",
  "a",
  "a@",
  "@example.com",
  "a b@example.com",
  " a@example.com",
  "a@example.com ",
  "a@b@example.com",
  "a@exa mple.com",
  "a@example..com",
  "a@-example.com",
  ".a@example.com",
  "a.@example.com",
  "a@example.com\r\nBcc: b@example.com",
  "Name <a@example.com>",
  `${"a".repeat(65)}@example.com`,
  `a@${"b".repeat(64)}.com`,
  `a@${"b.".repeat(200)}com`,
  `${"a".repeat(65)}@example.com`,
  `a@${"b".repeat(64)}.example`,
  `a@${"b.".repeat(125)}example`,
];
for (const text of NO_ADDRESSES) {
  Deno.test(`isAddress() refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
    assertEquals(isAddress(text), false);
  });
}

Deno.test("isAddress() is quick with hostile text", () => {
  assertEquals(isAddress(`"${"\\".repeat(100_000)}@example.com`), false);
  assertEquals(isAddress(`a@${"a-".repeat(100_000)}`), false);
});

const MAILBOXES: readonly (readonly [string, unknown])[] = [
  ["a@example.com", { email: "a@example.com" }],
  ["  a@example.com ", { email: "a@example.com" }],
  ["<a@example.com>", { email: "a@example.com" }],
  ["Ann <a@example.com>", { email: "a@example.com", name: "Ann" }],
  ['"Last, \\"Ann\\"" <a@example.com>', { email: "a@example.com", name: 'Last, "Ann"' }],
  ["Ann < b <a@example.com>", { email: "a@example.com", name: "Ann < b" }],
  ["Ann", undefined],
  ["Ann <a>", undefined],
  ["a@example.com>", undefined],
  ["Ann <a@example.com> tail", undefined],
];
for (const [text, mailbox] of MAILBOXES) {
  Deno.test(`parseMailbox() of ${JSON.stringify(text)}`, () => {
    assertEquals<unknown>(parseMailbox(text), mailbox);
  });
}

Deno.test("decodeAttachment() ignores line breaks and refuses anything but base64", () => {
  const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
  assertEquals(text(decodeAttachment("aGVs\r\nbG8=")), "hello");
  assertEquals(text(decodeAttachment("aGVsbG8")), "hello");
  assertEquals(decodeAttachment("")?.length, 0);
  for (const bad of ["a", "aGV$bG8=", "aGVs=bG8", "_-_-", "hello world!"]) {
    assertEquals(decodeAttachment(bad), undefined, bad);
  }
});

Deno.test("bareContentId() drops one pair of angle brackets", () => {
  assertEquals(bareContentId(" <logo@a> "), "logo@a");
  assertEquals(bareContentId("logo"), "logo");
});

Deno.test("overlayHeaders() replaces by name in any case, and keeps the order", () => {
  assertEquals(
    overlayHeaders([["X-A", "1"], ["X-B", "2"], ["x-a", "3"]], [["X-a", "own"], ["X-C", "4"]]),
    [["X-B", "2"], ["X-a", "own"], ["X-C", "4"]],
  );
  assertEquals(overlayHeaders([["X-A", "1"]], []), [["X-A", "1"]]);
});
