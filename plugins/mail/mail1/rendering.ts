/**
 * Renders stored templates into messages: https://dev.mailjet.com/email/template-language/sendapi/
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { failure, success } from "../../../core/result.ts";
import { parseMailbox } from "../address_list.ts";
import type { MailDraft } from "../capture.ts";
import { TemplateError } from "../template.ts";
import { TemplateUse } from "../template_use.ts";
import { parseTemplate } from "./language.ts";
import { REFUSALS } from "./refusals.ts";
import type { Entry, Outgoing } from "./request.ts";
import type { Content, Store } from "./store.ts";

/**
 * Returns a message with its rendered template. If rendering fails, the message is accepted, as at
 * the vendor, with the reason in `rendering_failure`.
 */
export function applyTemplate(
  entry: Entry,
  { store, key, overrides = false }: {
    store: Store;
    key: string;
    /** Whether the template replaces the content of the message, as over v3. */
    overrides?: boolean;
  },
): Entry {
  if (!entry.ok) return entry;
  const { meta } = entry.value;
  const given = meta.template_id;
  if (typeof given !== "number" && typeof given !== "string") return entry;
  const templates = store.templates(key);
  const id = typeof given === "number"
    ? given
    : templates.list().find(({ Name }) => Name === given)?.ID ?? given;
  if (templates.get(id) === undefined) {
    if (templates.list().length > 0) return failure([REFUSALS.unknownTemplate(id)]);
    const parse_warnings = [`the template ${id} is not known here`];
    return success({ ...entry.value, meta: { ...meta, parse_warnings } });
  }
  const content = typeof id === "number" ? store.content(key, id) : undefined;
  if (content === undefined) return failure([REFUSALS.unknownTemplate(id)]);
  const draft = overrides ? without(entry.value.draft, content) : entry.value.draft;
  if (draft.html !== "" && content.html !== "") return failure([REFUSALS.twoContents]);
  const whole = { ...entry.value, draft: merge(draft, content) };
  if (whole.draft.from.email === "") return failure([REFUSALS.missing("From")]);
  return success(meta.template_language === true ? write(whole) : whole);
}

/** Leaves out the content that a template replaces. */
function without(draft: MailDraft, { html, text }: Content): MailDraft {
  return { ...draft, html: html === "" ? draft.html : "", text: text === "" ? draft.text : "" };
}

/** Properties of the message override those of its template. */
function merge(draft: MailDraft, { headers, html, text }: Content): MailDraft {
  const header = (name: string): string => {
    const own = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
    return typeof own?.[1] === "string" ? own[1] : "";
  };
  const from = parseMailbox(header("from"));
  const reply = parseMailbox(header("reply-to"));
  return {
    ...draft,
    from: draft.from.email === "" ? from ?? draft.from : draft.from,
    reply_to: draft.reply_to.length > 0 || reply === undefined ? draft.reply_to : [reply],
    subject: draft.subject || header("subject"),
    html: draft.html || html,
    text: draft.text || text,
  };
}

function write(message: Outgoing): Outgoing {
  const { draft, meta } = message;
  const model = { var: isJsonObject(meta.variables) ? meta.variables : {}, data: {} };
  const use = new TemplateUse();
  const put = (source: string) => use.render(parseTemplate(source), model);
  try {
    const { subject, html, text } = draft;
    const written = { subject: put(subject), html: put(html), text: put(text) };
    const notes = use.notes(meta.variables, "var");
    return { ...message, draft: { ...draft, ...written }, meta: { ...meta, ...notes } };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { ...message, meta: { ...meta, rendering_failure: error.message } };
  }
}
