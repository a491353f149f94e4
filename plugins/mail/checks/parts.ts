import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic } from "../../../core/plugin.ts";
import { placeAt } from "./places.ts";
import type { MailSubject } from "./subject.ts";

/** Size of HTML from which Gmail shows only the beginning, in bytes. */
const GMAIL_CLIPS = 102 * 1024;
/** Size of a message that common receivers refuse, in bytes. */
const TOO_LARGE = 25 * 1024 * 1024;
/** Share of the words of the HTML that its text should have. */
const ALIKE = 0.3;
/** Words compared. */
const MAX_WORDS = 2000;

/** Checks of the bodies: both present, similar, and not too large. */
export const partsTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.text_part",
      level: "warning",
      about:
        "There is an HTML body but no text: text-only clients show nothing, and spam filters penalize it",
      source: "https://www.rfc-editor.org/rfc/rfc2046#section-5.1.4",
    },
    {
      id: "mail.text_differs",
      level: "warning",
      about: "The text differs from the HTML",
      source: "https://www.rfc-editor.org/rfc/rfc2046#section-5.1.4",
    },
    {
      id: "mail.empty",
      level: "error",
      about: "The bodies are empty, and nothing is attached",
    },
    {
      id: "mail.clipped",
      level: "warning",
      about: "Gmail shows only the beginning of HTML over 102 KB",
      source: "https://mailchimp.com/help/gmail-is-clipping-my-email/",
    },
    {
      id: "mail.size",
      level: "warning",
      about: "The message is larger than 25 MB, which many receivers refuse",
      source: "https://support.google.com/mail/answer/6584",
    },
  ],
  *find({ mail, html, htmlText, event }) {
    const text = mail.text?.trim() ?? "";
    const hasPicture = html?.elements.some(({ tag }) => tag === "img") === true;
    const attached = mail.attachments?.length ?? 0;
    if (text === "" && htmlText === "" && !hasPicture && attached === 0) {
      if (mail.html !== undefined || mail.text !== undefined) {
        const [part, source] = mail.html === undefined
          ? ["text", mail.text ?? ""] as const
          : ["html", mail.html] as const;
        yield {
          id: "mail.empty",
          message: "The bodies have no text",
          where: () => placeAt(part, source, 0),
        };
      }
      return;
    }
    if (mail.html !== undefined && text === "") {
      yield {
        id: "mail.text_part",
        message: "The HTML has no text alternative; add a text/plain part",
        // RFC 2046 section 5.1.4: the plainest part is the first one.
        where: () => placeAt("html", mail.html ?? "", 0),
      };
    }
    if (mail.html !== undefined && text !== "" && htmlText !== "") {
      const share = shareOf(htmlText, text);
      if (share !== undefined && share < ALIKE) {
        yield {
          id: "mail.text_differs",
          message: `The text has ${Math.round(100 * share)} % of the words of the HTML`,
          where: () => placeIn("text", mail.text ?? "", { start: 0, end: mail.text?.length ?? 0 }),
        };
      }
    }
    const source = mail.html ?? "";
    const size = new TextEncoder().encode(source).length;
    if (size > GMAIL_CLIPS) {
      yield {
        id: "mail.clipped",
        message: `The HTML has ${
          Math.round(size / 1024)
        } KB; Gmail shows the first 102 KB and a link to the rest`,
        where: () => {
          const { read } = new TextEncoder().encodeInto(source, new Uint8Array(GMAIL_CLIPS));
          return placeIn("html", source, { start: read, end: source.length });
        },
      };
    }
    const { length } = event.raw.body;
    if (length > TOO_LARGE) {
      yield {
        id: "mail.size",
        message: `The message has ${
          Math.round(length / 1024 / 1024)
        } MB; many receivers accept at most 25 MB`,
      };
    }
  },
};

/** Share of the words of one text that also occur in another; `undefined` if there are too few. */
function shareOf(html: string, text: string): number | undefined {
  const words = wordsOf(html);
  if (words.size < 8) return undefined;
  const others = wordsOf(text);
  let common = 0;
  for (const word of words) if (others.has(word)) common++;
  return common / words.size;
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}]{2,40}/gu)) {
    words.add(word.toLowerCase());
    if (words.size >= MAX_WORDS) break;
  }
  return words;
}
