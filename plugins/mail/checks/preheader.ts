import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { MailSubject } from "./subject.ts";

const WASTED =
  /^(view|open|read|see) (this|it|the)? ?(e-?mail|message|newsletter|online)?.{0,20}(in|on) (your|a|the)? ?(web ?)?(browser|online)|^(view|read) online|^having trouble|^im browser|^online ansehen|^can't see/i;

/** Checks of the preheader, the line shown after the subject in lists. */
export const preheaderTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.preheader",
      level: "info",
      about: "The preview in the mail list begins with a technical line or repeats the subject",
      source: "https://www.litmus.com/blog/the-ultimate-guide-to-preview-text-support",
    },
  ],
  *find({ htmlText, mail }) {
    const first = htmlText.split("\n").find((line) => line.trim() !== "")?.trim();
    if (first === undefined) return;
    const shown = JSON.stringify(first.slice(0, 100));
    if (WASTED.test(first)) {
      yield {
        id: "mail.preheader",
        message: `The preview begins with ${shown}; put a summary first`,
        ...placeOf(first, mail.html ?? ""),
      };
    } else if (first.toLowerCase() === mail.subject?.trim().toLowerCase()) {
      yield {
        id: "mail.preheader",
        message: `The preview repeats the subject: ${shown}`,
        ...placeOf(first, mail.html ?? ""),
      };
    }
  },
};

/** The text in the source, unless it is written with entities or tags. */
function placeOf(text: string, source: string): Pick<Found, "where"> {
  const body = Math.max(0, source.search(/<body\b/i));
  const start = source.indexOf(text, body);
  if (start === -1) return {};
  return { where: () => placeIn("html", source, { start, end: start + text.length }) };
}
