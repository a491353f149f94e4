/** What another implementation writes, ours reads: nodemailer's composer with texts of every kind. */
import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { fc } from "../../../tests/support/fast_check.ts";
import MailComposer from "nodemailer/lib/mail-composer";
import { runToEnd } from "../../bytes/steps.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { decodeMessage } from "./message.ts";

const encodings = fc.constantFrom("quoted-printable" as const, "base64" as const);

/** Words in several scripts, with characters that mean something in header fields. */
const word = fc.constantFrom(
  "plain",
  "grüße",
  "日本語",
  "☺",
  "=?utf-8?",
  "a=b",
  "(c)",
  '"q"',
  "x,y;z",
  "long".repeat(20),
  "'",
);
const phrase = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
const body = fc.array(
  fc.oneof(phrase, fc.constantFrom("", ".", "..", "--b", "From x", "> q", "-- ")),
  {
    minLength: 1,
    maxLength: 12,
  },
).map((lines) => `${lines.join("\n")}!`);

Deno.test("a composed message parses back to its parts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        name: phrase,
        subject: phrase,
        text: body,
        html: fc.option(body, { nil: undefined }),
        textEncoding: fc.option(encodings, { nil: undefined }),
        files: fc.array(fc.record({ filename: phrase, content: fc.uint8Array() }), {
          maxLength: 3,
        }),
      }),
      async ({ files, name, ...mail }) => {
        const composed = await new MailComposer({
          ...mail,
          from: { name, address: "ada@example.com" },
          to: [{ name, address: "bob@example.com" }, "carol@example.com"],
          attachments: files.map(({ filename, content }) => ({
            filename,
            content: Buffer.from(content),
          })),
          newline: "\r\n",
        }).compile().build();
        const message = runToEnd(decodeMessage(new Uint8Array(composed)));
        assertEquals(message.subject, mail.subject);
        assertEquals(message.from, [{ email: "ada@example.com", name }]);
        assertEquals(message.to, [
          { email: "bob@example.com", name },
          { email: "carol@example.com", name: "" },
        ]);
        assertEquals(message.text, mail.text);
        assertEquals(message.html, mail.html ?? "");
        assertEquals(
          message.attachments.map(({ filename }) => filename),
          files.map((f) => f.filename),
        );
        assertEquals(
          message.attachments.map(({ bytes }) => [...bytes]),
          files.map((f) => [...f.content]),
        );
        assertEquals(message.warnings, []);
      },
    ),
    fuzzed(200),
  );
});
