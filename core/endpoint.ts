/** Where a provider can be reached. */
export interface Endpoint {
  /** Configured host name. */
  readonly hostname: string;
  /** Bound port. */
  readonly port: number;
  /** With the scheme of the protocol, without a trailing slash: `http://localhost:8822`, `smtp://localhost:1025`. */
  readonly url: string;
}

/** How one client of the real service is led to a provider. */
export interface ClientSetting {
  /** Id of the provider. */
  readonly provider: string;
  /** The client as its users call it, with its language: `@sendgrid/mail (Node)`. */
  readonly client: string;
  /** What its code sets, on the live address; absent where the client has its host built in. */
  code?(at: Endpoint): string;
  /** What its environment sets in place of that. `CA` stands for the variable that trusts the CA. */
  readonly environment?: string;
}
