import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { MailSubject } from "./subject.ts";

/** Kinds of files that Gmail refuses; other receivers refuse most of them, too. */
const BLOCKED = new Set(
  ("ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp " +
    "jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vhd vxd " +
    "wsc wsf wsh xll").split(" "),
);

/**
 * Checks of the vendors' template rules, and of content that vendors pass on but receivers refuse.
 */
export const vendorTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.attachment_type",
      level: "error",
      about: "An attachment is of a file type that Gmail refuses",
      source: "https://support.google.com/mail/answer/6590",
    },
    {
      id: "mail.template_variable",
      level: "error",
      about:
        "Mailjet's template language reads a variable that has no default value and is not in Variables",
      source: "https://dev.mailjet.com/template-language/reference/",
    },
    {
      id: "mail.substitution",
      level: "warning",
      about: "A substitution of SendGrid occurs neither in the subject nor in a body",
      source: "https://www.twilio.com/docs/sendgrid/for-developers/sending-email/substitution-tags",
    },
  ],
  *find(subject) {
    for (const { filename = "" } of subject.mail.attachments ?? []) {
      const ending = filename.slice(filename.lastIndexOf(".") + 1).trim().toLowerCase();
      if (!filename.includes(".") || !BLOCKED.has(ending)) continue;
      yield {
        id: "mail.attachment_type",
        message: `${JSON.stringify(filename.slice(-100))}: Gmail refuses .${ending} files`,
      };
    }
    yield* variables(subject);
    yield* substitutions(subject);
  },
};

/** `{{var:name}}` and `{{var:name:"default"}}`. */
const VARIABLE = /\{\{\s{0,9}var:([\w.]{1,100})\s{0,9}(:)?/g;

function* variables({ mail, event: { meta } }: MailSubject): Generator<Found | undefined> {
  if (meta.template_language !== true) return;
  const given = (meta.variables ?? {}) as Readonly<Record<string, unknown>>;
  for (const part of ["subject", "text", "html"] as const) {
    const text = mail[part] ?? "";
    const told = new Set<string>();
    for (const { 0: found, 1: name = "", 2: fallback, index } of text.matchAll(VARIABLE)) {
      yield undefined;
      if (fallback !== undefined || told.has(name) || isGiven(given, name)) continue;
      told.add(name);
      yield {
        id: "mail.template_variable",
        message: `${JSON.stringify(name)} is not in Variables, and has no default value`,
        where: () => placeIn(part, text, { start: index, end: index + found.length }),
      };
    }
  }
}

/** A dot reads a member. */
function isGiven(given: Readonly<Record<string, unknown>>, name: string): boolean {
  let value: unknown = given;
  for (const key of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return true;
}

function* substitutions({ mail, event: { meta, provider } }: MailSubject): Generator<Found> {
  // A stored template may use them.
  if (provider !== "mail2" || meta.template_id !== undefined) return;
  const { text = "", html = "", subject = "" } = mail;
  // Unique arguments may have tags, too.
  const more = JSON.stringify(meta.custom_args ?? {});
  for (const tag of Object.keys((meta.substitutions ?? {}) as object)) {
    if (tag === "" || [text, html, subject, more].some((part) => part.includes(tag))) continue;
    yield {
      id: "mail.substitution",
      message: `${JSON.stringify(tag.slice(0, 100))} occurs neither in the subject nor in a body`,
    };
  }
}
