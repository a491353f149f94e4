/** Lists of the vendor's newer APIs, and the services that verifications and messages belong to. */
import type { FormFields } from "../../../core/codec/form.ts";
import { hostOf } from "../../../core/http/host.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { accountOfCall } from "./account.ts";
import type { Env } from "./options.ts";
import { cutPage, readPage } from "./paging.ts";
import { answer, badParameter, notFound, refuse } from "./reply.ts";
import { readFields } from "./request.ts";
import type { Service, ServiceKind } from "./store.ts";

/** Differences between the services of the APIs. */
interface Api {
  readonly prefix: "VA" | "MG";
  readonly host: string;
  readonly path: string;
  /** Further fields of a service, with their defaults. */
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

/** https://www.twilio.com/docs/verify/api/service and https://www.twilio.com/docs/messaging/api/service-resource */
const APIS: Readonly<Record<ServiceKind, Api>> = {
  verify: {
    prefix: "VA",
    host: "verify.twilio.com",
    path: "/v2/Services",
    fields: {
      code_length: 6,
      lookup_enabled: false,
      psd2_enabled: false,
      skip_sms_to_landlines: false,
      dtmf_input_required: true,
      tts_name: null,
      do_not_share_warning_enabled: false,
      custom_code_enabled: true,
      default_template_sid: null,
    },
  },
  messaging: {
    prefix: "MG",
    host: "messaging.twilio.com",
    path: "/v1/Services",
    fields: {
      inbound_request_url: null,
      inbound_method: "POST",
      fallback_url: null,
      fallback_method: "POST",
      status_callback: null,
      sticky_sender: true,
      mms_converter: true,
      smart_encoding: false,
      fallback_to_long_code: true,
      area_code_geomatch: true,
      synchronous_validation: false,
      validity_period: 36000,
      scan_message_content: "inherit",
      usecase: "undeclared",
      use_inbound_webhook_on_number: false,
    },
  },
};

/** Digits of a code: https://www.twilio.com/docs/verify/api/service#create-a-service */
const MIN_CODE = 4;
const MAX_CODE = 10;

/** Handlers of one kind of services. */
export function servicesOf(kind: ServiceKind) {
  const api = APIS[kind];
  const record = (service: Service) => toRecord(service, api);
  return {
    async create(call: IngressCall, env: Env): Promise<Response> {
      const form = await readFields(call);
      if (!form.ok) return refuse(form.refusal);
      const name = form.value.first("FriendlyName")?.trim();
      if (!name) return refuse(badParameter("FriendlyName", "it is required"));
      const fields = readSettings(form.value, api.fields);
      if (typeof fields === "string") return refuse(badParameter(fields, "it cannot be used"));
      const now = env.ctx.now();
      const sid = `${api.prefix}${env.ctx.uuid().replaceAll("-", "")}`;
      const service = {
        sid,
        name,
        account: accountOfCall(call),
        fields,
        created: now,
        updated: now,
      };
      env.store.saveService(kind, service);
      return answer(record(service), 201);
    },
    list(call: IngressCall, env: Env): Response {
      const account = accountOfCall(call);
      const all = env.store.services(kind).filter((service) => service.account === account);
      return listAnswer(call, { all: all.map(record), key: "services", path: api.path });
    },
    fetch(call: IngressCall, env: Env): Response {
      const service = findService(kind, call, env);
      return service === undefined ? refuse(notFound(call.path)) : answer(record(service));
    },
    async update(call: IngressCall, env: Env): Promise<Response> {
      const service = findService(kind, call, env);
      if (service === undefined) return refuse(notFound(call.path));
      const form = await readFields(call);
      if (!form.ok) return refuse(form.refusal);
      const fields = readSettings(form.value, { ...api.fields, ...service.fields });
      if (typeof fields === "string") return refuse(badParameter(fields, "it cannot be used"));
      const name = form.value.first("FriendlyName")?.trim() || service.name;
      const changed = { ...service, name, fields, updated: env.ctx.now() };
      env.store.saveService(kind, changed);
      return answer(record(changed));
    },
    remove(call: IngressCall, env: Env): Response {
      const service = findService(kind, call, env);
      if (service === undefined) return refuse(notFound(call.path));
      env.store.saveService(kind, { ...service, removed: true });
      return answer(undefined, 204);
    },
  };
}

/**
 * Returns the service of the path. One that was not created here counts as created in the vendor's
 * console; one that was removed here does not exist.
 */
export function findService(kind: ServiceKind, call: IngressCall, env: Env): Service | undefined {
  const { service: sid = "" } = call.params;
  const api = APIS[kind];
  const known = env.store.service(kind, sid);
  if (known !== undefined) return known.removed ? undefined : known;
  if (!/^[A-Z]{2}[0-9a-zA-Z]{32}$/.test(sid) || !sid.startsWith(api.prefix)) return undefined;
  const now = env.ctx.now();
  const account = accountOfCall(call);
  return { sid, name: "Standin", account, fields: api.fields, created: now, updated: now };
}

/** Returns a page of a newer API, with absolute links, which clients follow. */
function listAnswer(
  call: IngressCall,
  { all, key, path }: {
    readonly all: readonly Record<string, unknown>[];
    readonly key: string;
    readonly path: string;
  },
): Response {
  const request = readPage(call.query);
  if (!request.ok) return refuse(request.refusal);
  const { page, size } = request.value;
  const cut = cutPage(all, { page, size }, () => 0);
  const origin = `${call.tls ? "https" : "http"}://${hostOf(call) ?? call.local}`;
  const link = (page: number) => `${origin}${path}?PageSize=${size}&Page=${page}`;
  return answer({
    meta: {
      page,
      page_size: size,
      first_page_url: link(0),
      previous_page_url: cut.more.before ? link(page - 1) : null,
      url: link(page),
      next_page_url: cut.more.after ? link(page + 1) : null,
      key,
    },
    [key]: cut.items,
  });
}

function toRecord(service: Service, { host, path }: Api): Record<string, unknown> {
  const { sid, name, account, fields, created, updated } = service;
  return {
    sid,
    account_sid: account,
    friendly_name: name,
    ...fields,
    date_created: toInstant(created),
    date_updated: toInstant(updated),
    url: `https://${host}${path}/${sid}`,
    links: {},
  };
}

/** ISO 8601 without fractions, as in the newer APIs. */
export function toInstant(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

/** Returns the settings of a service, or the name of an invalid one. */
function readSettings(form: FormFields, known: Service["fields"]): Service["fields"] | string {
  const fields = { ...known };
  for (const [name, old] of Object.entries(known)) {
    const parameter = name.split("_").map((word) => word[0]!.toUpperCase() + word.slice(1)).join(
      "",
    );
    const given = form.first(parameter)?.trim();
    if (given === undefined || given === "") continue;
    if (typeof old === "boolean") {
      if (!/^(true|false)$/i.test(given)) return parameter;
      fields[name] = /^true$/i.test(given);
    } else if (typeof old === "number") {
      if (!/^\d{1,5}$/.test(given)) return parameter;
      fields[name] = Number(given);
    } else fields[name] = given.slice(0, 2048);
  }
  const { code_length: length } = fields;
  const isShort = typeof length === "number" && (length < MIN_CODE || length > MAX_CODE);
  return isShort ? "CodeLength" : fields;
}
