/** How a new provider talks. */
export const KINDS = ["ingress", "http", "tcp", "udp"] as const;

/** One of `KINDS`. */
export type Kind = typeof KINDS[number];

/** Names that a file takes from another one. */
export interface Import {
  /** `type Name` for what is only a type. */
  readonly names: readonly string[];
  /** Seen from the provider's folder. */
  readonly from: string;
}

/** How a plugin records a message that has a sender, a recipient and a text. */
export interface Capture {
  readonly name: string;
  readonly isAsync: boolean;
  readonly eventType: string;
  readonly draftType: string;
  /** What the code of the draft needs, and the function itself. */
  readonly imports: readonly Import[];
  /** Code of the draft, of code for each of its parts. */
  draft(parts: { readonly from: string; readonly to: string; readonly text: string }): string;
  /** Further properties of what goes on the event besides the draft. */
  readonly about: string;
}

/** What the templates need to know of a new provider. */
export interface ProviderNames {
  /** Also the name of the constant, the first word of its flags and the folder. */
  readonly id: string;
  readonly plugin: string;
  readonly kind: Kind;
  /** How its plugin records a message. */
  readonly capture: Capture;
  /** Type of the plugin's state and the file it comes from, seen from the provider's folder. */
  readonly stateType: string;
  readonly stateFrom: string;
  /** Number in the standard configuration, for a provider with an own port. */
  readonly port: number;
}

/** Throws `TypeError` unless `id` can be an id of a plugin or provider. */
export function checkId(id: string): string {
  if (/^[a-z][a-z0-9]*$/.test(id)) return id;
  throw new TypeError(
    `Cannot use the id "${id}": expected lower-case letters and digits, a letter first`,
  );
}

/** `fax` to `Fax`. */
export function capitalize(id: string): string {
  return id.slice(0, 1).toUpperCase() + id.slice(1);
}
