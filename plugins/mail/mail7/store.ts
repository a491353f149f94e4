/**
 * Templates created through the API, by key:
 * https://developers.brevo.com/reference/createsmtptemplate
 */
import type { MailState } from "../capture.ts";
import type { Address } from "../model.ts";
import type { AccountMap } from "../state.ts";

/** A template. */
export interface Template {
  readonly id: number;
  readonly name: string;
  readonly subject: string;
  readonly html: string;
  readonly tag: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  readonly sender?: Address;
  readonly replyTo?: Address;
}

/** One per service. */
export class Store {
  readonly #templates: AccountMap<Template>;
  #lastId = 0;

  constructor(state: MailState) {
    this.#templates = state.shelf();
  }

  templates(key: string): readonly Template[] {
    return this.#templates.list(key);
  }

  template(key: string, id: number | string): Template | undefined {
    return this.#templates.get(key, String(id));
  }

  /** Returns an id that no template has. */
  nextId(): number {
    return ++this.#lastId;
  }

  /** Adds or replaces a template. Throws `StoreFullError`. */
  save(key: string, template: Template): void {
    this.#templates.put(key, String(template.id), template);
  }

  remove(key: string, id: number): void {
    this.#templates.delete(key, String(id));
  }
}
