import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { findDecoder } from "../../../core/codec/mime/charset.ts";
import { fieldPlace, subjectPlace } from "./places.ts";
import type { MailSubject } from "./subject.ts";

const RFC5322 = "https://www.rfc-editor.org/rfc/rfc5322";
/** Longest line without its end: RFC 5322 section 2.1.1. */
const MAX_LINE = 998;
/** How far Date may be from the time of receipt. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** Length of a subject that phones show, in characters. */
const SHOWN_SUBJECT = 70;

/**
 * Checks of header fields. Fields that vendors of HTTP APIs add themselves are only checked in
 * messages received by SMTP.
 */
export const headersTopic: CheckTopic<MailSubject> = {
  checks: [
    { id: "mail.subject", level: "warning", about: "The email has no subject" },
    {
      id: "mail.subject_length",
      level: "info",
      about:
        `The subject has more than ${SHOWN_SUBJECT} characters, which is more than phones show`,
    },
    {
      id: "mail.message_id",
      level: "warning",
      about: "Message-ID is missing, occurs twice or is malformed: replies are not threaded",
      source: `${RFC5322}#section-3.6.4`,
    },
    {
      id: "mail.date",
      level: "warning",
      about: "Date is missing, unreadable, or more than a day from the time of receipt",
      source: `${RFC5322}#section-3.6.1`,
    },
    {
      id: "mail.header_line",
      level: "error",
      about: `A header line has more than ${MAX_LINE} octets`,
      source: `${RFC5322}#section-2.1.1`,
    },
    {
      id: "mail.header_8bit",
      level: "warning",
      about: "A header field has octets outside ASCII without SMTPUTF8",
      source: "https://www.rfc-editor.org/rfc/rfc2047",
    },
    {
      id: "mail.header_twice",
      level: "error",
      about: "A header field that may occur only once occurs twice",
      source: `${RFC5322}#section-3.6`,
    },
    {
      id: "mail.charset",
      level: "error",
      about: "A body declares a charset that does not exist",
      source: "https://www.rfc-editor.org/rfc/rfc2046#section-4.1.2",
    },
  ],
  *find(subject) {
    yield* ofSubject(subject);
    const { rawHeader } = subject;
    if (rawHeader === undefined) return;
    yield* ofMessage(subject);
    yield* ofLines(rawHeader, subject.event.meta.smtputf8 === true);
  },
};

function* ofSubject(subject: MailSubject): Generator<Found> {
  const { mail, event } = subject;
  const text = mail.subject?.trim() ?? "";
  if (text === "" && event.meta.template_id === undefined) {
    yield {
      id: "mail.subject",
      message: "The email has no subject",
      ...subjectPlace(subject),
    };
  }
  const characters = [...mail.subject ?? ""];
  const { length } = [...text];
  if (length > SHOWN_SUBJECT) {
    yield {
      id: "mail.subject_length",
      message: `The subject has ${length} characters`,
      ...subjectPlace(subject, characters.slice(0, SHOWN_SUBJECT).join("").length),
    };
  }
}

const ONCE = [
  "Date",
  "From",
  "Sender",
  "Reply-To",
  "To",
  "Cc",
  "Message-ID",
  "In-Reply-To",
  "References",
  "Subject",
];

function* ofMessage(subject: MailSubject): Generator<Found> {
  const { headers, event, mail } = subject;
  const [id] = headers("message-id");
  const idPlace = fieldPlace(subject, "Message-ID");
  if (id === undefined) {
    yield { id: "mail.message_id", message: "Message-ID is missing", ...idPlace };
  } else if (!/^<[^<>@\s]+@[^<>@\s]+>$/.test(id.trim())) {
    yield {
      id: "mail.message_id",
      message: `${JSON.stringify(id)} is not in the form <left@right>`,
      ...idPlace,
    };
  }
  const [date] = headers("date");
  const time = Date.parse(date ?? "");
  const datePlace = fieldPlace(subject, "Date");
  if (date === undefined) yield { id: "mail.date", message: "Date is missing", ...datePlace };
  else if (Number.isNaN(time)) {
    yield { id: "mail.date", message: `${JSON.stringify(date)} is not a date`, ...datePlace };
  } else if (Math.abs(time - event.received_at.getTime()) > DAY_MS) {
    const days = Math.round((time - event.received_at.getTime()) / DAY_MS);
    const side = days < 0 ? "before" : "after";
    yield {
      id: "mail.date",
      message: `Date is ${Math.abs(days)} days ${side} the time of receipt`,
      ...datePlace,
    };
  }
  for (const name of ONCE) {
    const { length } = headers(name);
    if (length < 2) continue;
    yield {
      id: "mail.header_twice",
      message: `${name} occurs ${length} times`,
      ...fieldPlace(subject, name, 1),
    };
  }
  const start = latin1.decode(event.raw.body.subarray(0, SEARCHED));
  const types = [...headers("content-type"), ...bodyTypes(start)];
  for (const charset of new Set(types.flatMap((type) => charsetOf(type) ?? []))) {
    if (findDecoder(charset) === undefined) {
      yield {
        id: "mail.charset",
        message: `${JSON.stringify(charset)} is not a charset`,
        where: () => {
          const at = Math.max(0, start.indexOf(charset, Math.max(0, start.search(/charset=/i))));
          return placeIn("raw", start, { start: at, end: at + charset.length });
        },
      };
    }
  }
  const broken = (["text", "html"] as const).find((part) => mail[part]?.includes("\ufffd"));
  if (broken !== undefined) {
    const body = mail[broken]!;
    const at = body.indexOf("\ufffd");
    yield {
      id: "mail.charset",
      level: "warning",
      message: "A body has octets that are invalid in its charset; readers see U+FFFD",
      where: () => placeIn(broken, body, { start: at, end: at + 1 }),
    };
  }
}

const latin1 = new TextDecoder("latin1");
/** Octets of the message that are searched for types of parts. */
const SEARCHED = 256 * 1024;

function bodyTypes(text: string): string[] {
  return [...text.matchAll(/^content-type:[^\r\n]{0,500}(?:\r?\n[ \t][^\r\n]{0,500}){0,5}/gim)]
    .slice(0, 100).map(([field]) => field);
}

function charsetOf(type: string): string | undefined {
  return /;\s{0,20}charset="?([^\s";]{1,60})"?/i.exec(type)?.[1];
}

function* ofLines(rawHeader: string, mayUtf8: boolean): Generator<Found> {
  let start = 0;
  for (const line of rawHeader.split("\n")) {
    const length = line.replace(/\r$/, "").length;
    const from = start;
    start += line.length + 1;
    if (length > MAX_LINE) {
      yield {
        id: "mail.header_line",
        message: `A line of ${length} octets; servers break it or refuse it`,
        where: () => placeIn("headers", rawHeader, { start: from, end: from + length }),
      };
    }
    const outside = mayUtf8 ? -1 : line.search(/[\x80-\xff]/);
    if (outside !== -1) {
      yield {
        id: "mail.header_8bit",
        message: "Octets outside ASCII; write them as encoded words, =?utf-8?…?=",
        where: () => placeIn("headers", rawHeader, { start: from + outside, end: from + length }),
      };
    }
  }
}
