/** Calls for domains and API keys: https://resend.com/docs/api-reference/domains/create-domain */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { answerList, required, withBody, withResource } from "./calls.ts";
import { fail } from "./fields.ts";
import type { Env } from "./options.ts";
import { answer, REFUSALS, toTimestamp, validationError, vendorRefusal } from "./reply.ts";
import type { Domain } from "./resources.ts";

const REGIONS = ["us-east-1", "eu-west-1", "sa-east-1", "ap-northeast-1"];
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
const PERMISSIONS = ["full_access", "sending_access"];

/** `POST /domains` */
export function createDomain(call: IngressCall, env: Env): Response {
  return withBody(call, (at) => {
    const name = required(at, "name").toLowerCase();
    if (!DOMAIN.test(name)) fail(validationError("Invalid `name` field. It must be a domain."));
    const region = at.text("region") ?? "us-east-1";
    if (!REGIONS.includes(region)) {
      fail(vendorRefusal(422, "invalid_region", `Region must be ${REGIONS.join(" | ")}`));
    }
    const domain: Domain = {
      id: env.ctx.uuid(),
      name,
      region,
      isVerified: false,
      settings: readSettings(at),
      createdAt: env.ctx.now(),
    };
    env.store.resources.domains.save(domain);
    return answer({ ...toDomain(domain), records: toRecords(domain) }, 201);
  });
}

/** `GET /domains` */
export function listDomains(call: IngressCall, env: Env): Response {
  return answerList(call, env.store.resources.domains.list(), toDomain);
}

/** `GET /domains/{id}` */
export function getDomain(call: IngressCall, env: Env): Response {
  return withDomain(
    call,
    env,
    (domain) => answer({ object: "domain", ...toDomain(domain), records: toRecords(domain) }),
  );
}

/** `PATCH /domains/{id}`: tracking and TLS. */
export function updateDomain(call: IngressCall, env: Env): Response {
  return withDomain(call, env, (domain) =>
    withBody(call, (at) => {
      const settings = { ...domain.settings, ...readSettings(at) };
      env.store.resources.domains.save({ ...domain, settings });
      return answer({ object: "domain", id: domain.id });
    }));
}

/** `POST /domains/{id}/verify`: marks the domain as verified without querying a name server. */
export function verifyDomain(call: IngressCall, env: Env): Response {
  return withDomain(call, env, (domain) => {
    env.store.resources.domains.save({ ...domain, isVerified: true });
    return answer({ object: "domain", id: domain.id });
  });
}

/** `DELETE /domains/{id}` */
export function deleteDomain(call: IngressCall, env: Env): Response {
  return withDomain(call, env, ({ id }) => {
    env.store.resources.domains.remove(id);
    return answer({ object: "domain", id, deleted: true });
  });
}

/** `POST /api-keys`: https://resend.com/docs/api-reference/api-keys/create-api-key */
export function createKey(call: IngressCall, env: Env): Response {
  return withBody(call, (at) => {
    const name = required(at, "name");
    const permission = at.text("permission") ?? "full_access";
    if (!PERMISSIONS.includes(permission)) {
      fail(validationError(`The \`permission\` field must be ${PERMISSIONS.join(" or ")}.`));
    }
    const id = env.ctx.uuid();
    env.store.resources.apiKeys.save({ id, name, createdAt: env.ctx.now() });
    return answer({ id, token: `re_${env.ctx.uuid().replaceAll("-", "")}` }, 201);
  });
}

/** `GET /api-keys`: without their secrets. */
export function listKeys(call: IngressCall, env: Env): Response {
  return answerList(call, env.store.resources.apiKeys.list(), ({ id, name, createdAt }) => (
    { id, name, created_at: toTimestamp(createdAt), last_used_at: null }
  ));
}

/** `DELETE /api-keys/{id}` */
export function deleteKey(call: IngressCall, env: Env): Response {
  const from = env.store.resources.apiKeys;
  return withResource(call, { from, unknown: REFUSALS.unknownKey }, ({ id }) => {
    from.remove(id);
    return answer({});
  });
}

function withDomain(call: IngressCall, env: Env, work: (domain: Domain) => Response): Response {
  const from = env.store.resources.domains;
  return withResource(call, { from, unknown: REFUSALS.unknownDomain }, work);
}

function readSettings(at: JsonFields) {
  return compact({
    open_tracking: at.boolean("open_tracking"),
    click_tracking: at.boolean("click_tracking"),
    tracking_subdomain: at.text("tracking_subdomain"),
    tls: at.text("tls"),
    custom_return_path: at.text("custom_return_path"),
    capabilities: at.object("capabilities"),
  });
}

function toDomain({ id, name, region, isVerified, settings, createdAt }: Domain) {
  const { custom_return_path: _, ...rest } = settings;
  return {
    id,
    name,
    status: isVerified ? "verified" : "not_started",
    created_at: toTimestamp(createdAt),
    region,
    capabilities: { sending: "enabled", receiving: "disabled" },
    ...rest,
  };
}

function toRecords({ region, isVerified, settings }: Domain) {
  const path = String(settings.custom_return_path ?? "send");
  const common = { ttl: "Auto", status: isVerified ? "verified" : "not_started" };
  return [
    {
      record: "SPF",
      name: path,
      type: "MX",
      value: `feedback-smtp.${region}.amazonses.com`,
      priority: 10,
      ...common,
    },
    {
      record: "SPF",
      name: path,
      type: "TXT",
      value: '"v=spf1 include:amazonses.com ~all"',
      ...common,
    },
    { record: "DKIM", name: "resend._domainkey", type: "TXT", value: "p=standin", ...common },
  ];
}
