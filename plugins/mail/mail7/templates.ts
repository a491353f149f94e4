/** Calls that manage templates: https://developers.brevo.com/reference/createsmtptemplate */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { isAddress, toAddress } from "../address_list.ts";
import { keyOf } from "./account.ts";
import { fail, readBody } from "./fields.ts";
import type { Env } from "./options.ts";
import { answer, invalid, missing, REFUSALS, refuse, toTemplate, vendorRefusal } from "./reply.ts";
import type { Template } from "./store.ts";

/** Maximum and default number of templates per page. */
const [MAX_LIMIT, LIMIT] = [1000, 50];
/** Shortest content that the vendor accepts. */
const MIN_HTML = 10;

/** `POST /v3/smtp/templates` */
export function createTemplate(call: IngressCall, env: Env): Response {
  return save(call, env, undefined);
}

/** `PUT /v3/smtp/templates/{id}` */
export function updateTemplate(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  return template === undefined ? refuse(REFUSALS.unknownTemplate) : save(call, env, template);
}

/** `GET /v3/smtp/templates/{id}` */
export function getTemplate(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  return template === undefined ? refuse(REFUSALS.unknownTemplate) : answer(toTemplate(template));
}

/** `DELETE /v3/smtp/templates/{id}`: inactive ones only. */
export function deleteTemplate(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  if (template === undefined) return refuse(REFUSALS.unknownTemplate);
  if (template.isActive) return refuse(REFUSALS.activeTemplate);
  env.store.remove(keyOf(call), template.id);
  return answer(undefined, 204);
}

/** `GET /v3/smtp/templates` */
export function listTemplates(call: IngressCall, env: Env): Response {
  const { query } = call;
  const [limit, offset] = [Number(query.get("limit") ?? LIMIT), Number(query.get("offset") ?? 0)];
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_LIMIT) {
    return refuse(vendorRefusal(400, "out_of_range", "Limit exceeds max value"));
  }
  if (!Number.isInteger(offset) || offset < 0) return refuse(invalid("offset is not valid"));
  const status = query.get("templateStatus");
  const found = env.store.templates(keyOf(call)).filter(({ isActive }) =>
    status === null || isActive === (status === "true")
  );
  const sorted = query.get("sort") === "asc" ? found : found.toReversed();
  return answer({
    count: found.length,
    templates: sorted.slice(offset, offset + limit).map(toTemplate),
  });
}

function find(call: IngressCall, { store }: Env): Template | undefined {
  return store.template(keyOf(call), call.params.id ?? "");
}

function save(call: IngressCall, env: Env, before: Template | undefined): Response {
  const read = readBody(call, (at) => readTemplate(at, { before, env }));
  if (!read.ok) return refuse(read.refusal);
  try {
    env.store.save(keyOf(call), read.value);
  } catch (error) {
    if (error instanceof StoreFullError) return refuse(invalid(error.message));
    throw error;
  }
  return before === undefined ? answer({ id: read.value.id }, 201) : answer(undefined, 204);
}

function readTemplate(
  at: JsonFields,
  { before, env }: { before: Template | undefined; env: Env },
): Template {
  const required = (name: string, kept: string | undefined): string =>
    at.text(name) || kept || fail(missing(name));
  const html = required("htmlContent", before?.html);
  if (html.length < MIN_HTML) fail(invalid("htmlContent is not valid"));
  const sender = at.child("sender");
  const email = sender?.text("email");
  if (before === undefined && sender === undefined) fail(missing("sender"));
  if (email !== undefined && !isAddress(email, { publicDomain: true })) fail(REFUSALS.badSender);
  const replyTo = at.text("replyTo");
  if (replyTo && !isAddress(replyTo)) fail(invalid("replyTo is not valid"));
  return {
    id: before?.id ?? env.store.nextId(),
    name: required("templateName", before?.name),
    subject: required("subject", before?.subject),
    html,
    tag: at.text("tag") ?? before?.tag ?? "",
    isActive: at.boolean("isActive") ?? before?.isActive ?? false,
    createdAt: before?.createdAt ?? env.ctx.now(),
    modifiedAt: env.ctx.now(),
    ...compact({
      sender: email === undefined ? before?.sender : toAddress(email, sender!.text("name")),
      replyTo: replyTo ? { email: replyTo } : before?.replyTo,
    }),
  };
}
