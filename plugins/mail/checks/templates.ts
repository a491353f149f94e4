import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { MailSubject } from "./subject.ts";

const HANDLEBARS =
  "https://www.twilio.com/docs/sendgrid/for-developers/sending-email/using-handlebars";
const SUBSTITUTIONS =
  "https://www.twilio.com/docs/sendgrid/for-developers/sending-email/substitution-tags";
const MAILJET = "https://dev.mailjet.com/template-language/reference/";
const MAILJET_ERRORS = "https://www.mailjet.com/blog/product/template-error-management-mailjet/";
const SES = "https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-api.html";
const BREVO = "https://help.brevo.com/hc/en-us/articles/4402386448530";

/** Pages about templates by provider. */
const PAGES: Readonly<Record<string, string>> = {
  mail1: MAILJET,
  mail2: HANDLEBARS,
  mail3: "https://resend.com/docs/dashboard/templates/template-variables",
  mail4: "https://postmarkapp.com/support/article/1077-template-syntax",
  mail5:
    "https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-templates",
  mail6: SES,
  mail7: BREVO,
};

type Notes = Readonly<Record<string, unknown>>;

/** Checks of the vendors' templates, and the values given to them. */
export const templatesTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.template_failed",
      level: "error",
      about:
        "The vendor accepts the message, but does not send it, because its template cannot be rendered",
      source: HANDLEBARS,
    },
    {
      id: "mail.template_missing",
      level: "warning",
      about: "The template reads a value that the message does not have: its place stays empty",
      source: HANDLEBARS,
    },
    {
      id: "mail.template_unused",
      level: "info",
      about: "The message has a value that the template does not read",
      source: HANDLEBARS,
    },
    {
      id: "mail.template_data",
      level: "warning",
      about:
        "Values that SendGrid ignores: dynamic_template_data without a dynamic template, whose id begins with d-",
      source: "https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send",
    },
    {
      id: "mail.template_errors",
      level: "info",
      about:
        "The message uses Mailjet's template language without TemplateErrorReporting, so a failure is not reported",
      source: MAILJET_ERRORS,
    },
    {
      id: "mail.template_variable",
      level: "error",
      about:
        "Mailjet's template language reads a variable that has no default value and is not in Variables",
      source: MAILJET,
    },
    {
      id: "mail.substitution",
      level: "warning",
      about: "A SendGrid substitution occurs neither in the subject nor in a body",
      source: SUBSTITUTIONS,
    },
  ],
  *find(subject) {
    const { provider, meta } = subject.event;
    const source = Object.hasOwn(PAGES, provider) ? PAGES[provider]! : HANDLEBARS;
    yield* ofRendering(meta, source);
    if (provider === "mail1") yield* ofMailjet(subject);
    if (provider === "mail2") yield* ofSendGrid(subject);
  },
};

function* ofRendering(meta: Notes, source: string): Generator<Found> {
  if (typeof meta.rendering_failure === "string") {
    const isDelivered = meta.template_error_deliver === true;
    yield {
      id: "mail.template_failed",
      message: `${meta.rendering_failure}${
        isDelivered ? "; it is delivered as it is, because of TemplateErrorDeliver" : ""
      }`,
      source,
    };
  }
  for (const name of namesIn(meta.template_missing)) {
    yield {
      id: "mail.template_missing",
      message: `The template reads ${JSON.stringify(name)}, and the message has no such value`,
      source,
    };
  }
  for (const name of namesIn(meta.template_unused)) {
    yield {
      id: "mail.template_unused",
      message: `The template does not read ${JSON.stringify(name)}`,
      source,
    };
  }
}

function namesIn(note: unknown): readonly unknown[] {
  return Array.isArray(note) ? note : [];
}

/** `{{var:name}}` and `{{var:name:"default"}}`. */
const VARIABLE = /\{\{\s{0,9}var:([\w.]{1,100})\s{0,9}(:)?/g;

function* ofMailjet({ mail, event: { meta } }: MailSubject): Generator<Found | undefined> {
  if (meta.template_language !== true) return;
  if (meta.template_error_reporting === undefined) {
    yield {
      id: "mail.template_errors",
      message:
        "Mailjet does not report a failed template: set TemplateErrorReporting to an address",
    };
  }
  const given = (meta.variables ?? {}) as Notes;
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
function isGiven(given: Notes, name: string): boolean {
  let value: unknown = given;
  for (const key of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Notes)[key];
  }
  return true;
}

function* ofSendGrid({ mail, event: { meta } }: MailSubject): Generator<Found> {
  const id = meta.template_id;
  if (meta.dynamic_template_data !== undefined && !/^d-/.test(String(id ?? ""))) {
    yield {
      id: "mail.template_data",
      message: id === undefined
        ? "dynamic_template_data without template_id is ignored"
        : `dynamic_template_data is ignored: ${
          JSON.stringify(String(id).slice(0, 60))
        } is a legacy template, ` +
          "which has substitutions",
    };
  }
  // A stored template may use them.
  if (id !== undefined) return;
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
