/** Calls that manage templates: https://postmarkapp.com/developer/api/templates-api */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { escapeHtml } from "../template.ts";
import { tokenOf } from "./account.ts";
import { cut, readPage } from "./fetch.ts";
import { fail, openFields, readBody } from "./fields.ts";
import type { Env } from "./options.ts";
import { REFUSALS, vendorRefusal, wrongField } from "./refusals.ts";
import { hasPlace, parse, renderOnce, suggestModel, wrap } from "./rendering.ts";
import { answer, refuse, toTemplate, toTemplateEntry } from "./reply.ts";
import type { Template } from "./store.ts";

/** Maximum number of templates of a server. */
const MAX_TEMPLATES = 100;
const ALIAS = /^[A-Za-z][A-Za-z0-9._-]{0,199}$/;

/** `POST /templates` */
export function createTemplate(call: IngressCall, env: Env): Response {
  return save(call, env, undefined);
}

/** `PUT /templates/{key}` */
export function editTemplate(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  return template === undefined ? refuse(REFUSALS.unknownTemplate) : save(call, env, template);
}

/** `GET /templates/{key}` */
export function getTemplate(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  return template === undefined ? refuse(REFUSALS.unknownTemplate) : answer(toTemplate(template));
}

/** `DELETE /templates/{key}` */
export function deleteTemplate(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  if (template === undefined) return refuse(REFUSALS.unknownTemplate);
  const token = tokenOf(call);
  const user = env.store.templates(token).find(({ layout }) =>
    layout !== null && layout === template.alias
  );
  if (user !== undefined) {
    return refuse(vendorRefusal(1130, `The layout is used by the template '${user.name}'.`));
  }
  env.store.remove(token, template);
  return answer({ ErrorCode: 0, Message: `Template ${template.id} removed.` });
}

/** `GET /templates` */
export function listTemplates(call: IngressCall, env: Env): Response {
  const page = readPage(call.query, 1100);
  if (!page.ok) return refuse(page.refusal);
  const given = new Map([...call.query].map(([name, value]) => [name.toLowerCase(), value]));
  const [type = "All", layout] = [given.get("templatetype"), given.get("layouttemplate")];
  const found = env.store.templates(tokenOf(call)).filter((template) =>
    (type === "All" || template.type === type) && (!layout || template.layout === layout)
  );
  return answer({
    TotalCount: found.length,
    Templates: cut(found, page.value).map(toTemplateEntry),
  });
}

/** `POST /templates/validate` */
export function validateTemplate(call: IngressCall, env: Env): Response {
  const read = readBody(call, (body) => {
    const at = openFields(body);
    const source = {
      Subject: at.text("Subject"),
      HtmlBody: at.text("HtmlBody"),
      TextBody: at.text("TextBody"),
    };
    if (Object.values(source).every((text) => !text)) {
      fail(vendorRefusal(1109, "No template data was supplied."));
    }
    return { source, given: at.object("TestRenderModel"), layout: at.text("LayoutTemplate") };
  });
  if (!read.ok) return refuse(read.refusal);
  const { source, given, layout: alias } = read.value;
  const layout = alias ? env.store.template(tokenOf(call), alias) : undefined;
  const texts = {
    Subject: source.Subject ?? "",
    HtmlBody: wrap(source.HtmlBody ?? "", layout?.html),
    TextBody: wrap(source.TextBody ?? "", layout?.text),
  };
  const parsed = Object.values(texts).map(parse);
  const suggested = suggestModel(parsed.flatMap((one) => one.ok ? one.value : []));
  const model = merged(suggested, given ?? {});
  const parts = Object.entries(texts).map(([name, text]) =>
    [name, text === "" ? null : validity(text, model, name === "HtmlBody")] as const
  );
  return answer({
    AllContentIsValid: parts.every(([, part]) => part === null || part.ContentIsValid),
    ...Object.fromEntries(parts),
    SuggestedTemplateModel: model,
  });
}

