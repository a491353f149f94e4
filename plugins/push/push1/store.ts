/** What the provider keeps between calls: the access token that it gives out. */
export class Store {
  readonly #uuid: () => string;
  #token: string | undefined;

  constructor(uuid: () => string) {
    this.#uuid = uuid;
  }

  /** The same for as long as the service runs; made when it is first asked for. */
  get token(): string {
    this.#token ??= `ya29.${[this.#uuid(), this.#uuid()].join("").replaceAll("-", "")}`;
    return this.#token;
  }
}
