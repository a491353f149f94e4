import { assertEquals, assertThrows } from "@std/assert";
import { readInboundMail } from "../inbound_mail.ts";
import { MailState } from "../state.ts";
import { composeReceived, keepReceived, toReceived, toReceivedEmail } from "./received.ts";
import { Resources } from "./resources.ts";

let count = 0;
const uuid = () => `00000000-0000-4000-8000-${String(count++).padStart(12, "0")}`;
const now = new Date("2026-01-02T03:04:05Z");
const link = { download_url: "http://localhost/", expires_at: now.toISOString() };

function receive(fields: Record<string, unknown>) {
  const mail = readInboundMail({ from: "a@example.org", to: "b@example.com", ...fields });
  return toReceived(mail, { uuid, now });
}

Deno.test("the newest thousand mails are kept", () => {
  const { received } = new Resources(new MailState());
  for (let i = 0; i < 1005; i++) keepReceived(received, receive({ subject: String(i) }));
  const subjects = received.list().map(({ subject }) => subject);
  assertEquals([subjects.length, subjects[0], subjects.at(-1)], [1000, "1004", "5"]);
});

Deno.test("a large mail takes the place of older ones, and one that never fits is refused", () => {
  const { received } = new Resources(new MailState());
  const large = (bytes: number) => receive({ text: "x".repeat(bytes) });
  for (let i = 0; i < 5; i++) keepReceived(received, large(10_000_000));
  const last = large(30_000_000);
  keepReceived(received, last);
  assertEquals([received.list()[0]?.id, received.list().length], [last.id, 4]);
  assertThrows(
    () => keepReceived(received, large(70_000_000)),
    RangeError,
    "Cannot send an inbound email: Cannot keep",
  );
});

Deno.test("images are put into the text while there is room, and hostile names stay as they are", () => {
  const image = { filename: "p.png", content_type: "image/png", content_id: "p" };
  const small = receive({
    html: "<img src=cid:p><img src='cid:$&'>",
    attachments: [{ ...image, content: "AAAA" }],
  });
  assertEquals(
    toReceivedEmail(small, { format: "data_uri", raw: link }).html,
    "<img src=data:image/png;base64,AAAA><img src='cid:$&'>",
  );
  const many = receive({
    html: "<img src=cid:p>".repeat(1000),
    attachments: [{ ...image, content: btoa("x".repeat(300_000)) }],
  });
  const { html } = toReceivedEmail(many, { format: "data_uri", raw: link });
  assertEquals(String(html).split("cid:p").length - 1, 1000 - 83);
});

Deno.test("a Content-ID cannot break out of its header field", () => {
  const attachment = { content: "AAAA", content_id: "p\r\nX-Evil: 1" };
  assertThrows(
    () => receive({ attachments: [attachment] }),
    RangeError,
    "Cannot send an inbound email: expected content_id as local@domain",
  );
});

Deno.test("the raw mail has names, ids and parts", async () => {
  const mail = receive({
    from: "Ada Lovelace <ada@example.org>",
    subject: "Hi\r\nBcc: eve@example.org",
    text: "Hi",
    attachments: [{ filename: "a.txt", content: btoa("Hi") }],
  });
  const text = new TextDecoder().decode(await composeReceived(mail));
  const [head] = text.split("\r\n\r\n");
  assertEquals(/^Bcc:/m.test(head!), false);
  assertEquals(/^From: Ada Lovelace <ada@example.org>$/m.test(head!), true);
  assertEquals(head!.includes(`Message-ID: ${mail.messageId}`), true);
  assertEquals(/filename=a\.txt/.test(text), true);
});
