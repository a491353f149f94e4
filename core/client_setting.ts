import type { Endpoint } from "./plugin.ts";

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
