import { encodeHex } from "@std/encoding/hex";
import { compact } from "../../../core/compact.ts";
import type { CallContext, OutgoingCall } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import type { Store } from "./store.ts";

/** Context of calls to the application. */
export type Context = CallContext<typeof OPTIONS, SmsState, Store>;
/** Fields of a form, in order. */
export type Fields = [name: string, value: string][];

/** Token that signs the calls. */
export function tokenOf({ env, key }: Context): string {
  return env.values.auth_token ?? encodeHex(key("auth token")).slice(0, 32);
}

/** Returns the account that receives messages. */
export function accountSidOf({ env, key }: Context): string {
  return env.values.account_sid ?? `AC${encodeHex(key("account")).slice(0, 32)}`;
}

/** Returns a form call, as the vendor sends it. */
export function toCall(
  name: string,
  { url, fields, note, afterMs }: {
    url: string;
    fields: Fields;
    note: Record<string, unknown>;
    afterMs?: number | undefined;
  },
): OutgoingCall {
  return {
    name,
    url,
    headers: [
      ["Content-Type", "application/x-www-form-urlencoded; charset=UTF-8"],
      ["User-Agent", "TwilioProxy/1.1"],
      ["Accept", "*/*"],
    ],
    body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
    note: { ...note, fields },
    ...compact({ afterMs }),
  };
}
