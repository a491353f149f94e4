/**
 * Calls that manage versions of templates:
 * https://www.twilio.com/docs/sendgrid/api-reference/transactional-templates-versions
 */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import { loadTextOfHtml, type TextOfHtml } from "../../../core/extract/load.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";
import { REFUSALS, refuse, whole } from "./reply.ts";
import { accountOf, answerJson, answerNothing, readObject, saveOrRefuse } from "./resources.ts";
import type { Template, TemplateVersion } from "./store.ts";
import { toVersion } from "./template_reply.ts";

/** Maximum number of versions of a template. */
const MAX_VERSIONS = 300;
/** Characters of names, subjects and contents. */
const [MAX_NAME, MAX_SUBJECT, MAX_CONTENT] = [100, 255, 1_048_576];

/** `POST /v3/templates/{template_id}/versions`: the first is active. */
export async function createVersion(call: IngressCall, env: Env): Promise<Response> {
  const textOf = await loadTextOfHtml();
  const template = findTemplate(call, env);
  if (template === undefined) return refuse(REFUSALS.unknownTemplate);
  if (template.versions.length >= MAX_VERSIONS) {
    return refuse(whole(400, `A template can have at most ${MAX_VERSIONS} versions`));
  }
  return saveVersion(call, env, { template, before: undefined, textOf });
}

/** `GET /v3/templates/{template_id}/versions/{version_id}` */
export function getVersion(call: IngressCall, env: Env): Response {
  return withVersion(call, env, (template, version) => answerJson(toVersion(version, template)));
}

/** `PATCH /v3/templates/{template_id}/versions/{version_id}` */
export async function updateVersion(call: IngressCall, env: Env): Promise<Response> {
  const textOf = await loadTextOfHtml();
  return withVersion(
    call,
    env,
    (template, before) => saveVersion(call, env, { template, before, textOf }),
  );
}

/** `DELETE /v3/templates/{template_id}/versions/{version_id}` */
export function deleteVersion(call: IngressCall, env: Env): Response {
  return withVersion(call, env, (template, version) => {
    const versions = template.versions.filter((one) => one !== version);
    env.store.saveTemplate(accountOf(call), { ...template, versions, updatedAt: env.ctx.now() });
    return answerNothing();
  });
}

/** `POST /v3/templates/{template_id}/versions/{version_id}/activate` */
export function activateVersion(call: IngressCall, env: Env): Response {
  return withVersion(call, env, (template, before) => {
    const version = { ...before, isActive: true, updatedAt: env.ctx.now() };
    return keepVersion(call, env, { template, version, status: 200 });
  });
}

/** Returns the template that a call names. */
export function findTemplate(call: IngressCall, { store }: Env): Template | undefined {
  return store.template(accountOf(call), call.params.template_id ?? "");
}

function withVersion(
  call: IngressCall,
  env: Env,
  work: (template: Template, version: TemplateVersion) => Response,
): Response {
  const template = findTemplate(call, env);
  if (template === undefined) return refuse(REFUSALS.unknownTemplate);
  const version = template.versions.find(({ id }) => id === call.params.version_id);
  return version === undefined ? refuse(REFUSALS.unknownVersion) : work(template, version);
}

function saveVersion(
  call: IngressCall,
  env: Env,
  { template, before, textOf }: {
    template: Template;
    before: TemplateVersion | undefined;
    textOf: TextOfHtml;
  },
): Response {
  const read = readObject(call, (at) => readVersion(at, before, textOf));
  if (!read.ok) return refuse(read.refusal);
  const version: TemplateVersion = {
    ...read.value,
    id: before?.id ?? env.ctx.uuid(),
    updatedAt: env.ctx.now(),
    isActive: read.value.isActive || template.versions.length === 0,
  };
  return keepVersion(call, env, { template, version, status: before === undefined ? 201 : 200 });
}

/** Stores a version; an active one deactivates the others. */
function keepVersion(
  call: IngressCall,
  env: Env,
  { template, version, status }: {
    template: Template;
    version: TemplateVersion;
    status: number;
  },
): Response {
  const isKnown = template.versions.some(({ id }) => id === version.id);
  const others = template.versions.map((one) =>
    one.id === version.id ? version : version.isActive ? { ...one, isActive: false } : one
  );
  const versions = isKnown ? others : [...others, version];
  return saveOrRefuse(() => {
    const updatedAt = env.ctx.now();
    env.store.saveTemplate(accountOf(call), { ...template, versions, updatedAt });
    return answerJson(toVersion(version, template), status);
  });
}

/** Parses a name; by default the previous one. */
export function readName(at: JsonFields, before: string | undefined): string {
  const name = at.text("name") ?? before ?? "";
  if (name === "") at.report("name", "name is required");
  if (name.length > MAX_NAME) at.report("name", `name cannot exceed ${MAX_NAME} characters`);
  return name;
}

function readVersion(
  at: JsonFields,
  before: TemplateVersion | undefined,
  textOf: TextOfHtml,
): Omit<TemplateVersion, "id" | "updatedAt"> {
  const subject = at.text("subject") ?? before?.subject;
  if (subject === undefined) at.report("subject", "subject is required");
  if (subject !== undefined && subject.length > MAX_SUBJECT) {
    at.report("subject", `subject cannot exceed ${MAX_SUBJECT} characters`);
  }
  const active = at.integer("active");
  if (active !== undefined && active !== 0 && active !== 1) {
    at.report("active", "active must be 0 or 1");
  }
  const html = readContent(at, "html_content") ?? before?.html ?? "";
  const given = readContent(at, "plain_content");
  const generatesPlain = at.boolean("generate_plain_content") ?? before?.generatesPlain ??
    true;
  const editor = at.text("editor") ?? before?.editor ?? "code";
  if (editor !== "code" && editor !== "design") {
    at.report("editor", "editor must be code or design");
  }
  return {
    name: readName(at, before?.name),
    subject: subject ?? "",
    html,
    plain: generatesPlain && html !== "" ? textOf(html) : given ?? before?.plain ?? "",
    generatesPlain,
    editor,
    isActive: active === undefined ? before?.isActive ?? false : active === 1,
    ...compact({ testData: at.text("test_data") ?? before?.testData }),
  };
}

function readContent(at: JsonFields, name: string): string | undefined {
  const content = at.text(name);
  if (content !== undefined && content.length > MAX_CONTENT) {
    at.report(name, `${name} cannot exceed ${MAX_CONTENT} bytes`);
  }
  return content;
}
