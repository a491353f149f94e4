import { assertEquals } from "@std/assert";
import { runToEnd } from "../../core/bytes/steps.ts";
import { draftFromMime, type MailEnvelope } from "./from_mime.ts";

const NOBODY: MailEnvelope = { mailFrom: "", rcptTo: [] };

function read(lines: readonly string[], envelope: Partial<MailEnvelope> = {}) {
  return runToEnd(
    draftFromMime(new TextEncoder().encode(lines.join("\r\n")), { ...NOBODY, ...envelope }),
  );
}

Deno.test("header fields name sender and recipients, empty names omitted", () => {
  const { draft } = read([
    "From: Ada <ada@example.com>, second@example.com",
    "Sender: sender@example.com",
    'To: "" <bob@example.com>',
    "Reply-To: r1@example.com, R2 <r2@example.com>",
    "",
    "",
  ], { mailFrom: "bounce@example.com" });
  assertEquals(draft.from, { email: "ada@example.com", name: "Ada" });
  assertEquals(draft.to, [{ email: "bob@example.com" }]);
  assertEquals(draft.reply_to, [
    { email: "r1@example.com" },
    { email: "r2@example.com", name: "R2" },
  ]);
});

Deno.test("without a From field the sender is that of the envelope", () => {
  assertEquals(read(["", "x"], { mailFrom: "a@example.com" }).draft.from, {
    email: "a@example.com",
  });
  assertEquals(read(["From:", "", "x"]).draft.from, { email: "" });
});

Deno.test("recipients that no header names are blind copies, each once", () => {
  const { draft } = read([
    "To: Bob <BOB@example.com>",
    "Cc: team: carol@example.com;",
    "Bcc: dave@example.com",
    "",
    "x",
  ], {
    rcptTo: [
      "bob@Example.com",
      "carol@example.com",
      "dave@example.com",
      "eve@example.com",
      "EVE@example.com",
      "frank@example.com",
    ],
  });
  assertEquals(draft.bcc, [
    { email: "dave@example.com" },
    { email: "eve@example.com" },
    { email: "frank@example.com" },
  ]);
});

Deno.test("headers are decoded for the message and as sent for the record", () => {
  const { draft, headers, warnings } = read(["X-A: =?utf-8?q?=C3=BC?=", "x-a: 2", "", "x"]);
  assertEquals(draft.headers, [["X-A", "ü"], ["x-a", "2"]]);
  assertEquals(headers, [["X-A", "=?utf-8?q?=C3=BC?="], ["x-a", "2"]]);
  assertEquals(warnings, []);
});

Deno.test("attachments keep name, type and content id", () => {
  const { draft } = read([
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "Content-Type: image/gif",
    "Content-Disposition: INLINE; filename=a.gif",
    "Content-ID: <c@d>",
    "",
    "GIF",
    "--b",
    "Content-Type: application/x-unknown",
    "",
    "",
    "--b--",
  ]);
  assertEquals(draft.attachments, [
    {
      bytes: new TextEncoder().encode("GIF"),
      inline: true,
      content_type: "image/gif",
      filename: "a.gif",
      content_id: "c@d",
    },
    { bytes: new Uint8Array(), inline: false, content_type: "application/x-unknown" },
  ]);
});
