/**
 * Templates created through the API, by server: https://postmarkapp.com/developer/api/templates-api
 */
import type { MailState } from "../capture.ts";
import type { AccountMap } from "../state.ts";

/** A template. Without an alias it is only known by its id. */
export interface Template {
  readonly id: number;
  readonly name: string;
  readonly alias: string | null;
  readonly type: "Standard" | "Layout";
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Alias of a layout. */
  readonly layout: string | null;
}

/** One per service. */
export class Store {
  readonly #templates: AccountMap<Template>;
  #lastId = 1000;

  constructor(state: MailState) {
    this.#templates = state.shelf();
  }

  /** Templates of the server with this token. */
  templates(token: string): readonly Template[] {
    return this.#templates.list(token);
  }

  /** Returns a template by id or alias. */
  template(token: string, key: number | string): Template | undefined {
    const byId = this.#templates.get(token, String(key));
    if (byId !== undefined || typeof key === "number") return byId;
    return this.templates(token).find(({ alias }) => alias === key);
  }

  /** Returns an id that no template has. */
  nextId(): number {
    return ++this.#lastId;
  }

  /** Adds or replaces a template. Throws `StoreFullError`. */
  save(token: string, template: Template): void {
    this.#templates.put(token, String(template.id), template);
  }

  remove(token: string, { id }: Template): void {
    this.#templates.delete(token, String(id));
  }
}
