/**
 * Data that an application stores at the vendor, by API key:
 * https://dev.mailjet.com/email/reference/templates/
 */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import type { MailState } from "../capture.ts";
import type { AccountMap } from "../state.ts";

/** A resource, whose members are spelled as the vendor does. */
export interface Resource {
  readonly ID: number;
  readonly [name: string]: unknown;
}

/** Content of a template. */
export interface Content {
  /** `From`, `Reply-To` and `Subject` of messages that lack them, among others. */
  readonly headers: JsonObject;
  readonly html: string;
  readonly text: string;
  /** As sent; the vendor's package for Go reads nothing but an object, or null. */
  readonly mjml: unknown;
}

/** A template, and its content once it has one. */
export interface Template extends Resource {
  readonly Name: string;
}

/** A contact. */
export interface Contact extends Resource {
  readonly Email: string;
}

/** A contact in a list. */
export interface Membership {
  readonly contactId: number;
  readonly listId: number;
  readonly isUnsubscribed: boolean;
  readonly at: Date;
}

/** One per service. */
export class Store {
  readonly #templates: AccountMap<Template>;
  readonly #contents: AccountMap<Content>;
  readonly #contacts: AccountMap<Contact>;
  readonly #lists: AccountMap<Resource>;
  readonly #memberships: AccountMap<Membership>;
  #lastId = 0;

  constructor(state: MailState) {
    this.#templates = state.shelf();
    this.#contents = state.shelf();
    this.#contacts = state.shelf();
    this.#lists = state.shelf();
    this.#memberships = state.shelf();
  }

  /** Returns an id that no resource has. */
  nextId(): number {
    return ++this.#lastId;
  }

  /** Templates of a key. */
  templates(key: string): Kind<Template> {
    return new Kind(this.#templates, key);
  }

  /** Contacts of a key. */
  contacts(key: string): Kind<Contact> {
    return new Kind(this.#contacts, key);
  }

  /** Contact lists of a key. */
  lists(key: string): Kind<Resource> {
    return new Kind(this.#lists, key);
  }

  content(key: string, template: number): Content | undefined {
    return this.#contents.get(key, String(template));
  }

  /** Keeps the content of a template. Throws `StoreFullError`. */
  saveContent(key: string, template: number, content: Content): void {
    this.#contents.put(key, String(template), content);
  }

  removeContent(key: string, template: number): void {
    this.#contents.delete(key, String(template));
  }

  /** Lists that a contact is in, or was. */
  memberships(key: string, contactId: number): readonly Membership[] {
    return this.#memberships.list(key).filter((one) => one.contactId === contactId);
  }

  membership(key: string, listId: number, contactId: number): Membership | undefined {
    return this.#memberships.get(key, `${listId} ${contactId}`);
  }

  /** Throws `StoreFullError`. */
  saveMembership(key: string, membership: Membership): void {
    const name = `${membership.listId} ${membership.contactId}`;
    this.#memberships.put(key, name, membership);
  }

  removeMembership(key: string, listId: number, contactId: number): void {
    this.#memberships.delete(key, `${listId} ${contactId}`);
  }
}

/** Resources of one kind and key. */
export class Kind<T extends Resource> {
  constructor(readonly shelf: AccountMap<T>, readonly key: string) {}

  list(): readonly T[] {
    return this.shelf.list(this.key);
  }

  get(id: number | string): T | undefined {
    return this.shelf.get(this.key, String(id));
  }

  /** Adds or replaces a resource. Throws `StoreFullError`. */
  save(resource: T): void {
    this.shelf.put(this.key, String(resource.ID), resource);
  }

  remove(id: number): void {
    this.shelf.delete(this.key, String(id));
  }
}
