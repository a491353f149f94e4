import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { attachmentPlace } from "./places.ts";
import type { MailSubject } from "./subject.ts";

const SES = "https://docs.aws.amazon.com/ses/latest";
const SES_TYPES = `${SES}/dg/mime-types.html`;
const SES_ATTACHMENT = `${SES}/APIReference-V2/API_Attachment.html`;
const SUBSTITUTIONS =
  "https://www.twilio.com/docs/sendgrid/for-developers/sending-email/substitution-tags";

/** Extensions that Amazon SES does not send, and Resend, which sends through it; only the page of SES has `ade`. */
const UNSENT = new Set(
  ("ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib " +
    "lnk mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh1xml msh2 msh2xml mshxml " +
    "msi msp mst ops pcd pif plg prf prg ps1 ps1xml ps2 ps2xml psc1 psc2 reg scf scr sct shb shs sys tmp url vb vbe " +
    "vbs vps vsmacros vss vst vsw vxd ws wsc wsf wsh xnk").split(" "),
);
/** Vendors with that list, and their pages. */
const UNSENT_BY: Readonly<Record<string, { readonly name: string; readonly source: string }>> = {
  mail3: {
    name: "Resend",
    source: "https://resend.com/docs/knowledge-base/what-attachment-types-are-not-supported",
  },
  mail6: { name: "Amazon SES", source: SES_TYPES },
};

/** Characters of members of an attachment at Amazon SES. */
const SES_MEMBERS = [["filename", 255], ["content_id", 78], ["content_type", 78]] as const;

/** Days by which a vendor may be told to wait. SendGrid refuses more than three. */
interface Wait {
  readonly days: number;
  /** Days in every plan, if they are fewer. */
  readonly always?: number;
  readonly source: string;
}

const MAX_DAYS: Readonly<Record<string, Wait>> = {
  mail3: { days: 30, source: "https://resend.com/changelog/extended-email-scheduling" },
  mail5: {
    days: 7,
    always: 3,
    source:
      "https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/schedule-delivery",
  },
  mail7: { days: 3, source: "https://developers.brevo.com/docs/schedule-batch-sendings" },
};
const DAY_MS = 24 * 60 * 60 * 1000;

/** Bytes of the substitutions of one recipient at SendGrid. */
const MAX_SUBSTITUTIONS = 50_000;
/** Octets of a line, without its end. */
const MAX_LINE = 998;

/** Checks of content that vendors accept, but do not send, or not as it was written. */
export const vendorDeliveryTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.vendor_attachment",
      level: "error",
      about:
        "An attachment has an extension that Amazon SES and Resend do not send, or its name, id or type is longer " +
        "than Amazon SES allows",
      source: SES_TYPES,
    },
    {
      id: "mail.vendor_schedule",
      level: "error",
      about:
        "The time of delivery is further ahead than Resend, Mailgun or Brevo keep a message, or has passed",
      source: MAX_DAYS.mail3!.source,
    },
    {
      id: "mail.vendor_substitutions",
      level: "error",
      about:
        "The substitutions of a recipient take more than the 50,000 bytes that SendGrid allows",
      source: SUBSTITUTIONS,
    },
    {
      id: "mail.vendor_recipients",
      level: "info",
      about:
        "Mailgun sends one message with all addresses to several recipients, because there are no recipient-variables",
      source:
        "https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/batch-sending",
    },
    {
      id: "mail.body_line",
      level: "warning",
      about:
        `A line of the body has more than ${MAX_LINE} octets: servers break it or refuse the message`,
      source: "https://www.rfc-editor.org/rfc/rfc5322#section-2.1.1",
    },
  ],
  *find(subject) {
    yield* ofAttachments(subject);
    yield* ofSchedule(subject);
    yield* ofSubstitutions(subject);
    yield* ofRecipients(subject);
    yield* ofLines(subject);
  },
};

