/**
 * Resources that an application creates at the vendor. All keys share them, as in the vendor's
 * teams, because a key may be limited to sending.
 */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import type { Address } from "../model.ts";
import type { AccountMap, MailState } from "../state.ts";

/** A resource with an id. */
export interface Resource {
  readonly id: string;
  readonly createdAt: Date;
}

/** Content of a template: https://resend.com/docs/api-reference/templates/create-template */
export interface TemplateContent {
  readonly versionId: string;
  readonly subject: string | null;
  readonly html: string;
  readonly text: string | null;
  readonly from: string | null;
  readonly replyTo: readonly string[] | null;
  readonly variables: readonly TemplateVariable[];
}

/** A variable of a template. */
export interface TemplateVariable {
  readonly key: string;
  readonly type: string;
  readonly fallback: string | number | null;
}

/** A template: its draft, and its published content. */
export interface Template extends Resource {
  readonly name: string;
  readonly alias: string | null;
  readonly updatedAt: Date;
  readonly draft: TemplateContent;
  readonly published?: TemplateContent;
  readonly publishedAt?: Date;
}

/** A sending domain: https://resend.com/docs/api-reference/domains/create-domain */
export interface Domain extends Resource {
  readonly name: string;
  readonly region: string;
  readonly isVerified: boolean;
  readonly settings: JsonObject;
}

/** An API key; its secret is only in the response that creates it. */
export interface ApiKey extends Resource {
  readonly name: string;
}

/** A segment of contacts, formerly audience. */
export interface Segment extends Resource {
  readonly name: string;
}

/** A contact: https://resend.com/docs/api-reference/contacts/create-contact */
export interface Contact extends Resource {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly unsubscribed: boolean;
  readonly properties: JsonObject;
  readonly segments: readonly string[];
}

/** A broadcast: https://resend.com/docs/api-reference/broadcasts/get-broadcast */
export interface Broadcast extends Resource {
  readonly name: string;
  readonly segmentId: string;
  readonly from: Address;
  readonly subject: string;
  readonly replyTo: readonly Address[];
  readonly previewText: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly topicId: string | null;
  readonly status: "draft" | "scheduled" | "sent";
  /** As written. */
  readonly scheduledAt: string | null;
  readonly sentAt: Date | null;
}

/** An attachment of a received email. */
export interface ReceivedAttachment {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  /** Without angle brackets; `null` if it is not inline. */
  readonly content_id: string | null;
  /** In bytes. */
  readonly size: number;
  /** In base64. */
  readonly content: string;
}

/** An inbound email. */
export interface ReceivedMail extends Resource {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly ReceivedAttachment[];
}

/** Resources of one kind. */
export class Collection<T extends Resource> {
  readonly #shelf: AccountMap<T>;

  constructor(state: MailState) {
    this.#shelf = state.shelf();
  }

  /** Newest first. */
  list(): readonly T[] {
    return this.#shelf.list("").toReversed();
  }

  get(id: string): T | undefined {
    return this.#shelf.get("", id);
  }

  /** Adds or replaces a resource. Throws `StoreFullError`. */
  save(resource: T): void {
    this.#shelf.put("", resource.id, resource);
  }

  remove(id: string): void {
    this.#shelf.delete("", id);
  }
}

/** All resources created through the API. */
export class Resources {
  readonly templates: Collection<Template>;
  readonly domains: Collection<Domain>;
  readonly apiKeys: Collection<ApiKey>;
  readonly segments: Collection<Segment>;
  readonly contacts: Collection<Contact>;
  readonly broadcasts: Collection<Broadcast>;
  /** Not created through the API, but stored in the same way. */
  readonly received: Collection<ReceivedMail>;

  constructor(state: MailState) {
    this.templates = new Collection(state);
    this.domains = new Collection(state);
    this.apiKeys = new Collection(state);
    this.segments = new Collection(state);
    this.contacts = new Collection(state);
    this.broadcasts = new Collection(state);
    this.received = new Collection(state);
  }
}
