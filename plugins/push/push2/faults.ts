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
  status: number,
  reason: VendorRefusal,
  about: string,
): HttpOutcome<typeof OPTIONS, PushState, Store> {
  return {
    id,
    about: `${status}, ${reason}: ${about}`,
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
      410,
      "Unregistered",
      "the device token is no longer valid; the response says since when",
    ),
    outcome("bad_device_token", 400, "BadDeviceToken", "the device token is wrong"),
    outcome("expired_token", 403, "ExpiredProviderToken", "the provider token is stale"),
    outcome("rate_limit", 429, "TooManyRequests", "too many requests to the same device token"),
    outcome("server_error", 500, "InternalServerError", "an internal error"),
    outcome("unregistered_channel", 400, "ChannelNotRegistered", "the channel does not exist"),
    outcome("shutdown", 503, "Shutdown", "the server is shutting down"),
  ],
};
