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

const MAX_BULKS = 1000;

/** A bulk request. */
export interface Bulk {
  readonly id: string;
  readonly subject: string;
  readonly total: number;
  readonly at: Date;
}

/** One per service. */
export class Store {
  readonly #templates: AccountMap<Template>;
  readonly #bulks: AccountMap<Bulk>;
  #lastId = 1000;

  constructor(state: MailState) {
    this.#templates = state.shelf();
    this.#bulks = state.shelf();
  }

  bulk(token: string, id: string): Bulk | undefined {
    return this.#bulks.get(token, id);
  }

  /** Adds a bulk request; only the last 1000 of a server are kept. Throws `StoreFullError`. */
  saveBulk(token: string, bulk: Bulk): void {
    const own = this.#bulks.list(token);
    if (own.length >= MAX_BULKS) this.#bulks.delete(token, own[0]!.id);
    this.#bulks.put(token, bulk.id, bulk);
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
