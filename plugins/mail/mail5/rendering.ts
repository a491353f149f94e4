/**
 * Renders a message for each recipient: `%recipient.name%`
 * (https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/batch-sending), then
 * the template, in Handlebars.
 */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { parseJson } from "../../../core/codec/json_lenient.ts";
import type { TextOfHtml } from "../../../core/extract/load.ts";
import { parseMailbox } from "../address_list.ts";
import { formatAddress, type MailDraft, recipientsOf } from "../capture.ts";
import { parseHandlebars } from "../handlebars.ts";
import type { Address } from "../model.ts";
import { escapeHtml, type Node, TemplateError } from "../template.ts";
import { type TemplateNotes, TemplateUse } from "../template_use.ts";
import { fail } from "./checks.ts";
import type { SendRequest } from "./request.ts";
import { REFUSALS, vendorRefusal } from "./reply.ts";
import type { TemplateVersion } from "./store.ts";

/** Maximum characters of the bodies of all messages of a call. */
const MAX_CHARS = 100 * 1024 * 1024;

/** Message for one recipient, or for all. */
export interface Copy {
  readonly draft: MailDraft;
  /** `v:` parameters for this recipient. */
  readonly variables: Readonly<Record<string, string>>;
  readonly notes?: TemplateNotes;
}

/**
 * Returns the messages of a request: one for each address in `to` if `recipient-variables` are
 * given. They are rendered one at a time, because together they may be much longer than the
 * request. Throws `Refused`, as may each of them.
 */
export function toCopies(
  request: SendRequest,
  stored: TemplateVersion | undefined,
  textOf?: TextOfHtml,
): readonly (() => Copy)[] {
  const version = stored && { ...parseVersion(stored), textOf };
  const { draft, envelope, recipientVariables, variables } = request;
  if (recipientVariables === undefined) {
    const whole = envelope === undefined ? draft : withBlind(draft, envelope);
    return [() => write(request, whole, variables, version)];
  }
  const recipients = envelope ?? draft.to;
  const size = draft.text.length + draft.html.length + (stored?.template.length ?? 0);
  if (size * recipients.length > MAX_CHARS) fail(REFUSALS.tooLarge);
  return recipients.map((to) => () => {
    const own = recipientVariables[to.email.toLowerCase()] ?? {};
    const put = (text: string) => substitute(text, to, own);
    const copy = {
      ...draft,
      to: envelope === undefined ? [to] : draft.to.map((one) => addressed(one, put)),
      subject: put(draft.subject),
      text: put(draft.text),
      html: put(draft.html),
      reply_to: draft.reply_to.map((one) => parseMailbox(put(one.email)) ?? one),
      headers: draft.headers.map(([name, value]) => [name, put(value)] as const),
    };
    const values = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, put(value)]),
    );
    const whole = envelope === undefined ? copy : withBlind(copy, [to]);
    return write(request, whole, values, version);
  });
}

/** The address of a MIME message may be a variable: `To: %recipient%`. */
function addressed(one: Address, put: (text: string) => string): Address {
  return parseMailbox(put(formatAddress(one))) ?? one;
}

/** Adds the recipients that the header of a MIME message does not name. */
function withBlind(draft: MailDraft, envelope: readonly Address[]): MailDraft {
  const named = new Set(recipientsOf(draft).map((email) => email.toLowerCase()));
  const blind = envelope.filter(({ email }) => !named.has(email.toLowerCase()));
  return { ...draft, bcc: [...draft.bcc, ...blind.map(({ email }) => ({ email }))] };
}

/** A version of a template, parsed. */
interface ParsedVersion {
  readonly body: readonly Node[];
  readonly header: (name: string) => readonly Node[];
  /** Given if the request asks for a text. */
  readonly textOf: TextOfHtml | undefined;
}

function parseVersion({ template, headers }: TemplateVersion): Omit<ParsedVersion, "textOf"> {
  const parse = orRefused(parseHandlebars);
  const parsed = new Map(Object.entries(headers).map(([name, text]) => [name, parse(text)]));
  return { body: parse(template), header: (name) => parsed.get(name) ?? [] };
}

/** Refuses the call for a fault of its template. */
function orRefused<A extends unknown[], T>(work: (...given: A) => T): (...given: A) => T {
  return (...given) => {
    try {
      return work(...given);
    } catch (error) {
      if (error instanceof TemplateError) fail(vendorRefusal(400, error.message));
      throw error;
    }
  };
}

/** Inserts the values of a recipient. Unknown names stay. */
function substitute(text: string, to: Address, values: JsonObject): string {
  if (!text.includes("%recipient")) return text;
  const name = to.name ?? "";
  const [first = "", ...rest] = name.split(" ");
  const known: Readonly<Record<string, string>> = {
    recipient: to.name === undefined ? to.email : `${to.name} <${to.email}>`,
    recipient_email: to.email,
    recipient_name: name,
    recipient_fname: first,
    recipient_lname: rest.join(" "),
  };
  return text.replace(/%(recipient(?:_\w+)?)(?:\.([^%\s]+))?%/g, (whole, word, key) => {
    if (key === undefined) return known[word] ?? whole;
    if (word !== "recipient" || !Object.hasOwn(values, key)) return whole;
    const value = values[key];
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  });
}

function write(
  { template: use, meta }: SendRequest,
  draft: MailDraft,
  variables: Readonly<Record<string, string>>,
  version: ParsedVersion | undefined,
): Copy {
  if (use === undefined || version === undefined) return { draft, variables };
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, readValue(value)]),
  );
  const model = { ...meta.header_variables as JsonObject, ...values, ...use.variables };
  const used = new TemplateUse();
  const put = orRefused(used.render.bind(used));
  const html = put(version.body, model, escapeHtml);
  const header = (name: string) => put(version.header(name), model).trim();
  const from = draft.from.email === "" ? parseMailbox(header("From")) : draft.from;
  const reply = parseMailbox(header("Reply-To"));
  const written = {
    ...draft,
    from: from ?? draft.from,
    reply_to: draft.reply_to.length > 0 || reply === undefined ? draft.reply_to : [reply],
    subject: draft.subject || header("Subject"),
    html,
    text: use.text ? version.textOf?.(html) ?? "" : draft.text,
  };
  return { draft: written, variables, notes: used.notes(use.variables) };
}

/** The value of a `v:` parameter is JSON, or else a text. */
function readValue(text: string): unknown {
  if (!/^[[{"\d\-tfn]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof WireError) return text;
    throw error;
  }
}
