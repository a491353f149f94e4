/** Faults of the APNs provider API, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import type { FaultyCall, HttpFaults, HttpOutcome } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import { aboutOf } from "./about.ts";
import type { OPTIONS } from "./options.ts";
import { refuse, type VendorRefusal } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const RESPONSES = "https://developer.apple.com/documentation/usernotifications/" +
  "handling-notification-responses-from-apns";

type Call = Pick<FaultyCall<typeof OPTIONS, PushState, Store>, "call" | "env">;

function outcome(
  id: string,
  about: string,
  reason: VendorRefusal,
): HttpOutcome<typeof OPTIONS, PushState, Store> {
  return {
    id,
    about: `${about}, ${reason}`,
    source: RESPONSES,
    answer({ call, env }: Call) {
      return refuse(reason, { env, about: aboutOf(call, env) });
    },
  };
}

/** Outcomes of a push. */
export const FAULTS: HttpFaults<typeof OPTIONS, PushState, Store> = {
  phases: { capture: "A push to a device or a channel: payload is the push" },
  subjects: called("subjectsOf"),
  outcomes: [
    outcome(
      "unregistered",
      "410 with the time from which the device token was invalid",
      "Unregistered",
    ),
    outcome("bad_device_token", "400: the device token is wrong", "BadDeviceToken"),
    outcome("expired_token", "403: the provider token is stale", "ExpiredProviderToken"),
    outcome("rate_limit", "429: too many requests to the same device token", "TooManyRequests"),
    outcome("server_error", "500: an internal error", "InternalServerError"),
    outcome("unregistered_channel", "400: the channel does not exist", "ChannelNotRegistered"),
    outcome("shutdown", "503: the server is shutting down", "Shutdown"),
  ],
};
