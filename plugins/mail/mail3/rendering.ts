/**
 * Renders templates with their variables:
 * https://resend.com/docs/dashboard/templates/template-variables
 */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { TextOfHtml } from "../../../core/extract/load.ts";
import { parseMailbox } from "../address_list.ts";
import type { MailDraft } from "../capture.ts";
import { fail } from "./fields.ts";
import { missingField, REFUSALS, validationError } from "./reply.ts";
import type { EmailRequest } from "./request.ts";
import type { Broadcast, Contact, Template, TemplateContent } from "./resources.ts";

/** Maximum characters of a template with its values. */
const MAX_CHARS = 5 * 1024 * 1024;
const PLACE = /\{\{\{\s*([A-Za-z0-9_]{1,50})\s*\}\}\}/g;

/** A placeholder of a broadcast, with the fallback for a contact without that value. */
const PERSONAL = /\{\{\{\s*([A-Za-z0-9_.]{1,60})\s*(?:\|([^{}]{0,200}))?\}\}\}/g;

/**
 * Returns the email of a broadcast for a contact; for an unknown one, placeholders stay. Throws
 * `Refused` if it is too long. See
 * https://resend.com/docs/dashboard/broadcasts/editor#personalize-your-content
 */
export function personalize(
  broadcast: Broadcast,
  contact: Contact | undefined,
  textOf: TextOfHtml,
): MailDraft {
  const values = contact === undefined ? undefined : valuesOfContact(contact);
  const put = (source: string): string => {
    if (values === undefined) return source;
    let size = source.length;
    return source.replace(PERSONAL, (_place, name: string, fallback = "") => {
      const value = values.get(name.toLowerCase()) || fallback.trim();
      size += value.length;
      if (size > MAX_CHARS) fail(REFUSALS.tooLarge);
      return value;
    });
  };
  const html = put(broadcast.html ?? "");
  return {
    from: broadcast.from,
    to: contact === undefined ? [] : [{ email: contact.email }],
    cc: [],
    bcc: [],
    reply_to: [...broadcast.replyTo],
    subject: put(broadcast.subject),
    html,
    // Without a text, the vendor derives one from the HTML.
    text: broadcast.text === null ? textOf(html) : put(broadcast.text),
    headers: [],
    attachments: [],
  };
}

function valuesOfContact(
  { id, email, firstName, lastName, properties }: Contact,
): ReadonlyMap<string, string> {
  const own: Readonly<Record<string, unknown>> = {
    first_name: firstName ?? "",
    last_name: lastName ?? "",
    email,
  };
  const all = Object.entries({ ...properties, ...own }).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number"
      ? [[name.toLowerCase(), `${value}`] as const]
      : []
  );
  return new Map([
    ...all,
    ...all.map(([name, value]) => [`contact.${name}`, value] as const),
    // Captured, and never called.
    ["resend_unsubscribe_url", `https://unsubscribe.resend.com/?token=${id}`],
  ]);
}

/** Returns the template with this id or alias. */
export function findTemplate(templates: readonly Template[], name: string): Template | undefined {
  return templates.find(({ id, alias }) => id === name || alias === name);
}

/** Throws a refusal if the template has a placeholder for an undeclared variable. */
export function checkVariables({ subject, html, text, variables }: TemplateContent): void {
  const known = new Set(variables.map(({ key }) => key));
  for (const source of [subject ?? "", html, text ?? ""]) {
    for (const [, key = ""] of source.matchAll(PLACE)) {
      if (known.has(key)) continue;
      fail(validationError(
        `Variable '${key}' is used in the template but not defined in the variables list`,
      ));
    }
  }
}

/**
 * Returns an email with its rendered template if there are stored templates, else the email with a
 * warning. Throws `Refused`.
 */
export function applyTemplate(
  email: EmailRequest,
  templates: readonly Template[],
  textOf: TextOfHtml,
): EmailRequest {
  const { draft, meta } = email;
  const use = meta.template;
  if (!isJsonObject(use)) return email;
  const id = String(use.id);
  if (templates.length === 0) {
    const earlier = (meta.parse_warnings ?? []) as readonly string[];
    const parse_warnings = [...earlier, `the template "${id}" is not known here`];
    return { draft, meta: { ...meta, parse_warnings } };
  }
  const template = findTemplate(templates, id) ?? fail(REFUSALS.unknownTemplate);
  const content = template.published ??
    fail(validationError("The template must be published before it can be used."));
  return { meta, draft: write(draft, content, { values: valuesOf(use, content), textOf }) };
}

function write(
  draft: EmailRequest["draft"],
  content: TemplateContent,
  { values, textOf }: { readonly values: ReadonlyMap<string, string>; readonly textOf: TextOfHtml },
): EmailRequest["draft"] {
  const put = (source: string) => replace(source, values);
  const html = put(content.html);
  const own = content.from === null ? undefined : parseMailbox(put(content.from));
  const from = draft.from.email !== "" ? draft.from : own ?? fail(missingField("from"));
  const subject = draft.subject || put(content.subject ?? "") || fail(missingField("subject"));
  const replies = (content.replyTo ?? []).flatMap((text) => parseMailbox(text) ?? []);
  return {
    ...draft,
    from,
    subject,
    html,
    // Without a text, the vendor derives one from the HTML.
    text: content.text === null ? textOf(html) : put(content.text),
    reply_to: draft.reply_to.length > 0 ? draft.reply_to : replies,
  };
}

/** Values in an email, or their fallbacks. */
function valuesOf(use: JsonObject, { variables }: TemplateContent): ReadonlyMap<string, string> {
  const model = isJsonObject(use.variables) ? use.variables : {};
  return new Map(variables.map(({ key, type, fallback }) => {
    const value = (Object.hasOwn(model, key) ? model[key] : undefined) ?? fallback;
    if (value === null) fail(validationError(`Missing value for the template variable '${key}'`));
    const given: string = typeof value;
    if (given !== type) {
      fail(validationError(`The template variable '${key}' must be a ${type}`));
    }
    return [key, String(value)];
  }));
}

function replace(source: string, values: ReadonlyMap<string, string>): string {
  let size = source.length;
  return source.replace(PLACE, (place, key) => {
    const value = values.get(key) ?? place;
    size += value.length;
    if (size > MAX_CHARS) fail(REFUSALS.tooLarge);
    return value;
  });
}
