import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { fieldPlace, placeAt } from "./places.ts";
import type { MailSubject } from "./subject.ts";

const SENDERS = "https://support.google.com/a/answer/81126";
const WORDS =
  /\b(unsubscribe|opt[- ]?out|manage (your )?(email )?preferences|abmelden|abbestellen|d[ée]sinscri|darse de baja|disiscriv|uitschrijven)/i;

/** Checks of unsubscribing: RFC 2369 and RFC 8058. */
export const unsubscribeTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.list_unsubscribe",
      level: "warning",
      about: "An email that looks like bulk has no List-Unsubscribe, which Gmail and Yahoo require",
      source: SENDERS,
    },
    {
      id: "mail.one_click",
      level: "warning",
      about: "List-Unsubscribe without List-Unsubscribe-Post, or without an https URL for it",
      source: "https://www.rfc-editor.org/rfc/rfc8058",
    },
    {
      id: "mail.unsubscribe_link",
      level: "warning",
      about: "An email that looks like bulk has no visible way to unsubscribe",
      source: SENDERS,
    },
  ],
  *find(subject) {
    const { mail, htmlText } = subject;
    const field = subject.headers("list-unsubscribe").join(", ");
    const offers = WORDS.test(htmlText) || WORDS.test(mail.text ?? "");
    const sign = signOfBulk(subject) ?? (offers ? "its text offers to unsubscribe" : undefined);
    if (field === "") {
      // These vendors add the field themselves if the request names an unsubscribe group.
      if (sign === undefined || subject.event.meta.asm !== undefined) return;
      yield {
        id: "mail.list_unsubscribe",
        message: `This looks like bulk: ${sign}; add List-Unsubscribe and List-Unsubscribe-Post`,
        ...wordPlace(subject),
        ...fieldPlace(subject, "List-Unsubscribe"),
      };
      return;
    }
    const place = fieldPlace(subject, "List-Unsubscribe");
    const post = subject.headers("list-unsubscribe-post").join(", ").trim();
    if (!/<https:\/\/[^<>]+>/i.test(field)) {
      yield {
        id: "mail.one_click",
        message: "List-Unsubscribe has no https URL in angle brackets",
        ...place,
      };
    }
    if (!/^List-Unsubscribe=One-Click$/i.test(post)) {
      yield {
        id: "mail.one_click",
        message: post === ""
          ? "List-Unsubscribe-Post is missing; expected List-Unsubscribe=One-Click"
          : `List-Unsubscribe-Post is ${JSON.stringify(post)}; expected List-Unsubscribe=One-Click`,
        ...(post === "" ? place : fieldPlace(subject, "List-Unsubscribe-Post")),
      };
    }
    if (!offers && htmlText + (mail.text ?? "") !== "") {
      yield {
        id: "mail.unsubscribe_link",
        message: "There is a List-Unsubscribe field, but no unsubscribe link in the body",
        where: () => endOf(mail),
      };
    }
  },
};

function signOfBulk({ headers, mail }: MailSubject): string | undefined {
  const precedence = headers("precedence")[0]?.trim().toLowerCase();
  if (precedence === "bulk" || precedence === "list") return `Precedence is ${precedence}`;
  for (const name of ["List-Id", "Feedback-ID", "X-Campaign-ID", "X-Mailjet-Campaign"]) {
    if (headers(name).length > 0) return `it has ${name}`;
  }
  const count = (mail.to?.length ?? 0) + (mail.cc?.length ?? 0) + (mail.bcc?.length ?? 0);
  return count >= 50 ? `it has ${count} recipients` : undefined;
}

/** The words that offer to unsubscribe. */
function wordPlace({ mail }: MailSubject): Pick<Found, "where"> {
  for (const part of ["html", "text"] as const) {
    const source = mail[part] ?? "";
    const found = WORDS.exec(source);
    if (found === null) continue;
    const span = { start: found.index, end: found.index + found[0].length };
    return { where: () => placeIn(part, source, span) };
  }
  return {};
}

/** The end of the visible part of the body, where the link belongs. */
function endOf({ html, text = "" }: MailSubject["mail"]) {
  if (html === undefined) return placeAt("text", text, text.trimEnd().length);
  const body = html.search(/\s*<\/body\s*>/i);
  return placeAt("html", html, body === -1 ? html.trimEnd().length : body);
}
