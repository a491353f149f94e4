/** Calls for contacts and their lists: https://dev.mailjet.com/email/reference/contacts/ */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { isAddress } from "../address_list.ts";
import type { Env } from "./options.ts";
import { refuseRest } from "./reply.ts";
import {
  answerData,
  answerNothing,
  answerPage,
  keyOf,
  saveOrRefuse,
  type Shape,
  textOf,
  toTimestamp,
  withBody,
} from "./rest.ts";
import type { Contact, Resource } from "./store.ts";

const CONTACT: Shape = { Email: "string", Name: "string", IsExcludedFromCampaigns: "any" };
const LIST: Shape = { Name: "string", IsDeleted: "any" };
const MANAGE: Shape = { Email: "string", Name: "string", Action: "string", Properties: "any" };
/** What `managecontact` does: https://dev.mailjet.com/email/reference/contacts/subscriptions/ */
const ACTIONS = ["addforce", "addnoforce", "remove", "unsub"];

/** `POST /v3/REST/contact` */
export function createContact(call: IngressCall, env: Env): Response {
  return withBody(call, CONTACT, (members) => {
    const Email = textOf(members, "Email") ?? "";
    if (!isAddress(Email)) return refuseRest(400, `"${Email}" is an invalid email address.`);
    if (findContact(call, env, Email) !== undefined) {
      return refuseRest(
        400,
        `MJ18 A Contact resource with value "${Email}" for Email already exists.`,
      );
    }
    return answerData([addContact(call, env, { ...members, Email })], 201);
  });
}

/** `GET /v3/REST/contact` */
export function listContacts(call: IngressCall, env: Env): Response {
  return answerPage(call, env.store.contacts(keyOf(call)).list());
}

/** `GET /v3/REST/contact/{id}`; like the calls below, by id or address. */
export function getContact(call: IngressCall, env: Env): Response {
  return withContact(call, env, (contact) => answerData([contact]));
}

/** `PUT /v3/REST/contact/{id}` */
export function updateContact(call: IngressCall, env: Env): Response {
  return withContact(call, env, (contact) =>
    withBody(call, CONTACT, (members) => {
      const changed = { ...contact, ...members, Email: contact.Email };
      env.store.contacts(keyOf(call)).save(changed);
      return answerData([changed]);
    }));
}

/** `GET /v3/REST/contact/{id}/getcontactslists` */
export function listMemberships(call: IngressCall, env: Env): Response {
  return withContact(call, env, ({ ID }) =>
    answerData(
      env.store.memberships(keyOf(call), ID).map(({ listId, isUnsubscribed, at }) => ({
        ListID: listId,
        IsUnsub: isUnsubscribed,
        IsActive: true,
        SubscribedAt: toTimestamp(at),
      })),
    ));
}

/** `POST /v3/REST/contactslist` */
export function createList(call: IngressCall, env: Env): Response {
  return withBody(call, LIST, (members) => {
    const Name = textOf(members, "Name");
    if (!Name) return refuseRest(400, "The Name property is mandatory.");
    const ID = env.store.nextId();
    const list: Resource = {
      Address: `list${ID}`,
      CreatedAt: toTimestamp(env.ctx.now()),
      ID,
      IsDeleted: false,
      Name,
      SubscriberCount: 0,
    };
    env.store.lists(keyOf(call)).save(list);
    return answerData([list], 201);
  });
}

/** `GET /v3/REST/contactslist` */
export function listLists(call: IngressCall, env: Env): Response {
  return answerPage(
    call,
    env.store.lists(keyOf(call)).list(),
    (list) => counted(call, env, list),
  );
}

/** `GET /v3/REST/contactslist/{id}` */
export function getList(call: IngressCall, env: Env): Response {
  return withList(call, env, (list) => answerData([counted(call, env, list)]));
}

/** `PUT /v3/REST/contactslist/{id}` */
export function updateList(call: IngressCall, env: Env): Response {
  return withList(call, env, (list) =>
    withBody(call, LIST, (members) => {
      const changed = { ...list, ...members };
      env.store.lists(keyOf(call)).save(changed);
      return answerData([counted(call, env, changed)]);
    }));
}