function* ofAttachments({ mail, event: { provider } }: MailSubject): Generator<Found> {
  const vendor = Object.hasOwn(UNSENT_BY, provider) ? UNSENT_BY[provider]! : undefined;
  if (vendor === undefined) return;
  for (const [at, attachment] of (mail.attachments ?? []).entries()) {
    const { filename = "" } = attachment;
    const place = attachmentPlace(at, filename);
    const ending = /\.([^.]*)$/.exec(filename)?.[1]?.trim().toLowerCase() ?? "";
    if (UNSENT.has(ending)) {
      yield {
        id: "mail.vendor_attachment",
        message: `${
          JSON.stringify(filename.slice(-100))
        }: ${vendor.name} sends no .${ending} files`,
        source: vendor.source,
        ...place,
      };
    }
    if (provider !== "mail6") continue;
    for (const [member, most] of SES_MEMBERS) {
      const { length } = attachment[member] ?? "";
      if (length <= most) continue;
      yield {
        id: "mail.vendor_attachment",
        message: `The ${member} of an attachment has ${length} characters; at most ${most}`,
        source: SES_ATTACHMENT,
        ...place,
      };
    }
  }
}

function* ofSchedule(
  { event: { provider, meta, received_at: receivedAt } }: MailSubject,
): Generator<Found> {
  const limit = Object.hasOwn(MAX_DAYS, provider) ? MAX_DAYS[provider]! : undefined;
  if (limit === undefined) return;
  const { deliverytime } = (meta.options ?? {}) as { readonly deliverytime?: unknown };
  const given = provider === "mail5" ? deliverytime : meta.scheduled_at;
  // Resend also reads words, such as `in 1 hour`, which are no date here.
  const at = typeof given === "string" ? Date.parse(given) : NaN;
  const ahead = at - receivedAt.getTime();
  if (ahead > limit.days * DAY_MS) {
    yield {
      id: "mail.vendor_schedule",
      message: `The time of delivery is ${
        Math.ceil(ahead / DAY_MS)
      } days ahead; at most ${limit.days}`,
      source: limit.source,
    };
  } else if (limit.always !== undefined && ahead > limit.always * DAY_MS) {
    yield {
      id: "mail.vendor_schedule",
      level: "info",
      message: `More than ${limit.always} days ahead: only plans that keep messages for ` +
        `${limit.days} days allow that`,
      source: limit.source,
    };
  } else if (ahead < 0) {
    yield {
      id: "mail.vendor_schedule",
      level: "info",
      message: "The time of delivery has passed: the message is sent at once",
      source: limit.source,
    };
  }
}

function* ofSubstitutions({ event: { provider, meta } }: MailSubject): Generator<Found> {
  if (provider !== "mail2") return;
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [tag, value] of Object.entries((meta.substitutions ?? {}) as object)) {
    bytes += encoder.encode(tag + String(value)).length;
  }
  if (bytes <= MAX_SUBSTITUTIONS) return;
  yield {
    id: "mail.vendor_substitutions",
    message: `The substitutions take ${bytes} bytes; at most ${MAX_SUBSTITUTIONS}`,
  };
}

function* ofRecipients({ mail, event: { provider, meta } }: MailSubject): Generator<Found> {
  const { length } = mail.to ?? [];
  // A MIME message names its recipients itself, and a batch is one message for each.
  if (provider !== "mail5" || meta.mime === true || meta.batch_index !== undefined) return;
  if (length < 2) return;
  yield {
    id: "mail.vendor_recipients",
    message: `Each of the ${length} recipients sees the addresses of the others`,
  };
}

/** RFC 5322 section 2.1.1. */
function* ofLines({ signedHeader, event: { raw } }: MailSubject): Generator<Found | undefined> {
  if (signedHeader === undefined) return;
  const { body } = raw;
  for (let start = 0, line = 1; start < body.length; line++) {
    yield undefined;
    const newline = body.indexOf(LF, start);
    const end = newline === -1 ? body.length : newline;
    const length = end - start - (body[end - 1] === CR ? 1 : 0);
    if (start >= signedHeader.bodyStart && length > MAX_LINE) {
      const text = latin1.decode(body.subarray(start, start + MAX_LINE + 1));
      yield {
        id: "mail.body_line",
        message: `A line of ${length} octets; encode the part as quoted-printable or base64`,
        where: { ...placeIn("raw", text, { start: 0, end: text.length }), line },
      };
    }
    start = end + 1;
  }
}

const latin1 = new TextDecoder("latin1");
const [CR, LF] = [0x0d, 0x0a];
