/** A captured HTTP request as a command for the provider's current address; the captured `Host` is not trusted. */
import { fromBase64 } from "./bytes.js";
import { toCurl } from "./curl.js";
import { plugins } from "./store.js";

/** @import { FullEvent } from "./types.d.ts" */

/** @param {FullEvent} event */
export function curlOf({ plugin, provider, raw }) {
  const own = plugins.peek().find(({ name }) => name === plugin)?.providers
    .find(({ name }) => name === provider);
  return toCurl(raw, {
    origin: own?.url ?? location.origin,
    body: fromBase64(raw.body ?? ""),
  });
}
