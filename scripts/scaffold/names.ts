/** How a new provider talks. */
export const KINDS = ["ingress", "http", "tcp", "udp"] as const;

/** One of `KINDS`. */
export type Kind = typeof KINDS[number];

/** What the templates need to know of a new provider. */
export interface ProviderNames {
  /** Also the name of the constant, the first word of its flags and the folder. */
  readonly id: string;
  readonly plugin: string;
  readonly kind: Kind;
  /** `fax.message`. */
  readonly eventType: string;
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
