import type { HeaderPairs } from "../events/event.ts";

/** Number of header fields whose JSON is kept, about one for each connection, and the longest of these in characters. */
const [MOST, LONGEST] = [1024, 1024];

/** JSON of header fields. Requests of a connection that have the same head share their fields, which are encoded once. */
export class FieldTexts {
  readonly #texts = new Map<HeaderPairs, string>();
  /** The text of the fields that were encoded last. */
  #last = "";

  /** Returns the JSON of fields, which must never change. */
  get(fields: HeaderPairs): string {
    const known = this.#texts.get(fields);
    if (known !== undefined) return known;
    const text = JSON.stringify(fields);
    if (text.length > LONGEST) return text;
    // Connections of one client send the same fields. They share one text: equal ones are then found without comparing.
    if (text !== this.#last) this.#last = text;
    if (this.#texts.size >= MOST) this.#texts.clear();
    this.#texts.set(fields, this.#last);
    return this.#last;
  }
}
