/** https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/templates */
import { WireError } from "../../../core/bytes/decoder.ts";
import type { FormFields } from "../../../core/codec/form.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { parseHandlebars } from "../handlebars.ts";
import { TemplateError } from "../template.ts";
import { domainOf } from "./account.ts";
import type { Env } from "./options.ts";
import {
  answer,
  missing,
  REFUSALS,
  refuse,
  toTemplate,
  toVersion,
  type VendorRefusal,
  vendorRefusal,
} from "./reply.ts";
import { readForm } from "./request.ts";
import { type Template, type TemplateVersion, versionOf } from "./store.ts";

/** Maximum number of templates of a domain, and versions of a template. */
const [MAX_TEMPLATES, MAX_VERSIONS] = [100, 40];
const NAME = /^[\p{L}\p{N} ._-]{1,255}$/u;

type Done = Result<Response, VendorRefusal>;

/** `POST /v3/{domain}/templates`; with `template`, a first version is created, which is active. */
export function createTemplate(call: IngressCall, env: Env): Promise<Response> {
  return withForm(call, (fields) => {
    const name = fields.first("name") ?? "";
    if (name === "") return failure(missing("name"));
    if (!NAME.test(name)) return failure(vendorRefusal(400, "name parameter is not valid"));
    const domain = domainOf(call);
    if (env.store.template(domain, name) !== undefined) {
      return failure(vendorRefusal(400, "duplicate template"));
    }
    if (env.store.templates(domain).length >= MAX_TEMPLATES) {
      return failure(
        vendorRefusal(400, `you have reached the limit of ${MAX_TEMPLATES} templates`),
      );
    }
    const version = fields.first("template")
      ? readVersion(fields, { env, tag: fields.first("tag") || "initial", active: true })
      : success(undefined);
    if (!version.ok) return version;
    const template: Template = {
      id: env.ctx.uuid(),
      name: name.toLowerCase(),
      description: fields.first("description") ?? "",
      createdBy: fields.first("createdBy") ?? "",
      createdAt: env.ctx.now(),
      versions: version.value === undefined ? [] : [version.value],
    };
    env.store.save(domain, template);
    return success(answer({
      message: "template has been stored",
      template: toTemplate(template, version.value),
    }));
  });
}

/** `GET /v3/{domain}/templates` */
export function listTemplates(call: IngressCall, env: Env): Response {
  const domain = domainOf(call);
  const limit = Number(call.query.get("limit") ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    return refuse(vendorRefusal(400, "limit parameter is not valid"));
  }
  const active = call.query.get("active") === "yes";
  const all = env.store.templates(domain).toSorted((a, b) => a.name < b.name ? -1 : 1);
  const pivot = call.query.get("p") ?? "";
  const page = call.query.get("page") ?? "first";
  const before = all.filter(({ name }) => name < pivot);
  const shown = page === "last"
    ? all.slice(-limit)
    : page === "previous"
    ? before.slice(-limit)
    : all.filter(({ name }) => page === "first" || name > pivot).slice(0, limit);
  const link = (page: string, template?: Template) => {
    const query = new URLSearchParams({ page, limit: String(limit) });
    if (template !== undefined) query.set("p", template.name);
    return `${env.ctx.ingressUrl()}/v3/${domain}/templates?${query}`;
  };
  return answer({
    items: shown.map((one) => toTemplate(one, active ? versionOf(one) : undefined)),
    paging: {
      first: link("first"),
      last: link("last"),
      next: link("next", shown.at(-1)),
      previous: link("previous", shown[0]),
    },
  });
}

/** `DELETE /v3/{domain}/templates` */
export function deleteTemplates(call: IngressCall, { store }: Env): Response {
  const domain = domainOf(call);
  for (const { name } of store.templates(domain)) store.remove(domain, name);
  return answer({ message: "templates have been deleted" });
}

/** `GET /v3/{domain}/templates/{name}` */
export function getTemplate(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  if (template === undefined) return refuse(REFUSALS.unknownTemplate);
  const active = call.query.get("active") === "yes" ? versionOf(template) : undefined;
  return answer({ template: toTemplate(template, active) });
}

/** `PUT /v3/{domain}/templates/{name}`: its description. */
export function updateTemplate(call: IngressCall, env: Env): Promise<Response> {
  return withForm(call, (fields) => {
    const template = find(call, env);
    if (template === undefined) return failure(REFUSALS.unknownTemplate);
    const description = fields.first("description");
    if (description === undefined) return failure(missing("description"));
    env.store.save(domainOf(call), { ...template, description });
    const { name } = template;
    return success(answer({ message: "template has been updated", template: { name } }));
  });
}

/** `DELETE /v3/{domain}/templates/{name}` */
export function deleteTemplate(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  if (template === undefined) return refuse(REFUSALS.unknownTemplate);
  const { name } = template;
  env.store.remove(domainOf(call), name);
  return answer({ message: "template has been deleted", template: { name } });
}

/** `GET /v3/{domain}/templates/{name}/versions` */
export function listVersions(call: IngressCall, env: Env): Response {
  const template = find(call, env);
  if (template === undefined) return refuse(REFUSALS.unknownTemplate);
  const versions = template.versions.map((version) => toVersion(version, true));
  const url = `${env.ctx.ingressUrl()}${call.path}`;
  return answer({
    template: { ...toTemplate(template), versions },
    paging: {
      first: `${url}?page=first`,
      last: `${url}?page=last`,
      next: `${url}?page=next`,
      previous: `${url}?page=previous`,
    },
  });
}

