/** Calls for segments, formerly audiences, and their contacts: https://resend.com/docs/api-reference/contacts/create-contact */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { isAddress } from "../address_list.ts";
import { answerList, required, withBody, withResource } from "./calls.ts";
import { fail } from "./fields.ts";
import type { Env } from "./options.ts";
import { answer, REFUSALS, refuse, toTimestamp, validationError } from "./reply.ts";
import type { Contact, Segment } from "./resources.ts";

/** `POST /segments` and `POST /audiences` */
export function createSegment(call: IngressCall, env: Env): Response {
  return withBody(call, (at) => {
    const segment = { id: env.ctx.uuid(), name: required(at, "name"), createdAt: env.ctx.now() };
    env.store.resources.segments.save(segment);
    return answer({ object: kindOf(call), id: segment.id, name: segment.name }, 201);
  });
}

/** `GET /segments` and `GET /audiences` */
export function listSegments(call: IngressCall, env: Env): Response {
  return answerList(call, env.store.resources.segments.list(), toSegment);
}

/** `GET /segments/{id}` */
export function getSegment(call: IngressCall, env: Env): Response {
  return withSegment(
    call,
    env,
    (segment) => answer({ object: kindOf(call), ...toSegment(segment) }),
  );
}

/** `DELETE /segments/{id}`: its contacts are kept. */
export function deleteSegment(call: IngressCall, env: Env): Response {
  return withSegment(call, env, ({ id }) => {
    env.store.resources.segments.remove(id);
    return answer({ object: kindOf(call), id, deleted: true });
  });
}

/** `GET /segments/{id}/contacts` */
export function listMembers(call: IngressCall, env: Env): Response {
  return withSegment(call, env, ({ id }) => {
    const all = env.store.resources.contacts.list();
    return answerList(call, all.filter(({ segments }) => segments.includes(id)), toContact);
  });
}

/** `POST /contacts`, and `POST /audiences/{id}/contacts`: a known address updates its contact. */
export function createContact(call: IngressCall, env: Env): Response {
  const { segments, contacts } = env.store.resources;
  const within = call.params.id;
  if (within !== undefined && segments.get(within) === undefined) {
    return refuse(REFUSALS.unknownSegment);
  }
  return withBody(call, (at) => {
    const email = required(at, "email");
    if (!isAddress(email)) fail(validationError("Invalid `email` field."));
    const before = findContact(env, email);
    const joined = within === undefined ? readSegments(at, env) : [within];
    const contact: Contact = {
      ...readContact(at, before),
      id: before?.id ?? env.ctx.uuid(),
      email,
      segments: [...new Set([...before?.segments ?? [], ...joined])],
      createdAt: before?.createdAt ?? env.ctx.now(),
    };
    contacts.save(contact);
    return answer({ object: "contact", id: contact.id }, 201);
  });
}

/** `GET /contacts` */
export function listContacts(call: IngressCall, env: Env): Response {
  return answerList(call, env.store.resources.contacts.list(), toContact);
}

/** `GET /contacts/{contact}`; like the calls below, by id or address. */
export function getContact(call: IngressCall, env: Env): Response {
  return withContact(
    call,
    env,
    (contact) =>
      answer({ object: "contact", ...toContact(contact), properties: contact.properties }),
  );
}

/** `PATCH /contacts/{contact}` */
export function updateContact(call: IngressCall, env: Env): Response {
  return withContact(call, env, (contact) =>
    withBody(call, (at) => {
      env.store.resources.contacts.save({ ...contact, ...readContact(at, contact) });
      return answer({ object: "contact", id: contact.id });
    }));
}

/** `DELETE /contacts/{contact}` */
export function deleteContact(call: IngressCall, env: Env): Response {
  return withContact(call, env, ({ id }) => {
    env.store.resources.contacts.remove(id);
    return answer({ object: "contact", contact: id, deleted: true });
  });
}

/** `GET /contacts/{contact}/segments` */
export function listMemberships(call: IngressCall, env: Env): Response {
  return withContact(call, env, ({ segments }) => {
    const all = env.store.resources.segments.list();
    return answerList(call, all.filter(({ id }) => segments.includes(id)), toSegment);
  });
}

/** `POST /contacts/{contact}/segments/{id}` */
export function joinSegment(call: IngressCall, env: Env): Response {
  return changeMembership(call, env, true);
}

/** `DELETE /contacts/{contact}/segments/{id}` */
export function leaveSegment(call: IngressCall, env: Env): Response {
  return changeMembership(call, env, false);
}

function changeMembership(call: IngressCall, env: Env, joins: boolean): Response {
  return withContact(call, env, (contact) =>
    withSegment(call, env, ({ id }) => {
      const others = contact.segments.filter((one) => one !== id);
      const segments = joins ? [...others, id] : others;
      env.store.resources.contacts.save({ ...contact, segments });
      return answer(joins ? { id } : { id, deleted: true });
    }));
}

function withSegment(call: IngressCall, env: Env, work: (segment: Segment) => Response): Response {
  const from = env.store.resources.segments;
  return withResource(call, { from, unknown: REFUSALS.unknownSegment }, work);
}

function withContact(call: IngressCall, env: Env, work: (contact: Contact) => Response): Response {
  const contact = findContact(env, call.params.contact ?? "");
  return contact === undefined ? refuse(REFUSALS.unknownContact) : work(contact);
}

function findContact({ store }: Env, name: string): Contact | undefined {
  const { contacts } = store.resources;
  const address = name.toLowerCase();
  return contacts.get(name) ??
    contacts.list().find(({ email }) => email.toLowerCase() === address);
}

function readSegments(at: JsonFields, env: Env): readonly string[] {
  return (at.array("segments") ?? []).map((_, index) => {
    const id = required(at.item("segments", index)!, "id");
    return env.store.resources.segments.get(id) === undefined ? fail(REFUSALS.unknownSegment) : id;
  });
}

function readContact(
  at: JsonFields,
  before: Contact | undefined,
): Pick<Contact, "firstName" | "lastName" | "unsubscribed" | "properties"> {
  return {
    firstName: at.text("first_name") ?? before?.firstName ?? null,
    lastName: at.text("last_name") ?? before?.lastName ?? null,
    unsubscribed: at.boolean("unsubscribed") ?? before?.unsubscribed ?? false,
    properties: { ...before?.properties, ...at.object("properties") },
  };
}

/** `segment`, or under the older path `audience`. */
function kindOf({ path }: IngressCall): string {
  return path.startsWith("/audiences") ? "audience" : "segment";
}

function toSegment({ id, name, createdAt }: Segment) {
  return { id, name, created_at: toTimestamp(createdAt) };
}

function toContact({ id, email, firstName, lastName, unsubscribed, createdAt }: Contact) {
  return {
    id,
    email,
    first_name: firstName,
    last_name: lastName,
    created_at: toTimestamp(createdAt),
    unsubscribed,
  };
}