/** `DELETE /v3/REST/contactslist/{id}` */
export function deleteList(call: IngressCall, env: Env): Response {
  return withList(call, env, ({ ID }) => {
    const key = keyOf(call);
    for (const contact of env.store.contacts(key).list()) {
      env.store.removeMembership(key, ID, contact.ID);
    }
    env.store.lists(key).remove(ID);
    return answerNothing();
  });
}

/** `POST /v3/REST/contactslist/{id}/managecontact`: adds a contact if it is new. */
export function manageContact(call: IngressCall, env: Env): Response {
  return withList(call, env, ({ ID: listId }) =>
    withBody(call, MANAGE, (members) => {
      const [Email = "", Action = ""] = [textOf(members, "Email"), textOf(members, "Action")];
      if (!isAddress(Email)) return refuseRest(400, `"${Email}" is an invalid email address.`);
      if (!ACTIONS.includes(Action)) {
        return refuseRest(400, `Action must be one of ${ACTIONS.join(", ")}.`);
      }
      const Name = textOf(members, "Name") ?? "";
      const contact = findContact(call, env, Email) ?? addContact(call, env, { Email, Name });
      manage(call, env, { Action, listId, contactId: contact.ID });
      const Properties = members.Properties ?? {};
      return answerData([{ ContactID: contact.ID, Email, Action, Name, Properties }], 201);
    }));
}

function manage(
  call: IngressCall,
  env: Env,
  { Action, listId, contactId }: { Action: string; listId: number; contactId: number },
): void {
  const key = keyOf(call);
  if (Action === "remove") return env.store.removeMembership(key, listId, contactId);
  const before = env.store.membership(key, listId, contactId);
  // An unsubscribed contact is only added again by force.
  if (Action === "addnoforce" && before !== undefined) return;
  const at = before?.at ?? env.ctx.now();
  env.store.saveMembership(key, { listId, contactId, isUnsubscribed: Action === "unsub", at });
}

function addContact(call: IngressCall, env: Env, members: JsonObject & { Email: string }): Contact {
  const contact: Contact = {
    CreatedAt: toTimestamp(env.ctx.now()),
    DeliveredCount: 0,
    ExclusionFromCampaignsUpdatedAt: "",
    ID: env.store.nextId(),
    IsExcludedFromCampaigns: false,
    IsOptInPending: false,
    IsSpamComplaining: false,
    LastActivityAt: "",
    LastUpdateAt: "",
    Name: "",
    UnsubscribedAt: "",
    UnsubscribedBy: "",
    ...members,
    Email: members.Email,
  };
  env.store.contacts(keyOf(call)).save(contact);
  return contact;
}

function findContact(call: IngressCall, env: Env, name: string): Contact | undefined {
  const contacts = env.store.contacts(keyOf(call));
  const address = name.toLowerCase();
  return contacts.get(name) ??
    contacts.list().find(({ Email }) => Email.toLowerCase() === address);
}

function withContact(call: IngressCall, env: Env, work: (contact: Contact) => Response): Response {
  const contact = findContact(call, env, call.params.id ?? "");
  return contact === undefined
    ? refuseRest(404, "Object not found")
    : saveOrRefuse(() => work(contact));
}

function withList(call: IngressCall, env: Env, work: (list: Resource) => Response): Response {
  const list = env.store.lists(keyOf(call)).get(call.params.id ?? "");
  return list === undefined ? refuseRest(404, "Object not found") : saveOrRefuse(() => work(list));
}

/** A list with the number of its contacts. */
function counted(call: IngressCall, env: Env, list: JsonObject): JsonObject {
  const key = keyOf(call);
  const SubscriberCount =
    env.store.contacts(key).list().filter(({ ID }) =>
      env.store.membership(key, Number(list.ID), ID)?.isUnsubscribed === false
    ).length;
  return { ...list, SubscriberCount };
}
