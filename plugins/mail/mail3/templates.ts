/** Calls that manage templates: https://resend.com/docs/api-reference/templates/create-template */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { answerList, required, saveOrRefuse, withBody } from "./calls.ts";
import { fail } from "./fields.ts";
import type { Env } from "./options.ts";
import { checkVariables, findTemplate } from "./rendering.ts";
import { answer, REFUSALS, refuse, toTimestamp, validationError } from "./reply.ts";
import { readFrom, readMailboxes } from "./request.ts";
import type { Template, TemplateContent, TemplateVariable } from "./resources.ts";

/** Maximum number of variables of a template: https://resend.com/docs/dashboard/templates/template-variables */
const MAX_VARIABLES = 50;
const KEY = /^[A-Za-z0-9_]{1,50}$/;
/** Names that the vendor fills in itself. */
const RESERVED = ["FIRST_NAME", "LAST_NAME", "EMAIL", "RESEND_UNSUBSCRIBE_URL", "contact", "this"];

/** `POST /templates`: a draft. */
export function createTemplate(call: IngressCall, env: Env): Response {
  return withBody(call, (at) => {
    const now = env.ctx.now();
    const template: Template = {
      id: env.ctx.uuid(),
      name: required(at, "name"),
      alias: readAlias(at, env, undefined),
      createdAt: now,
      updatedAt: now,
      draft: readContent(at, env, undefined),
    };
    if (template.draft.html === "") required(at, "html");
    env.store.resources.templates.save(template);
    return answer(toReference(template), 201);
  });
}

/** `GET /templates` */
export function listTemplates(call: IngressCall, env: Env): Response {
  return answerList(call, env.store.resources.templates.list(), (template) => {
    const { id, name, status, published_at, created_at, updated_at, alias } = toTemplate(template);
    return { id, name, status, published_at, created_at, updated_at, alias };
  });
}

/** `GET /templates/{id}`; like the calls below, by id or alias. */
export function getTemplate(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, (template) => answer(toTemplate(template)));
}

/** `PATCH /templates/{id}`: changes the draft; the published content stays. */
export function updateTemplate(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, (template) =>
    withBody(call, (at) => {
      const changed: Template = {
        ...template,
        name: at.text("name") || template.name,
        alias: readAlias(at, env, template),
        updatedAt: env.ctx.now(),
        draft: readContent(at, env, template.draft),
      };
      env.store.resources.templates.save(changed);
      return answer(toReference(changed));
    }));
}

/** `POST /templates/{id}/publish` */
export function publishTemplate(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, (template) => {
    const publishedAt = env.ctx.now();
    env.store.resources.templates.save({ ...template, published: template.draft, publishedAt });
    return answer(toReference(template));
  });
}

/** `POST /templates/{id}/duplicate`: a draft again. */
export function duplicateTemplate(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, ({ name, draft }) => {
    const now = env.ctx.now();
    const copy: Template = {
      id: env.ctx.uuid(),
      name: `${name} (Copy)`,
      alias: null,
      createdAt: now,
      updatedAt: now,
      draft: { ...draft, versionId: env.ctx.uuid() },
    };
    env.store.resources.templates.save(copy);
    return answer(toReference(copy), 201);
  });
}

/** `DELETE /templates/{id}` */
export function deleteTemplate(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, (template) => {
    env.store.resources.templates.remove(template.id);
    return answer({ ...toReference(template), deleted: true });
  });
}

function withTemplate(
  call: IngressCall,
  env: Env,
  work: (template: Template) => Response,
): Response {
  const template = findTemplate(env.store.resources.templates.list(), call.params.id ?? "");
  return template === undefined
    ? refuse(REFUSALS.unknownTemplate)
    : saveOrRefuse(() => work(template));
}

function readAlias(at: JsonFields, env: Env, before: Template | undefined): string | null {
  const alias = at.text("alias");
  if (alias === undefined) return before?.alias ?? null;
  const other = env.store.resources.templates.list().find((one) => one.alias === alias);
  if (other !== undefined && other.id !== before?.id) {
    fail(validationError(`A template with the alias '${alias}' already exists`));
  }
  return alias || null;
}

function readContent(
  at: JsonFields,
  env: Env,
  before: TemplateContent | undefined,
): TemplateContent {
  // Checked like in an email, and kept as written.
  readFrom(at);
  const replyTo = readMailboxes(at, "reply_to");
  const content: TemplateContent = {
    versionId: env.ctx.uuid(),
    subject: at.text("subject") ?? before?.subject ?? null,
    html: at.text("html") ?? before?.html ?? "",
    text: at.text("text") ?? before?.text ?? null,
    from: at.text("from") ?? before?.from ?? null,
    replyTo: at.value("reply_to") === undefined
      ? before?.replyTo ?? null
      : replyTo.map(({ name, email }) => name === undefined ? email : `${name} <${email}>`),
    variables: readVariables(at) ?? before?.variables ?? [],
  };
  checkVariables(content);
  return content;
}

function readVariables(at: JsonFields): readonly TemplateVariable[] | undefined {
  const list = at.array("variables");
  if (list === undefined) return undefined;
  if (list.length > MAX_VARIABLES) {
    fail(validationError(`A template can have at most ${MAX_VARIABLES} variables`));
  }
  return list.map((_, index) => readVariable(at.item("variables", index)!));
}

function readVariable(item: JsonFields): TemplateVariable {
  const key = required(item, "key");
  if (!KEY.test(key) || RESERVED.includes(key)) {
    fail(validationError(`'${key}' cannot be the key of a variable`));
  }
  const type = required(item, "type");
  if (type !== "string" && type !== "number") {
    fail(validationError("The `type` field must be `string` or `number`."));
  }
  const fallback = item.value("fallback_value") ?? null;
  if (fallback !== null && typeof fallback !== type) {
    fail(validationError(`The fallback value of '${key}' must be a ${type}`));
  }
  return { key, type, fallback: fallback as string | number | null };
}

function toReference({ id }: Template) {
  return { object: "template", id };
}

function toTemplate(template: Template) {
  const { id, name, alias, draft, published, publishedAt, createdAt, updatedAt } = template;
  const [created_at, updated_at] = [toTimestamp(createdAt), toTimestamp(updatedAt)];
  return {
    ...toReference(template),
    id,
    current_version_id: draft.versionId,
    alias,
    name,
    created_at,
    updated_at,
    status: published === undefined ? "draft" : "published",
    published_at: publishedAt === undefined ? null : toTimestamp(publishedAt),
    from: draft.from,
    subject: draft.subject,
    reply_to: draft.replyTo,
    html: draft.html,
    text: draft.text,
    variables: draft.variables.map(({ key, type, fallback }) => (
      { key, type, fallback_value: fallback, created_at, updated_at }
    )),
    has_unpublished_versions: published !== undefined && published !== draft,
  };
}
