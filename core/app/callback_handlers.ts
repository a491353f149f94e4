/** The hooks of providers as the engine calls them. */
import type { CallHandler } from "../callbacks/engine.ts";
import type { CallContext, ProviderCallbacks } from "../callbacks/provider.ts";
import { compact } from "../compact.ts";
import { reasonOf } from "../errors.ts";
import type { Dialer } from "../net/outgoing.ts";
import type { OptionSet } from "../options/spec.ts";
import type { PluginState } from "../plugin.ts";

/** A provider with callbacks. */
interface Bound {
  readonly on: string;
  readonly callbacks: ProviderCallbacks<OptionSet, PluginState>;
  readonly context: CallContext<OptionSet, PluginState>;
}

/** Returns the hooks by provider. */
export function handlersOf(
  opened: Iterable<Bound>,
  dialer: Dialer,
): ReadonlyMap<string, CallHandler> {
  const handlers = new Map<string, CallHandler>();
  for (const { on, callbacks, context } of opened) {
    handlers.set(on, {
      schedule: callbacks.schedule,
      lane: callbacks.lane ?? "event",
      began: (call, event) => callbacks.began?.(call, event, context),
      sign: async (call, about) => await callbacks.sign?.(call, about, context) ?? [],
      async answered(call, event, answer) {
        const about = { ...call, ...compact({ event }) };
        const found = await callbacks.answered?.(about, answer, context) ?? [];
        const { events, ...rest } = "events" in found ? found : { events: found };
        return { captured: events.map(({ id }) => id), ...rest };
      },
      async deliver(call, { headers, signal }) {
        const { timeoutMs } = callbacks.schedule;
        if (call.url.startsWith("http")) {
          return await dialer.request(call, { headers, timeoutMs, signal }).catch(explain);
        }
        await using wire = await dialer.connect(call.url, { timeoutMs, signal });
        return await callbacks.converse!(call, wire, context);
      },
    });
  }
  return handlers;
}

/** Error texts of Deno and Node for a certificate with an untrusted issuer. */
const UNTRUSTED = /UnknownIssuer|self.signed certificate|unable to (?:get|verify)/i;

/** Rejects with the error of a call, and how to fix it. */
function explain(error: unknown): never {
  if (!UNTRUSTED.test(reasonOf(error))) throw error;
  throw new Error(
    `${reasonOf(error)}; name its CA in [callbacks] tls_ca_file (--callbacks-tls-ca-file)`,
    { cause: error },
  );
}
