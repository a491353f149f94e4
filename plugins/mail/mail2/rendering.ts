/** Renders stored templates into messages. */
import type { TextOfHtml } from "../../../core/extract/load.ts";
import { parseHandlebars } from "../handlebars.ts";
import { escapeHtml, TemplateError } from "../template.ts";
import { TemplateUse } from "../template_use.ts";
import { HELPERS } from "./helpers.ts";
import type { Outgoing } from "./request.ts";
import { activeVersion, type Store, type Template, type TemplateVersion } from "./store.ts";

/** Longest text that substitutions may produce, in characters. */
const MAX_CHARS = 30 * 1024 * 1024;
/** Maximum number of searched characters per message: its length for each tag. */
const MAX_SEARCHED = 256 * 1024 * 1024;
/** Links of the vendor: https://www.twilio.com/docs/sendgrid/ui/sending-email/create-and-manage-unsubscribe-groups */
const OWN = /^(?:unsubscribe|unsubscribe_preferences|weblink)$/;

/**
 * Returns a function that renders the template with this id into a message. The vendor accepts a
 * message even if rendering fails, and drops it later
 * (https://github.com/sendgrid/sendgrid-go/issues/255): the reason is then in `rendering_failure`.
 */
export function templateOf(
  id: string,
  { store, account, textOf }: {
    readonly store: Store;
    readonly account: string;
    readonly textOf: TextOfHtml;
  },
): (message: Outgoing) => Outgoing {
  const template = store.template(account, id);
  if (template === undefined) {
    return store.templates(account).length === 0
      ? (one) => warned(one, `the template "${id}" is not known here`)
      : (one) => failed(one, unknownTemplate(id));
  }
  const version = activeVersion(template);
  if (version === undefined) {
    return (one) => failed(one, "The template has no active version");
  }
  return (one) => write(one, { template, version, textOf });
}

/** Returns why a version cannot be rendered. */
export function faultOf({ subject, html, plain }: TemplateVersion): string | undefined {
  try {
    for (const source of [subject, html, plain]) parseHandlebars(source, HELPERS);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

interface Writing {
  readonly template: Template;
  readonly version: TemplateVersion;
  readonly textOf: TextOfHtml;
}

function write(message: Outgoing, { template, version, textOf }: Writing): Outgoing {
  try {
    return template.generation === "dynamic"
      ? writeDynamic(message, version, textOf)
      : writeLegacy(message, version, textOf);
  } catch (error) {
    if (error instanceof TemplateError) return failed(message, error.message);
    throw error;
  }
}

/** The template replaces the content and the subject. */
function writeDynamic(
  { draft, meta }: Outgoing,
  version: TemplateVersion,
  textOf: TextOfHtml,
): Outgoing {
  const model = meta.dynamic_template_data ?? {};
  const use = new TemplateUse(OWN);
  const put = (source: string, escape?: (text: string) => string) =>
    use.render(parseHandlebars(source, HELPERS), model, escape);
  const html = put(version.html, escapeHtml);
  const written = {
    ...draft,
    // The vendor escapes subjects, too: its page has `{{{ }}}` for those with quotation marks.
    subject: put(version.subject, escapeHtml).trim() || draft.subject,
    html,
    text: version.generatesPlain && html !== "" ? textOf(html) : put(version.plain),
  };
  return { draft: written, meta: { ...meta, ...use.notes(model) } };
}

/**
 * `<%body%>` and `<%subject%>` are replaced by the message's own, then substitutions follow
 * (https://www.twilio.com/docs/sendgrid/ui/sending-email/create-and-edit-legacy-transactional-templates).
 */
function writeLegacy(
  { draft, meta }: Outgoing,
  version: TemplateVersion,
  textOf: TextOfHtml,
): Outgoing {
  const pairs = Object.entries(meta.substitutions as Readonly<Record<string, string>> ?? {});
  const put = (source: string, { body, subject }: { body: string; subject: string }): string => {
    const whole = replace(replace(source, "<%body%>", body), "<%subject%>", subject);
    if (whole.length * pairs.length > MAX_SEARCHED) {
      throw new TemplateError("The message has too many substitutions for its length");
    }
    return pairs.reduce(
      (text, [tag, value]) => tag === "" ? text : replace(text, tag, value),
      whole,
    );
  };
  const { subject, text, html } = draft;
  return {
    meta,
    draft: {
      ...draft,
      subject: put(version.subject || "<%subject%>", { body: "", subject }),
      html: put(version.html, { body: html || text, subject }),
      text: put(version.plain, { body: text || textOf(html), subject }),
    },
  };
}

/** Replaces every occurrence. Throws `TemplateError` before the text gets too long. */
function replace(text: string, tag: string, value: string): string {
  const parts = text.split(tag);
  if (text.length + (parts.length - 1) * value.length > MAX_CHARS) {
    throw new TemplateError("The rendered template is too long");
  }
  return parts.join(value);
}

function unknownTemplate(id: string): string {
  return `The template id must be a valid template id for your account. You provided ${id}`;
}

function failed({ draft, meta }: Outgoing, rendering_failure: string): Outgoing {
  return { draft, meta: { ...meta, rendering_failure } };
}

function warned({ draft, meta }: Outgoing, warning: string): Outgoing {
  return { draft, meta: { ...meta, parse_warnings: [warning] } };
}
