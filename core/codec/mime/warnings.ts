/** Maximum number of warnings of one message. */
const MAX_WARNINGS = 20;

/** Faults of a message that was decoded anyway: one sentence each, without duplicates. */
export class Warnings {
  readonly #list: string[] = [];

  get list(): readonly string[] {
    return this.#list;
  }

  add(warning: string | undefined): void {
    if (warning === undefined || this.#list.includes(warning)) return;
    if (this.#list.length < MAX_WARNINGS) this.#list.push(warning);
    else if (this.#list.length === MAX_WARNINGS) this.#list.push("More warnings were left out");
  }
}
