/** Templates and identities created through the API, by access key and region. */
import type { MailState } from "../capture.ts";
import type { AccountMap } from "../state.ts";

/** A template: https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-api.html */
export interface Template {
  readonly name: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly createdAt: Date;
}

/** One per service. An account is an access key in a region. */
export class Store {
  readonly #templates: AccountMap<Template>;
  readonly #identities: AccountMap<string>;

  constructor(state: MailState) {
    this.#templates = state.shelf();
    this.#identities = state.shelf();
  }

  templates(account: string): readonly Template[] {
    return this.#templates.list(account);
  }

  template(account: string, name: string): Template | undefined {
    return this.#templates.get(account, name);
  }

  /** Adds or replaces a template. Throws `StoreFullError`. */
  saveTemplate(account: string, template: Template): void {
    this.#templates.put(account, template.name, template);
  }

  removeTemplate(account: string, name: string): void {
    this.#templates.delete(account, name);
  }

  identities(account: string): readonly string[] {
    return this.#identities.list(account);
  }

  /** Adds an identity. Throws `StoreFullError`. */
  saveIdentity(account: string, name: string): void {
    this.#identities.put(account, name, name);
  }

  /** Removes an identity. Returns whether it existed. */
  removeIdentity(account: string, name: string): boolean {
    return this.#identities.delete(account, name);
  }
}
