import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { runToEnd } from "../../bytes/steps.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { decodeMessage, type MimeMessage } from "./message.ts";

const encoder = new TextEncoder();

/** Lines of a message; characters up to U+00FF are octets. */
function decode(...lines: readonly string[]): MimeMessage {
  return runToEnd(decodeMessage(Uint8Array.from(lines.join("\r\n"), (char) => char.charCodeAt(0))));
}

function multipart(type: string, boundary: string, parts: readonly string[]): string {
  return [
    `Content-Type: multipart/${type}; boundary=${boundary}`,
    "",
    ...parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

/** Attachments with their bytes as text. */
function attachments(message: MimeMessage) {
  return message.attachments.map(({ bytes, ...about }) => ({
    ...about,
    text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
  }));
}

const TEXT = "Content-Type: text/plain; charset=utf-8\r\n\r\nplain";
const HTML = "Content-Type: text/html; charset=utf-8\r\n\r\n<p>html</p>";

Deno.test("a plain message gives its header fields, its addresses and its text", () => {
  const message = decode(
    'From: "Lovelace, Ada" <ada@example.com>',
    "To: Bob <bob@example.com>, carol@example.com",
    "To: dave@example.com",
    "Cc: friends: eve@example.com, Frank <frank@example.com>;",
    "Bcc: undisclosed-recipients:;",
    "Reply-To: =?utf-8?q?J=C3=BCrgen?= <j@example.com>",
    "Subject: =?utf-8?q?gr=C3=BC=C3=9Fe?=",
    " again",
    "",
    "Hello",
    "there",
    "",
  );
  assertEquals(message.from, [{ email: "ada@example.com", name: "Lovelace, Ada" }]);
  assertEquals(message.to.map(({ email }) => email), [
    "bob@example.com",
    "carol@example.com",
    "dave@example.com",
  ]);
  assertEquals(message.cc.map(({ email }) => email), ["eve@example.com", "frank@example.com"]);
  assertEquals(message.bcc, []);
  assertEquals(message.replyTo, [{ email: "j@example.com", name: "Jürgen" }]);
  assertEquals(message.subject, "grüße again");
  assertEquals(message.text, "Hello\nthere");
  assertEquals(message.html, "");
  assertEquals(message.attachments, []);
  assertEquals(message.warnings, []);
  assertEquals(message.headers.find(([name]) => name === "Subject")?.[1], "grüße again");
  assertEquals(
    message.header.fields.find(({ name }) => name === "Subject")?.value,
    [
      "=?utf-8?q?gr=C3=BC=C3=9Fe?=",
      "again",
    ].join(" "),
  );
});

Deno.test("text, html, an inline image and a file are separated", () => {
  const picture = [
    "Content-Type: image/png; name=a.png",
    "Content-Disposition: inline; filename=a.png",
    "Content-ID: <pic@1>",
    "Content-Transfer-Encoding: base64",
    "",
    "iVBORw==",
  ].join("\r\n");
  const file = [
    "Content-Type: application/pdf",
    "Content-Disposition: attachment; filename*=utf-8''gr%C3%BC%C3%9Fe.pdf",
    "Content-Transfer-Encoding: base64",
    "",
    "JVBERi0=",
  ].join("\r\n");
  const related = multipart("related", "r", [HTML, picture]);
  const alternative = multipart("alternative", "al", [TEXT, related]);
  const message = decode(multipart("mixed", "m", [alternative, file]));
  assertEquals([message.text, message.html], ["plain", "<p>html</p>"]);
  assertEquals(attachments(message), [
    {
      contentType: "image/png",
      inline: true,
      filename: "a.png",
      contentId: "pic@1",
      text: "\x89PNG",
    },
    { contentType: "application/pdf", inline: false, filename: "grüße.pdf", text: "%PDF-" },
  ]);
  assertEquals(message.warnings, []);
});

Deno.test("the last alternative wins within its own container only", () => {
  const first = multipart("alternative", "a1", [
    "\r\nfirst",
    "\r\nsecond",
    "Content-Type: text/html\r\n\r\n<i>one</i>",
    "Content-Type: text/html\r\n\r\n<i>two</i>",
  ]);
  const second = multipart("alternative", "a2", ["\r\nthird", "\r\nfourth"]);
  const message = decode(multipart("mixed", "m", [first, second]));
  assertEquals(message.text, "second\nfourth");
  assertEquals(message.html, "<i>two</i>");
});

Deno.test("an alternative other than text is kept as an attachment", () => {
  const calendar = "Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR";
  const message = decode(multipart("alternative", "x", [TEXT, HTML, calendar]));
  assertEquals([message.text, message.html], ["plain", "<p>html</p>"]);
  assertEquals(message.attachments.map(({ contentType }) => contentType), ["text/calendar"]);
});

Deno.test("enclosed messages, signatures and encrypted parts stay attachments", () => {
  const enclosed = "Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\ninner text";
  const forwarded = decode(multipart("mixed", "m", [TEXT, enclosed]));
  assertEquals(forwarded.text, "plain");
  assertEquals(attachments(forwarded), [{
    contentType: "message/rfc822",
    inline: false,
    text: "Subject: inner\r\n\r\ninner text",
  }]);
  const signature = "Content-Type: application/pkcs7-signature; name=smime.p7s\r\n" +
    "Content-Transfer-Encoding: base64\r\n\r\nMAA=";
  const signed = decode(multipart("signed; protocol=x", "s", [TEXT, signature]));
  assertEquals([signed.text, signed.attachments[0]?.filename], ["plain", "smime.p7s"]);
  const encrypted = decode(multipart("encrypted", "e", [
    "Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1",
    "Content-Type: application/octet-stream\r\n\r\n-----BEGIN PGP MESSAGE-----",
  ]));
  assertEquals(encrypted.text, "");
  assertEquals(encrypted.attachments.length, 2);
  const opaque = decode(
    "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
    "Content-Transfer-Encoding: base64",
    "",
    "MAA=",
  );
  assertEquals(opaque.attachments[0]?.filename, "smime.p7m");
});

Deno.test("parts of a digest are messages unless they say otherwise", () => {
  const message = decode(multipart("digest", "d", ["\r\nSubject: a\r\n\r\nb"]));
  assertEquals(message.attachments[0]?.contentType, "message/rfc822");
});

Deno.test("a text part with a name, or marked as attachment, is a file", () => {
  const message = decode(multipart("mixed", "m", [
    TEXT,
    "Content-Type: text/plain; name=notes.txt\r\n\r\nnotes",
    "Content-Disposition: attachment\r\n\r\nnameless",
    "Content-Disposition: inline\r\n\r\nmore",
  ]));
  assertEquals(message.text, "plain\nmore");
  assertEquals(attachments(message).map(({ text }) => text), ["notes", "nameless"]);
});

Deno.test("an attachment keeps its octets, line ends and an empty body included", () => {
  const binary =
    "Content-Type: application/x-a\r\nContent-Transfer-Encoding: binary\r\n\r\na\r\nb\n\0\xff\r\n";
  const empty = "Content-Type: application/x-b\r\n\r\n";
  const message = decode(multipart("mixed", "m", [TEXT, binary, empty]));
  assertEquals(attachments(message).map(({ text }) => text), ["a\r\nb\n\0\xff\r\n", ""]);
});

Deno.test.each([
  ["iso-8859-1", "gr\xfc\xdfe", "grüße", 0],
  ["windows-1252", "\x80", "€", 0],
  ["ISO-8859-15", "\xa4", "€", 0],
  ["koi8-r", "\xf0\xd2\xc9", "При", 0],
  ["shift_jis", "\x93\xfa\x96\x7b", "日本", 0],
  ["cp932", "\x93\xfa\x96\x7b", "日本", 0],
  ["gb2312", "\xd6\xd0", "中", 0],
  ["UTF-16LE", "a\0b\0", "ab", 0],
  ["utf-8", "\xef\xbb\xbfa", "a", 0],
  ["cp1252", "\x80", "€", 0],
  ["x-unheard-of", "a\xfcb", "aüb", 1],
  ["us-ascii", "a\xc3\xbcb", "aüb", 1],
  ["us-ascii", "a\xfcb", "aüb", 1],
  ["utf-8", "a\xfcb", "a\ufffdb", 1],
])("text in %s is decoded", (charset, octets, text, warnings) => {
  const message = decode(`Content-Type: text/plain; charset="${charset}"`, "", octets);
  assertEquals([message.text, message.warnings.length], [text, warnings]);
});

Deno.test("flowed text is joined", () => {
  const lines = ["one ", "two", " stuffed", "> quoted ", "> more", "-- ", "sig "];
  const flowed = (more: string) =>
    decode(`Content-Type: text/plain; format=flowed${more}`, "", ...lines);
  assertEquals(flowed("").text, "one two\nstuffed\n> quoted more\n-- \nsig ");
  assertEquals(flowed("; delsp=yes").text, "onetwo\nstuffed\n> quotedmore\n-- \nsig");
});

Deno.test.each([
  ["no bytes", "", ""],
  ["only an empty line", "\r\n", ""],
  ["no header", "\r\nbody\r\n", "body"],
  ["text alone", "just text\r\n", "just text"],
  ["a header alone", "Subject: a\r\n", ""],
  ["bare LF", "Subject: a\n\none\ntwo\n", "one\ntwo"],
  ["NULs", "Subject: a\r\n\r\na\0b\r\n", "a\0b"],
  ["no content type value", "Content-Type: ;\r\n\r\nx", "x"],
  ["a content type that is none", "Content-Type: text\r\n\r\nx", "x"],
])("a message may have %s", (_name, wire, text) => {
  assertEquals(decode(wire).text, text);
});

Deno.test("a multipart that cannot be split has its body as text", () => {
  const missing = decode("Content-Type: multipart/mixed", "", "--x", "", "a", "--x--");
  assertEquals(missing.text, "--x\n\na\n--x--");
  assertEquals(missing.warnings.length, 1);
  const foreign = decode("Content-Type: multipart/mixed; boundary=y", "", "--x", "", "a");
  assertEquals(foreign.text, "--x\n\na");
  assertEquals(foreign.warnings.length, 1);
});

Deno.test("an unclosed multipart has all its parts, and a warning", () => {
  const open = decode(
    "Content-Type: multipart/mixed; boundary=x",
    "",
    "--x",
    "",
    "a",
    "--x",
    "",
    "b",
  );
  assertEquals(open.text, "a\nb");
  assertEquals(open.warnings, ["A multipart/mixed that is not closed"]);
});

Deno.test("delimiters may have trailing blanks, and a longer boundary is a different one", () => {
  const message = decode(
    "Content-Type: multipart/mixed; boundary=x",
    "",
    "preamble",
    "--x \t",
    "",
    "--xy",
    "--x--y",
    "a",
    "--x-- ",
    "epilogue",
    "--x",
  );
  assertEquals(message.text, "--xy\n--x--y\na");
  assertEquals(message.warnings, []);
});

Deno.test("a delimiter of the outer multipart closes the inner one", () => {
  const inner = "Content-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\n\r\na";
  const message = decode(multipart("mixed", "out", [inner, "\r\nb"]));
  assertEquals(message.text, "a\nb");
});

Deno.test("of duplicate content fields the first counts", () => {
  const message = decode(
    "Content-Type: text/html",
    "Content-Type: application/octet-stream",
    "",
    "<b>",
  );
  assertEquals(message.html, "<b>");
});

Deno.test("nesting and parts are limited, and nothing beyond the limits is lost", () => {
  let nested = "\r\ninnermost";
  for (let i = 0; i < 40; i++) nested = multipart("mixed", `b${i}`, [nested]);
  const deep = decode(nested);
  assert(deep.text.includes("innermost"));
  assertEquals(deep.warnings, ["Multiparts more than 20 deep: the innermost were not parsed"]);
  const wide = decode(multipart("mixed", "w", Array<string>(1500).fill("\r\npart")));
  assertEquals(wide.text.split("part").length - 1, 1500);
  assertEquals(wide.warnings.length, 1);
});

Deno.test("an address field without an address keeps its text", () => {
  const message = decode("From: root", "To: =?utf-8?q?nobody?=", "Cc: ,,", "", "x");
  assertEquals(message.from, [{ email: "root", name: "" }]);
  assertEquals(message.to, [{ email: "nobody", name: "" }]);
  assertEquals(message.cc, []);
  assertEquals(message.warnings, ["No address in the Cc field"]);
});

Deno.test("hostile sizes are parsed in linear time", () => {
  const many = "a@example.com, ".repeat(20_000);
  assertEquals(decode(`To: ${many}`, "", "x").to.length, 10_000);
  for (const junk of ["(", ")", "<", '"', "=?", "a(", "\\", "=?utf-8?q?a?= ", "@", ":", ";"]) {
    const value = junk.repeat(30_000);
    decode(`To: ${value}`, `Subject: ${value}`, `Content-Type: text/plain; a=${value}`, "", value);
  }
});

const piece = fc.constantFrom(
  "--x",
  "--x--",
  "Content-Type: multipart/mixed; boundary=x",
  "Content-Type: multipart/alternative; boundary=y",
  "Content-Type: text/html; charset=utf-16",
  "Content-Transfer-Encoding: base64",
  "Content-Transfer-Encoding: quoted-printable",
  "Content-Disposition: attachment; filename*0*=x'",
  "From: a <",
  "To: =?x?b?=?=",
  "--y",
  "",
  "=",
  "\0\xff",
  " folded",
);

Deno.test("any octets parse as a message", () => {
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(fc.tuple(piece, fc.constantFrom("\r\n", "\n", "\r", "")), { maxLength: 30 })
      .map((lines) => encoder.encode(lines.flat().join(""))),
  );
  fc.assert(
    fc.property(message, (bytes) => {
      const read = runToEnd(decodeMessage(bytes));
      assertEquals(typeof read.text, "string");
      assert(read.attachments.every((item) => item.bytes.length <= bytes.length));
    }),
    fuzzed(1000),
  );
});

Deno.test("a body that is parsed with pauses gives the same result as a short one", () => {
  // Odd lengths put line ends, characters and escapes across the places where it pauses.
  for (const lead of ["", "x", "xy", "xyz"]) {
    const lines = decode("", `${lead}${"ab\r\n\r".repeat(200_000)}`);
    assertEquals(lines.text, `${lead}${"ab\n\r".repeat(200_000)}`);
    const type = "Content-Type: text/plain; charset=shift_jis";
    const letters = decode(type, "", `${lead}${"\x82\xa0".repeat(400_000)}`);
    assertEquals([letters.text, letters.warnings], [`${lead}${"あ".repeat(400_000)}`, []]);
    const encoding = "Content-Transfer-Encoding: quoted-printable";
    const escapes = decode(encoding, "", `${lead}${"=41 =\r\n \t\r\n".repeat(100_000)}end`);
    assertEquals(escapes.text, `${lead}${"A \n".repeat(100_000)}end`);
  }
  const body = "QUJD\r\n".repeat(150_000);
  const part = `Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n!${body}`;
  const parts = decode(multipart("mixed", "q", Array(3).fill(part)));
  assertEquals(parts.attachments.map(({ bytes }) => bytes.length), Array(3).fill(450_000));
});

Deno.test("excess groups and characters of an address field are dropped with a warning", () => {
  const groups = decode(`To: ${"a:".repeat(1001)}b@c`, "", "x");
  assertEquals(groups.warnings[0], "More than 1000 groups in To: the rest were left out");
  const long = decode(`To: a@b, ${"c".repeat(600_000)}`, "", "x");
  assertEquals(long.to[0], { email: "a@b", name: "" });
  assertEquals(long.warnings, [
    "A To field of more than 524288 characters: the rest was ignored",
  ]);
});

Deno.test("of very many addresses the first ones are kept, whatever commas their names have", () => {
  const one = '"Lovelace, Ada" (a, b) <a@b.c>';
  const all = decode(`Cc: ${Array(10_000).fill(one).join(", ")}`, "", "x");
  assertEquals([all.cc.length, all.warnings], [10_000, []]);
  const more = decode(`Cc: ${Array(15_000).fill(one).join(", ")}`, "", "x");
  assertEquals(more.cc.length, 10_000);
  assertEquals(more.cc.at(-1), { email: "a@b.c", name: "Lovelace, Ada" });
  assertEquals(more.warnings, ["More than 10000 addresses in Cc: the rest were left out"]);
});
