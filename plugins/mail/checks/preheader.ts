import type { CheckTopic } from "../../../core/plugin.ts";
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
      };
    } else if (first.toLowerCase() === mail.subject?.trim().toLowerCase()) {
      yield { id: "mail.preheader", message: `The preview repeats the subject: ${shown}` };
    }
  },
};
