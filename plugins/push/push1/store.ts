/** Stores the access token that the provider issues. */
export class Store {
  readonly #uuid: () => string;
  #token: string | undefined;

  constructor(uuid: () => string) {
    this.#uuid = uuid;
  }

  /** The same token as long as the service runs. */
  get token(): string {
    this.#token ??= `ya29.${[this.#uuid(), this.#uuid()].join("").replaceAll("-", "")}`;
    return this.#token;
  }
}
