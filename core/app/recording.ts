import { isText } from "../bytes/text.ts";
import type { CapturedEvent, RawRecord } from "../events/event.ts";
import type { NewRejected } from "../events/journal.ts";
import type { HttpCall } from "../http/call.ts";
import { nameEvents } from "../http/event_url.ts";
import type { OptionSet } from "../options/spec.ts";
import type { PluginState, ProviderEnv } from "../plugin.ts";

/** The environment of a provider, whatever its options and state. */
export type AnyEnv = ProviderEnv<OptionSet, PluginState>;

/** What a provider did while it answered one HTTP call. */
export interface Recording {
  /** The provider's environment, with captures and refusals of this call noted. */
  readonly env: AnyEnv;
  readonly captured: readonly CapturedEvent[];
  readonly rejected: boolean;
}

/** Wraps a provider's environment for one HTTP call. `raw` is what the journal keeps of a refused call. */
export function recordCall(env: AnyEnv, http: HttpCall, raw: () => Uint8Array): Recording {
  const captured: CapturedEvent[] = [];
  let rejected = false;
  return {
    captured,
    get rejected() {
      return rejected;
    },
    env: {
      values: env.values,
      state: env.state,
      ctx: env.ctx,
      net: env.net,
      capture(event) {
        const added = env.capture(event);
        captured.push(added);
        return added;
      },
      reject(record) {
        rejected = true;
        env.reject({ ...toRejected(http, raw()), ...record });
      },
    },
  };
}

/** What the journal keeps of any refused HTTP call. */
export function toRejected(http: HttpCall, raw: Uint8Array): Omit<NewRejected, "reason"> {
  return {
    peer: http.peer,
    method: http.method,
    path: http.target,
    headers: http.rawHeaders,
    raw,
  };
}

/** The request as received, ready to go on an event. */
export function toRaw(http: HttpCall, body: Uint8Array): RawRecord {
  return {
    transport: "http",
    text: isText(body),
    peer_addr: http.peer,
    http_version: http.version,
    method: http.method,
    path: http.target,
    headers: http.rawHeaders,
    body,
    ...(http.clientCertificate === undefined ? {} : { client_certificate: http.clientCertificate }),
  };
}

/** Longest part of a refusal's body that is quoted in the journal, in characters. */
const QUOTE = 300;

/** Names the captured events, or notes a refusal that the provider did not note itself. */
export function finishCall(
  recording: Recording,
  response: Response,
): Response | Promise<Response> {
  const { env, captured } = recording;
  if (captured.length > 0) {
    nameEvents(response.headers, captured.map(({ id }) => env.ctx.eventUrl(id)));
  } else if (response.status >= 400 && !recording.rejected) {
    return noteRefusal(env, response);
  }
  return response;
}

async function noteRefusal(env: AnyEnv, response: Response): Promise<Response> {
  const answer = (await response.clone().text()).slice(0, QUOTE);
  const reason = `Answered ${response.status}${answer === "" ? "" : `: ${answer}`}`;
  env.reject({ status: response.status, reason });
  return response;
}
