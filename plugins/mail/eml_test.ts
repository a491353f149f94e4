import { assert, assertEquals, assertMatch } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import PostalMime from "postal-mime";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { composeEml } from "./eml.ts";
import type { MailMessage } from "./model.ts";

const ABOUT = { id: "0123456789ab0000deadbeef", receivedAt: new Date(0), attachments: [] };
const blob = { id: "b", size: 3 };
const bytes = new Uint8Array([0, 255, 10]);

async function compose(mail: MailMessage, attachments: readonly Record<string, unknown>[] = []) {
  return await composeEml(mail, {
    ...ABOUT,
    attachments: attachments.map((about) => ({
      about: { blob, size: 3, inline: false, ...about },
      bytes,
    })),
  });
}

Deno.test("composeEml() writes a message that another parser reads back", async () => {
  const eml = await compose({
    from: { email: "a@example.com", name: 'Ä "q", y' },
    to: [{ email: "b@example.com" }, { email: "c@example.com", name: "C" }],
    cc: [{ email: "d@example.com" }],
    bcc: [{ email: "e@example.com" }],
    reply_to: [{ email: "r@example.com" }],
    subject: "Grüße " + "long ".repeat(30) + "end",
    text: "Hällo\n.dot\nFrom me",
    html: '<img src="cid:logo@x">',
    headers: { "X-A": ["1", "2"], "Message-ID": ["<own@x>"], "Content-Type": ["text/evil"] },
  }, [
    { filename: "ü.bin", content_type: "application/x-y" },
    { filename: "l.png", content_type: "image/png", inline: true, content_id: "logo@x" },
    {},
  ]);
  const mail = await PostalMime.parse(eml);
  assertEquals(mail.from, { address: "a@example.com", name: 'Ä "q", y' });
  assertEquals(mail.to?.map((to) => to.address), ["b@example.com", "c@example.com"]);
  assertEquals(mail.cc?.[0]?.address, "d@example.com");
  assertEquals(mail.bcc?.[0]?.address, "e@example.com");
  assertEquals(mail.replyTo?.[0]?.address, "r@example.com");
  assertEquals(mail.subject, "Grüße " + "long ".repeat(30) + "end");
  assertEquals(mail.messageId, "<own@x>");
  assertEquals(mail.text?.trimEnd(), "Hällo\n.dot\nFrom me");
  assertEquals(mail.html?.trimEnd(), '<img src="cid:logo@x">');
  const named = (key: string) => mail.headers.filter((header) => header.key === key);
  assertEquals(named("x-a").map((header) => header.value), ["1", "2"]);
  assertEquals(named("content-type").length, 1);
  const parts = mail.attachments.map((part) => [
    part.filename,
    part.mimeType,
    part.disposition,
    part.contentId,
    [...new Uint8Array(part.content as ArrayBuffer)],
  ]);
  const sort = (list: unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  assertEquals(
    sort(parts),
    sort([
      ["ü.bin", "application/x-y", "attachment", undefined, [...bytes]],
      ["l.png", "image/png", "inline", "<logo@x>", [...bytes]],
      [null, "application/octet-stream", "attachment", undefined, [...bytes]],
    ]),
  );
});

Deno.test("composeEml() fills in date and id, and returns the same bytes each time", async () => {
  const mail = { from: { email: "" }, text: "x", html: "y" };
  const eml = await compose(mail);
  assertEquals(await compose(mail), eml);
  const text = new TextDecoder().decode(eml);
  assertMatch(text, /^Message-ID: <0123456789ab0000deadbeef@standin\.invalid>\r$/m);
  assertMatch(text, /^Date: Thu, 01 Jan 1970 00:00:00 \+0000\r$/m);
  assert(!text.replaceAll("\r\n", "").includes("\n"));
});

Deno.test("composeEml() never lets a captured value begin a header line or a MIME part", async () => {
  const hostile = fc.tuple(
    fc.string({ unit: fc.constantFrom(...'ab \r\n\0"<>:;=@,-é\u2028') }),
    fc.constantFrom("\r\n", "\n", "\r", "\r\n\r\n", "\n--_NmP-"),
  ).map(([text, cut]) => `${text}${cut}X-Evil: 1`);
  await fc.assert(
    fc.asyncProperty(hostile, async (value) => {
      const eml = await compose({
        from: { email: value, name: value },
        to: [{ email: value, name: value }],
        bcc: [{ email: value }],
        subject: value,
        headers: { [value]: ["x"], "X-A": [value], "Message-ID": [value], Date: [value] },
      }, [{ filename: value, content_type: value, content_id: value }]);
      const text = new TextDecoder().decode(eml);
      assert(!/^X-Evil/mi.test(text), text);
    }),
    fuzzed(150),
  );
});
