/**
 * Calls that manage templates:
 * https://www.twilio.com/docs/sendgrid/api-reference/transactional-templates
 */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";
import { REFUSALS, refuse, whole } from "./reply.ts";
import { accountOf, answerJson, answerNothing, readObject, saveOrRefuse } from "./resources.ts";
import type { Template } from "./store.ts";
import { toTemplate } from "./template_reply.ts";
import { findTemplate, readName } from "./versions.ts";

/** Maximum number of templates of an account, and of a page. */
const [MAX_TEMPLATES, MAX_PAGE] = [300, 200];

const GENERATIONS = ["legacy", "dynamic"] as const;
type Generation = typeof GENERATIONS[number];

/** `POST /v3/templates` */
export function createTemplate(call: IngressCall, env: Env): Response {
  const read = readObject(call, (at) => ({
    name: readName(at, undefined),
    generation: readGeneration(at),
  }));
  return read.ok ? add({ ...read.value, versions: [] }, call, env) : refuse(read.refusal);
}

/** `POST /v3/templates/{template_id}`: a copy, with all versions. */
export function duplicateTemplate(call: IngressCall, env: Env): Response {
  const original = findTemplate(call, env);
  if (original === undefined) return refuse(REFUSALS.unknownTemplate);
  const read = call.body.length === 0
    ? { ok: true as const, value: original.name }
    : readObject(call, (at) => readName(at, original.name));
  if (!read.ok) return refuse(read.refusal);
  const versions = original.versions.map((version) => ({ ...version, id: env.ctx.uuid() }));
  return add({ name: read.value, generation: original.generation, versions }, call, env);
}

/** `GET /v3/templates`, by page if `page_size` is given, as the vendor wants it; else all. */
export function listTemplates(call: IngressCall, env: Env): Response {
  const { query } = call;
  const generations = (query.get("generations") || "legacy").split(",");
  if (!generations.every((name) => GENERATIONS.includes(name as Generation))) {
    return refuse(whole(400, "invalid generations parameter: must be legacy, dynamic or both"));
  }
  const found = env.store.templates(accountOf(call))
    .filter(({ generation }) => generations.includes(generation));
  const size = query.get("page_size");
  if (size === null) return answerJson({ templates: found.map((one) => toTemplate(one)) });
  const [limit, from] = [toCount(size), toCount(query.get("page_token") ?? "0")];
  if (limit === undefined || limit < 1 || limit > MAX_PAGE || from === undefined) {
    return refuse(whole(400, `page_size must be between 1 and ${MAX_PAGE}`));
  }
  const self = `${env.ctx.ingressUrl()}/v3/templates?generations=${generations}&page_size=${limit}`;
  return answerJson({
    result: found.slice(from, from + limit).map((one) => toTemplate(one)),
    _metadata: {
      self: `${self}&page_token=${from}`,
      ...(from > 0 && { prev: `${self}&page_token=${Math.max(0, from - limit)}` }),
      ...(from + limit < found.length && { next: `${self}&page_token=${from + limit}` }),
      count: found.length,
    },
  });
}

/** `GET /v3/templates/{template_id}` */
export function getTemplate(call: IngressCall, env: Env): Response {
  const template = findTemplate(call, env);
  return template === undefined
    ? refuse(REFUSALS.unknownTemplate)
    : answerJson(toTemplate(template, true));
}

/** `PATCH /v3/templates/{template_id}`: its name. */
export function renameTemplate(call: IngressCall, env: Env): Response {
  const template = findTemplate(call, env);
  if (template === undefined) return refuse(REFUSALS.unknownTemplate);
  const read = readObject(call, (at) => readName(at, template.name));
  if (!read.ok) return refuse(read.refusal);
  const renamed = { ...template, name: read.value, updatedAt: env.ctx.now() };
  return saveOrRefuse(() => {
    env.store.saveTemplate(accountOf(call), renamed);
    return answerJson(toTemplate(renamed, true));
  });
}

/** `DELETE /v3/templates/{template_id}`, with its versions. */
export function deleteTemplate(call: IngressCall, env: Env): Response {
  return env.store.removeTemplate(accountOf(call), call.params.template_id ?? "")
    ? answerNothing()
    : refuse(REFUSALS.unknownTemplate);
}

function add(
  parts: Pick<Template, "name" | "generation" | "versions">,
  call: IngressCall,
  env: Env,
): Response {
  const account = accountOf(call);
  if (env.store.templates(account).length >= MAX_TEMPLATES) {
    return refuse(whole(400, `You can have at most ${MAX_TEMPLATES} templates`));
  }
  const uuid = env.ctx.uuid();
  const id = parts.generation === "dynamic" ? `d-${uuid.replaceAll("-", "")}` : uuid;
  const template = { ...parts, id, updatedAt: env.ctx.now() };
  return saveOrRefuse(() => {
    env.store.saveTemplate(account, template);
    return answerJson(toTemplate(template, true), 201);
  });
}

function readGeneration(at: JsonFields): Generation {
  const text = at.text("generation") ?? "legacy";
  const generation = GENERATIONS.find((name) => name === text);
  if (generation === undefined) at.report("generation", "generation must be legacy or dynamic");
  return generation ?? "legacy";
}

function toCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
