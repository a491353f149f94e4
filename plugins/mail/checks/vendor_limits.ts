import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { MailSubject } from "./subject.ts";

const MB = 1024 * 1024;
const MAILGUN = "https://documentation.mailgun.com/en/latest/api-sending.html";
const MAILGUN_TAGS = "https://help.mailgun.com/hc/en-us/articles/34389096824219-Tags";
const SES = "https://docs.aws.amazon.com/ses/latest/APIReference-V2";

/** Largest message, with encoded attachments, and the documenting page. */
interface Size {
  readonly most: number;
  readonly source: string;
}

const POSTMARK_SIZE =
  "https://postmarkapp.com/support/article/1056-what-are-the-attachment-and-email-size-limits";
const SES_SIZE = "https://docs.aws.amazon.com/ses/latest/dg/quotas.html";
const SIZES: Readonly<Record<string, Size>> = {
  mail4: { most: 10 * MB, source: POSTMARK_SIZE },
  mail5: { most: 25 * MB, source: MAILGUN },
  mail6: { most: 40 * MB, source: SES_SIZE },
  mail7: { most: 20 * MB, source: "https://help.brevo.com/hc/en-us/articles/4402811730962" },
};
/** Version 1 of the SES API. */
const SES_V1: Size = { most: 10 * MB, source: SES_SIZE };
/** Limit of each body at Postmark. */
const POSTMARK_BODY = 5 * MB;
/** Limits at Mailgun: tags of a message, characters of a tag, and bytes of all options together. */
const [MAX_TAGS, MAX_TAG, MAX_OPTIONS] = [10, 128, 16 * 1024];
/** Header fields that SES sets itself, except in raw messages: https://docs.aws.amazon.com/ses/latest/dg/header-fields.html */
const SES_OWN = new Set(
  ("bcc cc content-disposition content-type date from message-id mime-version reply-to return-path subject to")
    .split(" "),
);
/** Limits of header fields at SES: their number, and characters of a name and of a whole field. */
const [MAX_HEADERS, MAX_NAME, MAX_FIELD] = [15, 126, 996];

/** Checks of the limits of Postmark, Mailgun, Amazon SES and Brevo. */
export const vendorLimitsTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.vendor_size",
      level: "error",
      about:
        "The message, or a body of it, is larger than Postmark, Mailgun, Amazon SES or Brevo allows; " +
        "attachments count with their encoding",
      source: POSTMARK_SIZE,
    },
    {
      id: "mail.vendor_tag",
      level: "error",
      about:
        "A tag is longer than Mailgun allows, or has invalid characters, or there are too many",
      source: MAILGUN_TAGS,
    },
    {
      id: "mail.vendor_header",
      level: "error",
      about:
        "A header field is longer than Amazon SES allows, has invalid characters, or is one that it sets itself, or there " +
        "are too many",
      source: `${SES}/API_MessageHeader.html`,
    },
    {
      id: "mail.vendor_options",
      level: "error",
      about: "The options, headers and variables of a message exceed 16 kB, the limit of Mailgun",
      source: MAILGUN,
    },
  ],
  *find(subject) {
    const { provider } = subject.event;
    yield* ofSize(subject);
    if (provider === "mail5") yield* ofMailgun(subject);
    if (provider === "mail6") yield* ofSes(subject);
  },
};

function* ofSize({ mail, event: { provider, raw } }: MailSubject): Generator<Found> {
  const { text = "", html = "", attachments = [] } = mail;
  const limit = provider === "mail6" && !/^\/v2\//.test(raw.path ?? "/v2/")
    ? SES_V1
    : Object.hasOwn(SIZES, provider)
    ? SIZES[provider]
    : undefined;
  if (limit === undefined) return;
  const bodies = { text: bytesOf(text), html: bytesOf(html) };
  const files = attachments.reduce((sum, { size }) => sum + Math.ceil(size / 3) * 4, 0);
  const size = bodies.text + bodies.html + files;
  if (size > limit.most) {
    yield {
      id: "mail.vendor_size",
      message: `About ${size} bytes; at most ${limit.most}`,
      source: limit.source,
    };
  }
  if (provider !== "mail4") return;
  for (const [part, length] of Object.entries(bodies)) {
    if (length <= POSTMARK_BODY) continue;
    yield {
      id: "mail.vendor_size",
      message: `The ${part} has ${length} bytes; at most ${POSTMARK_BODY}`,
      where: { part },
    };
  }
}

function* ofMailgun({ mail, event: { meta } }: MailSubject): Generator<Found> {
  const tags = Array.isArray(meta.tags) ? meta.tags.map(String) : [];
  if (tags.length > MAX_TAGS) {
    yield { id: "mail.vendor_tag", message: `${tags.length} tags; at most ${MAX_TAGS}` };
  }
  for (const tag of tags) {
    const shown = JSON.stringify(tag.slice(0, 60));
    if (tag.length > MAX_TAG) {
      yield {
        id: "mail.vendor_tag",
        message: `${shown} has ${tag.length} characters; at most ${MAX_TAG}`,
        where: { part: "tags", marked: tag.slice(0, 60) },
      };
    }
    if (!/^[\x20-\x7e]*$/.test(tag)) {
      yield {
        id: "mail.vendor_tag",
        level: "warning",
        message: `${shown} is not ASCII`,
        where: { part: "tags", marked: tag.slice(0, 60) },
      };
    }
  }
  const given = [meta.options, meta.variables, tags.join(""), mail.headers];
  const size = given.reduce<number>(
    (sum, part) => sum + (part === undefined ? 0 : bytesOf(JSON.stringify(part))),
    0,
  );
  if (size > MAX_OPTIONS) {
    yield { id: "mail.vendor_options", message: `About ${size} bytes; at most ${MAX_OPTIONS}` };
  }
}

function* ofSes({ mail, event: { meta } }: MailSubject): Generator<Found> {
  // A raw message has its own header fields, which are not limited.
  if (meta.mime === true) return;
  const fields = Object.entries(mail.headers ?? {}).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const)
  );
  if (fields.length > MAX_HEADERS) {
    yield {
      id: "mail.vendor_header",
      message: `${fields.length} headers; at most ${MAX_HEADERS}`,
    };
  }
  for (const [name, value] of fields) {
    const shown = JSON.stringify(name.slice(0, 60));
    const where = { part: "headers", marked: name.slice(0, 60) };
    if (SES_OWN.has(name.toLowerCase())) {
      yield {
        id: "mail.vendor_header",
        message: `Amazon SES sets ${shown} itself, and does not accept it as a header`,
        source: "https://docs.aws.amazon.com/ses/latest/dg/header-fields.html",
        where,
      };
    }
    if (!/^[!-9;-@A-~]+$/.test(name)) {
      yield {
        id: "mail.vendor_header",
        message: `${shown} is not a name of printable ASCII without a colon`,
        where,
      };
    }
    if (name.length > MAX_NAME || name.length + value.length > MAX_FIELD) {
      yield {
        id: "mail.vendor_header",
        message: `${shown} has ${name.length} and its value ${value.length} characters; ` +
          `at most ${MAX_NAME}, and ${MAX_FIELD} together`,
        where,
      };
    }
    if (!/^[\x20-\x7e]*$/.test(value)) {
      yield {
        id: "mail.vendor_header",
        message: `The value of ${shown} is not printable ASCII`,
        where,
      };
    }
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
