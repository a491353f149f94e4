/** Warnings kept of one message; more say nothing new. */
const MAX_WARNINGS = 20;

/** What was wrong with a message that was read all the same: one sentence each, none twice. */
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
