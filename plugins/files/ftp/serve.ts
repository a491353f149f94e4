/** Serves a connection. */
import { matchesSecret } from "../../../core/http/auth.ts";
import type { Transport } from "../../../core/net/transport.ts";
import type { Place, ProviderEnv } from "../../../core/plugin.ts";
import type { FilesState } from "../record.ts";
import type { Credentials, FtpHandler } from "./conversation.ts";
import { toSubject } from "./faults.ts";
import { type OPTIONS, parseRange } from "./options.ts";
import { serveFtp } from "./session.ts";

/** Serves a connection to its end. */
export async function serve(
  wire: Transport,
  { env, place }: { readonly env: FtpEnv; readonly place: Place },
): Promise<void> {
  const { values } = env;
  const range = values.passive_ports;
  await serveFtp(wire, {
    handler: toHandler(env, wire, place),
    limits: {
      idleMs: values.idle_timeout * 1000,
      stallMs: STALL_MS,
      ...(/^(127\.|\[::1\])/.test(wire.peer) ? LOOPBACK_GRACE : REMOTE_GRACE),
      tlsGraceMs: REMOTE_GRACE.graceMs,
      passiveHost: values.passive_host,
    },
    net: env.net,
    memory: env.ctx.memory,
    tls: values.tls,
    ports: range === undefined ? undefined : parseRange(range),
    acceptMs: values.connection_timeout * 1000,
    signal: AbortSignal.any([env.ctx.signal, place.lost]),
  });
}

const STALL_MS = 60_000;
/** See `FtpLimits`. Over loopback both ends arrive together, unless the client is delayed in between. */
const LOOPBACK_GRACE = { graceMs: 15, steadyGraceMs: 5, swiftGraceMs: 0.05 } as const;
const REMOTE_GRACE = { graceMs: 50, steadyGraceMs: 50, swiftGraceMs: 50 } as const;

type FtpEnv = ProviderEnv<typeof OPTIONS, FilesState>;

function toHandler(env: FtpEnv, wire: Transport, place: Place): FtpHandler {
  return {
    vfs: env.state.vfs,
    admits(credentials) {
      const admitted = isAdmitted(env, credentials);
      if (admitted) place.keep();
      return admitted;
    },
    actor: ({ user, password }, meta) => ({
      provider: "ftp",
      transport: "ftp",
      peer: wire.peer,
      user,
      meta: { auth: { user, password }, ...meta },
      capture: (event) => env.settled(env.capture(event)),
    }),
    refuse: (note) => env.reject({ ...note, peer: wire.peer }),
    fault: (error) =>
      env.ctx.log.error("Cannot carry out a command", { provider: "ftp", peer: wire.peer, error }),
    now: () => env.ctx.now(),
    ask: (phase, about) => env.fault(phase, () => [toSubject(about(), wire.peer)], wire),
  };
}

function isAdmitted({ values }: FtpEnv, { user, password }: Credentials): boolean {
  const matches = (given: string, pinned: string | undefined): boolean =>
    pinned === undefined || matchesSecret(given, pinned);
  return matches(user, values.username) && matches(password, values.password);
}
