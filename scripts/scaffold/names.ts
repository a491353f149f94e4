import type { Kind } from "./kinds.ts";
import type { Vendor } from "./vendor.ts";

/** Names that a file imports from another. */
export interface Import {
  /** `type Name` for a type. */
  readonly names: readonly string[];
  /** Relative to the provider's folder. */
  readonly from: string;
}

/** Capture function of a plugin whose messages have a sender, a recipient and a text. */
export interface Capture {
  readonly name: string;
  readonly isAsync: boolean;
  readonly eventType: string;
  readonly draftType: string;
  /** Imports of the draft's code, including the function. */
  readonly imports: readonly Import[];
  /** Returns the code of the draft from code for its parts. */
  draft(parts: { readonly from: string; readonly to: string; readonly text: string }): string;
  /** Further properties of the event. */
  readonly about: string;
  /** The function that returns a draft as the subject of fault rules. */
  readonly subject: Import;
  /** Path of the text in the payload, for conditions of fault rules. */
  readonly textPath: string;
  /** Sender and recipient of the example. */
  readonly example: { readonly from: string; readonly to: string };
}

/** Names for the templates. */
export interface ProviderNames {
  /** Also the name of the constant, the first word of its flags and the folder. */
  readonly id: string;
  readonly plugin: string;
  readonly kind: Kind;
  /** Of a provider on the shared ingress. */
  readonly vendor: Vendor;
  /** Capture function of the plugin. */
  readonly capture: Capture;
  /** Type of the plugin's state, and its file relative to the provider's folder. */
  readonly stateType: string;
  readonly stateFrom: string;
  /** Default port, for a provider with its own port. */
  readonly port: number;
}

/** Returns `id`. Throws `TypeError` unless it can name a plugin or provider. */
export function checkId(id: string): string {
  if (/^[a-z][a-z0-9]*$/.test(id)) return id;
  throw new TypeError(
    `Cannot use the id "${id}": expected lower-case letters and digits, a letter first`,
  );
}

/** Turns `fax` into `Fax`. */
export function capitalize(id: string): string {
  return id.slice(0, 1).toUpperCase() + id.slice(1);
}
