/** Address of a provider. */
export interface Endpoint {
  /** Configured host name. */
  readonly hostname: string;
  /** Bound port. */
  readonly port: number;
  /** With the scheme of the protocol, without a trailing slash: `http://localhost:8822`, `smtp://localhost:1025`. */
  readonly url: string;
}

/** How to redirect one client of the real service to a provider. */
export interface ClientSetting {
  /** Id of the provider. */
  readonly provider: string;
  /** Name of the client as its users know it, with its language: `@sendgrid/mail (Node)`. */
  readonly client: string;
  /** Code with the live address; absent if the host is built into the client. */
  code?(at: Endpoint): string;
  /** Environment variables instead of code. `CA` is replaced by the variable that trusts the CA. */
  readonly environment?: string;
}
