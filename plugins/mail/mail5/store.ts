/**
 * Templates created through the API, by domain:
 * https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-templates
 */
import type { MailState } from "../capture.ts";
import type { AccountMap } from "../state.ts";

/** A version of a template. */
export interface TemplateVersion {
  readonly id: string;
  readonly tag: string;
  /** Its content. */
  readonly template: string;
  readonly comment: string;
  readonly active: boolean;
  readonly createdAt: Date;
  /** `Subject`, `From` and `Reply-To` of messages that lack them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A template with its versions, one of which is active. */
export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly versions: readonly TemplateVersion[];
}

/** One per service. */
export class Store {
  readonly #templates: AccountMap<Template>;

  constructor(state: MailState) {
    this.#templates = state.shelf();
  }

  templates(domain: string): readonly Template[] {
    return this.#templates.list(domain);
  }

  template(domain: string, name: string): Template | undefined {
    return this.#templates.get(domain, name.toLowerCase());
  }

  /** Adds or replaces a template. Throws `StoreFullError`. */
  save(domain: string, template: Template): void {
    this.#templates.put(domain, template.name.toLowerCase(), template);
  }

  remove(domain: string, name: string): void {
    this.#templates.delete(domain, name.toLowerCase());
  }
}

/** Returns a version by its tag, by default the active one. */
export function versionOf({ versions }: Template, tag = ""): TemplateVersion | undefined {
  if (tag !== "") return versions.find((version) => version.tag === tag.toLowerCase());
  return versions.find(({ active }) => active);
}
