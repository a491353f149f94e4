/** Addresses and domains that may send: https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html */
import { StoreFullError } from "../../../core/errors.ts";
import { isAddress } from "../address_list.ts";
import { accountOf } from "./account.ts";
import { fail } from "./message.ts";
import type { Env } from "./options.ts";
import { exists, invalid, tooLarge } from "./refusals.ts";
import type { Context } from "./send.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Identities of the settings, and those created through the API. */
export function identitiesOf({ call, env }: Context): readonly string[] {
  return [...new Set([...env.values.identities, ...env.store.identities(accountOf(call))])];
}

/** Adds an identity. Throws `Refused`, also for an existing one if it must be new. */
export function addIdentity(name: string, context: Context, { isNew = false } = {}): void {
  const { call, env } = context;
  if (!isAddress(isDomain(name) ? `a@${name}` : name)) {
    fail(invalid(`The identity '${name}' is neither an address nor a domain.`));
  }
  if (isNew && identitiesOf(context).includes(name)) fail(exists(`Email identity ${name}`));
  try {
    env.store.saveIdentity(accountOf(call), name);
  } catch (error) {
    if (error instanceof StoreFullError) fail(tooLarge(error.message));
    throw error;
  }
}

/** Removes an identity. Returns whether it existed. */
export function removeIdentity(name: string, { call, env }: Context): boolean {
  return env.store.removeIdentity(accountOf(call), name);
}

/** Returns whether an identity is a domain. */
export function isDomain(name: string): boolean {
  return !name.includes("@");
}

/** Messages of the last 24 hours. */
export function sentLastDay({ ctx: { plugin, events, now } }: Env): number {
  const since = now().getTime() - DAY_MS;
  return events.list({ plugin, provider: "mail6", type: "mail.message" })
    .filter(({ received_at }) => received_at.getTime() > since).length;
}
