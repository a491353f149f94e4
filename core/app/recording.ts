import { LogWriteError } from "../errors.ts";
import { isText } from "../bytes/text.ts";
import type { NewEvent, RawRecord } from "../events/event.ts";
import type { NewRejected } from "../events/journal.ts";
import {
  type Answer,
  dropAnswer,
  nameEvents,
  type PendingAnswer,
  ShortAnswer,
} from "../http/answer.ts";
import type { HttpCall } from "../http/call.ts";
import type { OptionSet } from "../options/spec.ts";
import type { MaybePromise, PluginState, ProviderEnv } from "../plugin.ts";

/** The environment of any provider. */
export type AnyEnv = ProviderEnv<OptionSet, PluginState>;

const NO_BYTES = new Uint8Array();

/** Record of one HTTP call. */
export class Recording {
  /** The provider's environment, with captures and refusals of this call noted. */
  readonly env: AnyEnv;
  /** Entry of the journal if the call is refused. */
  raw: Uint8Array = NO_BYTES;
  rejected = false;
  /** Warnings for the events and the response. */
  readonly warnings: readonly string[];
  /** `meta` of further events. */
  meta: Readonly<Record<string, unknown>> | undefined;
  /** Ids only: a batch may make more than memory holds, and the first events may be gone before the last. */
  #captured: string[] | undefined;
  #unsettled: Promise<void> | undefined;

  constructor(
    env: AnyEnv,
    http: HttpCall,
    { warnings = [] }: { warnings?: readonly string[] } = {},
  ) {
    this.warnings = warnings;
    const noting: AnyEnv = {
      values: env.values,
      state: env.state,
      store: env.store,
      ctx: env.ctx,
      net: env.net,
      fault: env.fault,
      capture: (event) => {
        const noted = warnings.length === 0 ? event : withWarnings(event, warnings);
        const { meta } = this;
        const added = env.capture(
          meta === undefined ? noted : { ...noted, meta: { ...noted.meta, ...meta } },
        );
        if (this.#captured === undefined) this.#captured = [added.id];
        else this.#captured.push(added.id);
        const kept = env.settled(added);
        if (kept !== undefined) this.#unsettled = bothOf(this.#unsettled, kept);
        return added;
      },
      canceled: env.canceled,
      announce: (event) => env.announce(event),
      settled: (event) => event === undefined ? this.settled() : env.settled(event),
      reject: (record) => {
        this.rejected = true;
        env.reject({ ...toRejected(http, this.raw), ...record });
      },
    };
    // A copy, because the response may wait for the log: docs/decisions/0019.
    this.env = { ...noting };
  }

  /** Ids of the captured events; `undefined` without one. */
  get captured(): readonly string[] | undefined {
    return this.#captured;
  }

  /** Resolves when the log has everything that was captured; `undefined` when it does already. */
  settled(): Promise<void> | undefined {
    return this.#unsettled;
  }

  /** The log has refused something: the call is answered as one that captured nothing. */
  drop(): void {
    this.#captured = undefined;
    this.#unsettled = undefined;
  }
}

/** Most calls capture once, and what the log writes together has one promise. */
function bothOf(earlier: Promise<void> | undefined, kept: Promise<void>): Promise<void> {
  if (earlier === undefined || earlier === kept) return kept;
  const both = Promise.all([earlier, kept]).then(() => {});
  // Awaited with the response, if at all; until then a rejection is not unhandled.
  both.catch(() => {});
  return both;
}

function withWarnings<E extends NewEvent>(event: E, warnings: readonly string[]): E {
  const earlier = event.meta?.parse_warnings;
  const all = [...Array.isArray(earlier) ? earlier : [], ...warnings];
  return { ...event, meta: { ...event.meta, parse_warnings: all } };
}

/** Creates the journal entry of a refused HTTP call. */
export function toRejected(http: HttpCall, raw: Uint8Array): Omit<NewRejected, "reason"> {
  return {
    peer: http.peer,
    method: http.method,
    path: http.target,
    headers: http.rawHeaders,
    raw,
  };
}

/** Converts the request for an event. */
export function toRaw(http: HttpCall, body: Uint8Array): RawRecord {
  const raw: RawRecord = {
    transport: "http",
    text: isText(body),
    peer_addr: http.peer,
    http_version: http.version,
    method: http.method,
    path: http.target,
    headers: http.rawHeaders,
    body,
  };
  const certificate = http.clientCertificate;
  // A copy, because an event keeps only copies: docs/decisions/0019.
  return certificate === undefined ? { ...raw } : { ...raw, client_certificate: certificate };
}

/** Characters quoted of a refusal's body in the journal. */
const QUOTE = 300;

/**
 * Sends a response only once the captures that it acknowledges are stored. If they cannot be, sends the one from
 * `refuse` instead. Names the captured events, or notes a refusal that the provider did not note itself.
 */
export function finishCall(
  recording: Recording,
  answer: Answer,
  refuse: (error: LogWriteError) => MaybePromise<Answer>,
): MaybePromise<Answer> {
  const kept = recording.settled();
  if (kept === undefined) return finish(recording, answer);
  const pending: PendingAnswer = {
    kept,
    async instead(error) {
      if (!(error instanceof LogWriteError)) throw error;
      recording.drop();
      dropAnswer(answer);
      return await finish(recording, await refuse(error));
    },
  };
  if (!(answer instanceof ShortAnswer)) return finishKept(recording, answer, pending);
  // A copy, because it waits for the log: docs/decisions/0019.
  answer.pending = { ...pending };
  return finish(recording, answer);
}

async function finishKept(
  recording: Recording,
  answer: Response,
  { kept, instead }: PendingAnswer,
): Promise<Answer> {
  try {
    await kept;
  } catch (error) {
    return await instead(error);
  }
  return await finish(recording, answer);
}

function finish(recording: Recording, response: Answer): MaybePromise<Answer> {
  const { env, captured, warnings } = recording;
  for (const warning of warnings) response.headers.append("service-warning", warning);
  if (captured !== undefined) {
    nameEvents(response.headers, captured.map((id) => env.ctx.eventUrl(id)));
  } else if (response.status >= 400 && !recording.rejected) {
    return noteRefusal(env, response);
  }
  return response;
}

async function noteRefusal(env: AnyEnv, response: Answer): Promise<Answer> {
  const text = response instanceof ShortAnswer ? "" : await response.clone().text();
  const answer = text.slice(0, QUOTE);
  const reason = `Answered ${response.status}${answer === "" ? "" : `: ${answer}`}`;
  env.reject({ status: response.status, reason });
  return response;
}