function validity(text: string, model: unknown, isHtml: boolean) {
  const rendered = renderOnce(text, model, isHtml ? { escape: escapeHtml } : {});
  if (rendered.ok) {
    return { ContentIsValid: true, ValidationErrors: [], RenderedContent: rendered.value };
  }
  const { message, line, column } = rendered.refusal;
  return {
    ContentIsValid: false,
    ValidationErrors: [{
      Message: message,
      Line: line ?? null,
      CharacterPosition: column ?? null,
    }],
    RenderedContent: null,
  };
}

/** Merges the given model over the suggested one, recursively. */
function merged(
  suggested: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const both = Object.entries(given).map(([name, value]) => {
    const other = suggested[name];
    return [name, isJsonObject(value) && isJsonObject(other) ? merged(other, value) : value];
  });
  return { ...suggested, ...Object.fromEntries(both) };
}

function find(call: IngressCall, { store }: Env): Template | undefined {
  return store.template(tokenOf(call), call.params.key ?? "");
}

function save(call: IngressCall, env: Env, before: Template | undefined): Response {
  const token = tokenOf(call);
  const read = readBody(call, (body) => readTemplate(body, { before, token, env }));
  if (!read.ok) return refuse(read.refusal);
  try {
    env.store.save(token, read.value);
  } catch (error) {
    if (error instanceof StoreFullError) return refuse(vendorRefusal(1107, error.message));
    throw error;
  }
  return answer(toTemplateEntry(read.value));
}

function readTemplate(
  body: unknown,
  { before, token, env }: { before: Template | undefined; token: string; env: Env },
): Template {
  const at = openFields(body);
  const known = env.store.templates(token);
  if (before === undefined && known.length >= MAX_TEMPLATES) {
    fail(vendorRefusal(1105, `A server can have at most ${MAX_TEMPLATES} templates.`));
  }
  const type = at.text("TemplateType") || before?.type || "Standard";
  if (type !== "Standard" && type !== "Layout") fail(wrongField("TemplateType"));
  const name = at.text("Name") ?? before?.name ?? "";
  if (name === "") fail(vendorRefusal(1109, "The template has no 'Name'."));
  const alias = "Alias" in Object(body) ? at.text("Alias") || null : before?.alias ?? null;
  if (alias !== null && !ALIAS.test(alias)) {
    fail(vendorRefusal(1117, `The alias '${alias}' is not valid.`));
  }
  if (alias !== null && known.some((one) => one.alias === alias && one.id !== before?.id)) {
    fail(vendorRefusal(1118, `The alias '${alias}' is used by another template.`));
  }
  const template: Template = {
    id: before?.id ?? env.store.nextId(),
    name,
    alias,
    type,
    subject: at.text("Subject") ?? before?.subject ?? "",
    html: at.text("HtmlBody") ?? before?.html ?? "",
    text: at.text("TextBody") ?? before?.text ?? "",
    layout: "LayoutTemplate" in Object(body)
      ? at.text("LayoutTemplate") || null
      : before?.layout ?? null,
  };
  checkContent(template, known);
  return template;
}

function checkContent(template: Template, known: readonly Template[]): void {
  const { type, subject, html, text, layout } = template;
  if (html === "" && text === "") {
    fail(vendorRefusal(1109, "The template has neither 'HtmlBody' nor 'TextBody'."));
  }
  if (type === "Layout") {
    if (subject !== "" || layout !== null) {
      fail(vendorRefusal(1131, "A layout can have neither a 'Subject' nor a 'LayoutTemplate'."));
    }
    if (![html, text].every((body) => body === "" || hasPlace(body))) {
      fail(vendorRefusal(1131, "A layout must have '{{{ @content }}}' exactly once."));
    }
  } else if (subject === "") fail(vendorRefusal(1109, "The template has no 'Subject'."));
  if (layout !== null && !known.some((one) => one.alias === layout && one.type === "Layout")) {
    fail(REFUSALS.unknownTemplate);
  }
  for (const source of [subject, html, text]) {
    const parsed = parse(source);
    if (!parsed.ok) fail(vendorRefusal(1106, parsed.refusal.message));
  }
}
