/** Contacts of Marketing Campaigns: https://www.twilio.com/docs/sendgrid/api-reference/contacts */
import type { JsonFields, JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { isAddress } from "../address_list.ts";
import type { Env } from "./options.ts";
import { REFUSALS, refuse, whole } from "./reply.ts";
import { accountOf, answerJson, readObject, saveOrRefuse } from "./resources.ts";
import { parseQuery } from "./sgql.ts";
import type { Contact } from "./store.ts";

/** Maximum number of contacts in a call, of addresses in a search, and of contacts in a response. */
const [MAX_CONTACTS, MAX_EMAILS, MAX_FOUND] = [30_000, 100, 50];

/** Members of a contact, besides custom fields; each is a text unless listed below. */
const TEXTS = [
  "address_line_1",
  "address_line_2",
  "city",
  "country",
  "external_id",
  "first_name",
  "last_name",
  "phone_number_id",
  "postal_code",
  "state_province_region",
  "unique_name",
  "anonymous_id",
] as const;
const MEMBERS: ReadonlySet<string> = new Set([
  ...TEXTS,
  "email",
  "alternate_emails",
  "custom_fields",
]);

/** `PUT /v3/marketing/contacts`: adds or changes contacts, at once. */
export function upsertContacts(call: IngressCall, env: Env): Response {
  const account = accountOf(call);
  const read = readObject(call, readUpsert);
  if (!read.ok) return refuse(read.refusal);
  const { contacts, listIds } = read.value;
  return saveOrRefuse(() => {
    const now = env.ctx.now();
    for (const { email, fields } of contacts) {
      const before = env.store.contact(account, email);
      env.store.saveContact(account, {
        id: before?.id ?? env.ctx.uuid(),
        email: before?.email ?? email.toLowerCase(),
        listIds: [...new Set([...before?.listIds ?? [], ...listIds])],
        fields: { ...before?.fields, ...fields },
        createdAt: before?.createdAt ?? now,
        updatedAt: now,
      });
    }
    return answerJson({ job_id: env.ctx.uuid() }, 202);
  });
}

/** `GET /v3/marketing/contacts`: the newest 50. */
export function listContacts(call: IngressCall, env: Env): Response {
  return answerContacts(env.store.contacts(accountOf(call)).toReversed(), env);
}

/** `GET /v3/marketing/contacts/count` */
export function countContacts(call: IngressCall, env: Env): Response {
  const { length } = env.store.contacts(accountOf(call));
  return answerJson({ contact_count: length, billable_count: length });
}

/** `GET /v3/marketing/contacts/{id}` */
export function getContact(call: IngressCall, env: Env): Response {
  const found = env.store.contacts(accountOf(call)).find(({ id }) => id === call.params.id);
  return found === undefined ? refuse(REFUSALS.unknownContact) : answerJson(toContact(found, env));
}

/** `DELETE /v3/marketing/contacts?ids=…` or `?delete_all_contacts=true` */
export function deleteContacts(call: IngressCall, env: Env): Response {
  const account = accountOf(call);
  const ids = (call.query.get("ids") ?? "").split(",").filter((id) => id !== "");
  const all = call.query.get("delete_all_contacts") === "true";
  if (!all && ids.length === 0) return refuse(whole(400, "ids or delete_all_contacts is required"));
  for (const { id, email } of env.store.contacts(account)) {
    if (all || ids.includes(id)) env.store.removeContact(account, email);
  }
  return answerJson({ job_id: env.ctx.uuid() }, 202);
}

/** `POST /v3/marketing/contacts/search`: `{"query": "email LIKE 'ada@%'"}` */
export function searchContacts(call: IngressCall, env: Env): Response {
  const query = readObject(call, (at) => {
    const text = at.text("query");
    if (!text) at.report("query", "query is required");
    return text ?? "";
  });
  if (!query.ok) return refuse(query.refusal);
  const matches = parseQuery(query.value);
  if (matches === undefined) return refuse(whole(400, `invalid query: ${query.value}`));
  const found = env.store.contacts(accountOf(call)).filter((contact) => matches(flat(contact)));
  return answerContacts(found, env);
}

/** `POST /v3/marketing/contacts/search/emails` */
export function findContacts(call: IngressCall, env: Env): Response {
  const emails = readObject(call, (at) => {
    const list = at.array("emails") ?? [];
    if (list.length === 0 || list.length > MAX_EMAILS) {
      at.report("emails", `emails must have 1 to ${MAX_EMAILS} entries`);
    }
    return list.map(String);
  });
  if (!emails.ok) return refuse(emails.refusal);
  const account = accountOf(call);
  const entries = emails.value.map((email) => [email, env.store.contact(account, email)] as const);
  if (entries.every(([, contact]) => contact === undefined)) {
    return refuse(REFUSALS.unknownContact);
  }
  return answerJson({
    result: Object.fromEntries(
      entries.map(([email, contact]) =>
        contact === undefined
          ? [email, { error: "contact not found" }]
          : [email, { contact: toContact(contact, env) }]
      ),
    ),
  });
}

interface Upsert {
  readonly contacts: readonly { readonly email: string; readonly fields: JsonObject }[];
  readonly listIds: readonly string[];
}

function readUpsert(at: JsonFields): Upsert {
  const contacts = at.array("contacts") ?? [];
  if (contacts.length === 0 || contacts.length > MAX_CONTACTS) {
    at.report("contacts", `contacts must have 1 to ${MAX_CONTACTS} entries`);
    return { contacts: [], listIds: [] };
  }
  return {
    listIds: (at.array("list_ids") ?? []).map(String),
    contacts: contacts.flatMap((_, index) => {
      const item = at.item("contacts", index);
      if (item === undefined) return [];
      const email = item.text("email") ?? "";
      if (!isAddress(email)) item.report("email", "valid email is required");
      return [{ email, fields: readFields(item) }];
    }),
  };
}

function readFields(item: JsonFields): JsonObject {
  const fields: Record<string, unknown> = {};
  for (const name of item.names) {
    if (!MEMBERS.has(name)) item.report(name, `unknown field ${name}`);
  }
  for (const name of TEXTS) {
    const text = item.text(name);
    if (text !== undefined) fields[name] = text;
  }
  const others = item.array("alternate_emails");
  if (others !== undefined) fields.alternate_emails = others;
  const custom = item.object("custom_fields");
  if (custom !== undefined) fields.custom_fields = custom;
  return fields;
}

function answerContacts(found: readonly Contact[], env: Env): Response {
  return answerJson({
    result: found.slice(0, MAX_FOUND).map((contact) => toContact(contact, env)),
    contact_count: found.length,
    _metadata: { self: `${env.ctx.ingressUrl()}/v3/marketing/contacts` },
  });
}

/** Fields that a query may use. */
function flat({ id, email, listIds, fields }: Contact): JsonObject {
  const custom = isJsonObject(fields.custom_fields) ? fields.custom_fields : {};
  return { ...custom, ...fields, email, contact_id: id, list_ids: listIds };
}

function toContact({ id, email, listIds, fields, createdAt, updatedAt }: Contact, env: Env) {
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, ""])),
    alternate_emails: [],
    custom_fields: {},
    ...fields,
    id,
    email,
    list_ids: listIds,
    segment_ids: [],
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    _metadata: { self: `${env.ctx.ingressUrl()}/v3/marketing/contacts/${id}` },
  };
}
