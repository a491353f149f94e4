/**
 * Data that an application stores at the vendor: templates
 * (https://www.twilio.com/docs/sendgrid/api-reference/transactional-templates) and contacts.
 * Accounts are by subuser, not by key: the vendor's keys may be limited to sending.
 */
import type { MailState } from "../capture.ts";
import type { AccountMap } from "../state.ts";

/** A version of a template. */
export interface TemplateVersion {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly html: string;
  readonly plain: string;
  /** Whether the text is generated from the HTML. */
  readonly generatesPlain: boolean;
  readonly editor: string;
  readonly testData?: string;
  readonly isActive: boolean;
  readonly updatedAt: Date;
}

/** A template with its versions, at most one of which is active. */
export interface Template {
  readonly id: string;
  readonly name: string;
  readonly generation: "legacy" | "dynamic";
  readonly updatedAt: Date;
  readonly versions: readonly TemplateVersion[];
}

/** A contact of Marketing Campaigns: its members as sent, and the generated ones. */
export interface Contact {
  readonly id: string;
  readonly email: string;
  readonly listIds: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A batch of scheduled messages; without a status it is sent. */
export interface Batch {
  readonly id: string;
  readonly status?: "cancel" | "pause";
}

/** Maximum number of batches of an account. */
const MAX_BATCHES = 1000;

/** One per service. */
export class Store {
  readonly #templates: AccountMap<Template>;
  readonly #contacts: AccountMap<Contact>;
  readonly #batches: AccountMap<Batch>;

  constructor(state: MailState) {
    this.#templates = state.shelf();
    this.#contacts = state.shelf();
    this.#batches = state.shelf();
  }

  templates(account: string): readonly Template[] {
    return this.#templates.list(account);
  }

  template(account: string, id: string): Template | undefined {
    return this.#templates.get(account, id);
  }

  /** Adds or replaces a template. Throws `StoreFullError`. */
  saveTemplate(account: string, template: Template): void {
    this.#templates.put(account, template.id, template);
  }

  removeTemplate(account: string, id: string): boolean {
    return this.#templates.delete(account, id);
  }

  contacts(account: string): readonly Contact[] {
    return this.#contacts.list(account);
  }

  /** Returns a contact by its address, case-insensitively. */
  contact(account: string, email: string): Contact | undefined {
    return this.#contacts.get(account, email.toLowerCase());
  }

  /** Adds or replaces a contact. Throws `StoreFullError`. */
  saveContact(account: string, contact: Contact): void {
    this.#contacts.put(account, contact.email.toLowerCase(), contact);
  }

  batches(account: string): readonly Batch[] {
    return this.#batches.list(account);
  }

  batch(account: string, id: string): Batch | undefined {
    return this.#batches.get(account, id);
  }

  /** Adds or replaces a batch; only the last 1000 are kept. Throws `StoreFullError`. */
  saveBatch(account: string, batch: Batch): void {
    const known = this.batches(account);
    if (known.length >= MAX_BATCHES && this.batch(account, batch.id) === undefined) {
      this.#batches.delete(account, known[0]!.id);
    }
    this.#batches.put(account, batch.id, batch);
  }

  removeContact(account: string, email: string): void {
    this.#contacts.delete(account, email.toLowerCase());
  }
}

/** Returns the active version of a template. */
export function activeVersion({ versions }: Template): TemplateVersion | undefined {
  return versions.find(({ isActive }) => isActive);
}
