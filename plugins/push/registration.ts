/**
 * Marks the token of a captured push as unregistered or registered, as if its app had been deleted
 * or reinstalled. Neither gateway calls the sender, who learns of it when the next push to the
 * token is refused.
 */
import {
  type CallbackKind,
  type CallContext,
  type CapturedEvent,
  defineCallbacks,
  type OptionSet,
  type ProviderCallbacks,
} from "../../core/plugin.ts";
import type { PushState } from "./capture.ts";
import type { GoneTokens } from "./gone_tokens.ts";
import type { PushMessage } from "./model.ts";

/** Returns the callbacks of a gateway; `gone` returns its tokens. */
export function registrationCallbacks<O extends OptionSet, S>(
  { source, answer, gone }: {
    readonly source: string;
    /** Description of the response to the next push. */
    readonly answer: string;
    gone(state: PushState): GoneTokens;
  },
): ProviderCallbacks<O, PushState, S> {
  const kinds: Readonly<Record<string, CallbackKind>> = {
    unregistered: {
      label: "Unregister the device",
      about: `No call: from now on, pushes to the token are answered with ${answer}`,
      source,
    },
    registered: {
      label: "Register the device again",
      about: "No call: pushes to the token are accepted again",
      source,
    },
  };
  const isGone = (event: CapturedEvent, { env }: CallContext<O, PushState, S>): boolean => {
    const { app = "", target } = event.payload as PushMessage;
    return gone(env.state).since(app, target.value) !== undefined;
  };
  return defineCallbacks<O, PushState, S>({
    schedule: { delaysMs: [], timeoutMs: 0, source },
    kinds,
    applies: (name, event, context) =>
      isDevice(event) && isGone(event, context) === (name === "registered"),
    make({ event, name }, { env }) {
      if (!isDevice(event)) {
        throw new RangeError(`Cannot send "${name}": the push is not to a device`);
      }
      const { app = "", target } = event.payload as PushMessage;
      const tokens = gone(env.state);
      if (name === "unregistered") tokens.add(app, target.value, env.ctx.now());
      else tokens.delete(app, target.value);
      return [];
    },
  });
}

function isDevice({ payload }: CapturedEvent): boolean {
  return (payload as PushMessage).target.kind === "device";
}
