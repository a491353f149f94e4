import { assertEquals, assertLess } from "@std/assert";
import type { CapturedEvent, NewEvent } from "../../core/plugin.ts";
import { type MailDraft, type MailEnv, recordMail } from "./capture.ts";

const LONG = "Your order is on its way. ".repeat(10);

const cases: readonly (readonly [title: string, bodies: Partial<MailDraft>, snippet: string])[] = [
  ["the text", { text: "Hello you", html: "<p>Other</p>" }, "Hello you"],
  ["a text cut in a word", { text: LONG }, LONG.slice(0, 140)],
  ["a text cut before a space", { text: `${"x".repeat(140)} y` }, "x".repeat(140)],
  ["a text cut behind a space", { text: `${"x".repeat(139)} yz` }, `${"x".repeat(139)} `],
  ["a text whose end is at the cut", { text: `${"x".repeat(139)} ` }, "x".repeat(139)],
  ["spaces around a text", { text: "  Hello  " }, "Hello"],
  ["lines and runs of spaces", { text: "Hello\r\n\r\n  you\tthere" }, "Hello you there"],
  ["text beyond ASCII", { text: "Grüße\u00a0 an\u2028alle" }, "Grüße an alle"],
  ["HTML without a text", { html: "<style>p{}</style><p>Hello&nbsp;<b>you</b></p>" }, "Hello you"],
  [
    "HTML with a head",
    { html: "<HEAD><title>x</title></head >a<script>b</script>c<style>d" },
    "a c d",
  ],
  ["HTML with a tag left open", { html: "<p>a<b" }, "a<b"],
  ["nothing", {}, ""],
];
for (const [title, bodies, snippet] of cases) {
  Deno.test(`the snippet of a mail: ${title}`, () => {
    assertEquals(recorded(bodies).summary_parts?.snippet, snippet);
  });
}

Deno.test("a snippet of HTML with tags left open is made at once", () => {
  for (const html of ["<", "<style ", "<style>", "<head></head", "</style "]) {
    const began = performance.now();
    recorded({ html: html.repeat(500_000) });
    // Quadratic time on a megabyte would be minutes.
    assertLess(performance.now() - began, 5000);
  }
});

function recorded(bodies: Partial<MailDraft>): NewEvent {
  const taken: NewEvent[] = [];
  const env = {
    capture(event: NewEvent) {
      taken.push(event);
      return {} as CapturedEvent;
    },
  } as unknown as MailEnv;
  const draft: MailDraft = {
    from: { email: "a@example.org" },
    to: [{ email: "b@example.org" }],
    cc: [],
    bcc: [],
    reply_to: [],
    subject: "",
    text: "",
    html: "",
    headers: [],
    attachments: [],
    ...bodies,
  };
  const raw = { transport: "http", text: true, body: new Uint8Array() } as const;
  recordMail(env, draft, { raw, meta: {}, whenFull: "reject" });
  return taken[0]!;
}
