/**
 * Mails that are cheap to send and once were expensive to check or to show.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { HostileInput } from "./hostile_inputs.ts";
import type { Target } from "./under_attack.ts";

/** Characters of an HTML body that the checks read. */
const HTML = 1024 * 1024;
/** Characters of a header field: a request is much larger than a header over SMTP. */
const FIELD = 8 * 1024 * 1024;

/** Members of an email to Resend, which sets no limit for a header field. */
type Members = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** Sends a mail, and returns its id. */
async function send({ urls }: Target, members: Members): Promise<string> {
  const sent = await fetch(`${urls.ingress}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer key", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.org", to: "b@example.org", subject: "x", ...members }),
  });
  assertEquals(sent.status, 200, await sent.text());
  const [event] = await (await fetch(`${urls.api}/api/v1/events?limit=1`)).json();
  return event.id;
}

/** A mail, and the request for its findings, one of which must be found. */
function checked(name: string, members: Members, finding: string) {
  return {
    name,
    async prepare(target) {
      const id = await send(target, members);
      return async () => {
        const answer = await fetch(`${target.urls.api}/api/v1/events/${id}/checks`);
        const { checks } = await answer.json() as { checks: { id: string }[] };
        assert(checks.some(({ id }) => id === finding), JSON.stringify(checks));
      };
    },
  } satisfies HostileInput;
}

/** An HTML mail, and the request for its page. */
function shown(name: string, html: string): HostileInput {
  return {
    name,
    async prepare(target) {
      const id = await send(target, { html });
      return async () => {
        const url = `${target.urls.api}/api/v1/mail/messages/${id}/html?cid=1`;
        const answer = await fetch(url);
        assertEquals(answer.status, 200, await answer.text());
      };
    },
  };
}

/**
 * A mail with a body that begins with text, so that styles are computed, and ends with an empty
 * link.
 */
function checkedHtml(name: string, html: string): HostileInput {
  return checked(name, { html: `Text${html}<a href="">a</a>` }, "mail.link_empty");
}

/** Repeats `text` up to this many characters. */
function fill(text: string, length: number): string {
  return text.repeat(Math.floor(length / text.length));
}

const MUCH = HTML - 200_000;
const FEW_RULES = fill(".a.c .b{color:red}", 60_000);

/** Every such mail. */
export const HOSTILE_CHECKS: readonly HostileInput[] = [
  shown("a mail of very many links is shown", fill("<a href=x>", 1.5 * FIELD)),
  checkedHtml(
    "a background has very many words",
    `<p style="background:${fill(" a", MUCH)})">x</p>`,
  ),
  checkedHtml("a value has spaces without an end", `<p style="color:!${" ".repeat(MUCH)}x">x</p>`),
  checkedHtml(
    "a colour has spaces without an end",
    `<p style="color:rgb(1,2,3,${" ".repeat(MUCH)}x">x</p>`,
  ),
  checkedHtml(
    "a class attribute is long, and rules ask for what is in it",
    `<style>${FEW_RULES}</style><div class="a${" ".repeat(MUCH - 200_000)}c">` +
      fill("<p class=b>x</p>", 100_000),
  ),
  checkedHtml(
    "a selector has conditions without number",
    `<style>${fill(".b", 300_000)}{color:red}</style>${fill("<p class=b>x</p>", 500_000)}`,
  ),
  checkedHtml(
    "a selector has very many levels",
    `<style>${fill("b>", 100_000)}b{color:red}</style>${fill("<b>", 120_000)}x`,
  ),
  checkedHtml(
    "a selector has a very long name",
    `<style>#${"a".repeat(300_000)} b{color:red}</style><p id=${"a".repeat(300_000)}>` +
      fill("<b>x</b>", 300_000),
  ),
  checked(
    "an address to unsubscribe at begins again and again",
    { text: "x", headers: { "List-Unsubscribe": fill("<https://", FIELD) } },
    "mail.one_click",
  ),
  checked(
    "a signature names fields with spaces in between",
    {
      text: "x",
      headers: { "DKIM-Signature": `v=1; h=a${" ".repeat(FIELD)}b; d=example.org` },
    },
    "mail.dkim",
  ),
];
