import type { HeaderPairs } from "../events/event.ts";

/** Number of header fields whose JSON is kept, about one for each connection, and the longest of these in characters. */
const [MOST, LONGEST] = [1024, 1024];

/** JSON of header fields. Requests of a connection that have the same head share their fields, which are encoded once. */
export class FieldTexts {
  readonly #texts = new Map<HeaderPairs, string>();
  #last = "";

  /** Returns the JSON of fields, which must never change. */
  get(fields: HeaderPairs): string {
    const known = this.#texts.get(fields);
    if (known !== undefined) return known;
    let text = JSON.stringify(fields);
    // Connections of one client have the same: one text for all is compared without reading it.
    if (text === this.#last) text = this.#last;
    else this.#last = text;
    if (text.length > LONGEST) return text;
    if (this.#texts.size >= MOST) this.#texts.clear();
    this.#texts.set(fields, text);
    return text;
  }
}