/** `POST /v3/{domain}/templates/{name}/versions` */
export function createVersion(call: IngressCall, env: Env): Promise<Response> {
  return withForm(call, (fields) => {
    const template = find(call, env);
    if (template === undefined) return failure(REFUSALS.unknownTemplate);
    const tag = fields.first("tag");
    if (!tag) return failure(missing("tag"));
    if (template.versions.length >= MAX_VERSIONS) {
      return failure(vendorRefusal(400, `you have reached the limit of ${MAX_VERSIONS} versions`));
    }
    if (versionOf(template, tag) !== undefined) {
      return failure(vendorRefusal(400, `template version with tag '${tag}' already exists`));
    }
    const active = fields.first("active") === "yes" || template.versions.length === 0;
    const version = readVersion(fields, { env, tag, active });
    if (!version.ok) return version;
    env.store.save(domainOf(call), withVersion(template, version.value));
    return success(answer({
      message: "new version of the template has been stored",
      template: toTemplate(template, version.value),
    }));
  });
}

/** `GET /v3/{domain}/templates/{name}/versions/{tag}` */
export function getVersion(call: IngressCall, env: Env): Response {
  const found = findVersion(call, env);
  return found.ok
    ? answer({ template: toTemplate(found.value.template, found.value.version) })
    : refuse(found.refusal);
}

/** `PUT /v3/{domain}/templates/{name}/versions/{tag}` */
export function updateVersion(call: IngressCall, env: Env): Promise<Response> {
  return withForm(call, (fields) => {
    const found = findVersion(call, env);
    if (!found.ok) return found;
    const { template, version: before } = found.value;
    const active = before.active || fields.first("active") === "yes";
    const version = readVersion(fields, { env, tag: before.tag, active, before });
    if (!version.ok) return version;
    env.store.save(domainOf(call), withVersion(template, version.value));
    return success(answer({
      message: "version has been updated",
      template: { name: template.name, version: { tag: before.tag } },
    }));
  });
}

/** `DELETE /v3/{domain}/templates/{name}/versions/{tag}` */
export function deleteVersion(call: IngressCall, env: Env): Response {
  const found = findVersion(call, env);
  if (!found.ok) return refuse(found.refusal);
  const { template, version: { tag, active } } = found.value;
  if (active && template.versions.length > 1) {
    return refuse(vendorRefusal(400, "active version cannot be deleted"));
  }
  const versions = template.versions.filter((version) => version.tag !== tag);
  env.store.save(domainOf(call), { ...template, versions });
  return answer({
    message: "version has been deleted",
    template: { name: template.name, version: { tag } },
  });
}

async function withForm(
  call: IngressCall,
  work: (fields: FormFields) => Done,
): Promise<Response> {
  const form = await readForm(call);
  if (!form.ok) return refuse(form.refusal);
  try {
    const done = work(form.value.fields);
    return done.ok ? done.value : refuse(done.refusal);
  } catch (error) {
    if (error instanceof StoreFullError) return refuse(vendorRefusal(400, error.message));
    throw error;
  }
}

function find(call: IngressCall, { store }: Env): Template | undefined {
  return store.template(domainOf(call), call.params.name ?? "");
}

function findVersion(
  call: IngressCall,
  env: Env,
): Result<{ template: Template; version: TemplateVersion }, VendorRefusal> {
  const template = find(call, env);
  if (template === undefined) return failure(REFUSALS.unknownTemplate);
  const version = versionOf(template, call.params.tag);
  return version === undefined ? failure(REFUSALS.unknownVersion) : success({ template, version });
}

/** Adds or replaces a version; an active one deactivates the previous one. */
function withVersion(template: Template, version: TemplateVersion): Template {
  const others = template.versions.filter(({ tag }) => tag !== version.tag)
    .map((other) => version.active ? { ...other, active: false } : other);
  return { ...template, versions: [...others, version] };
}

function readVersion(
  fields: FormFields,
  { env, tag, active, before }: {
    env: Env;
    tag: string;
    active: boolean;
    before?: TemplateVersion;
  },
): Result<TemplateVersion, VendorRefusal> {
  const template = fields.first("template") ?? before?.template;
  if (!template) return failure(missing("template"));
  const headers = readHeaders(fields.first("headers"));
  if (headers === undefined) return failure(vendorRefusal(400, "headers parameter is not valid"));
  try {
    parseHandlebars(template);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return failure(vendorRefusal(400, `Failed to parse template: ${error.message}`));
  }
  return success({
    id: before?.id ?? env.ctx.uuid(),
    tag: tag.toLowerCase(),
    template,
    comment: fields.first("comment") ?? before?.comment ?? "",
    active,
    createdAt: before?.createdAt ?? env.ctx.now(),
    headers: fields.first("headers") === undefined ? before?.headers ?? {} : headers,
  });
}

/** A JSON object of `From`, `Reply-To` and `Subject`. */
function readHeaders(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (!text) return {};
  try {
    const value = parseJson(text);
    const isGood = isJsonObject(value) &&
      Object.entries(value).every(([name, text]) =>
        ["From", "Reply-To", "Subject"].includes(name) && typeof text === "string"
      );
    return isGood ? value as Readonly<Record<string, string>> : undefined;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
