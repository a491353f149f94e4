/** Serves a connection. */
import { CORE_OUTCOMES } from "../../../core/faults/outcome.ts";
import { untilAborted } from "../../../core/faults/pause.ts";
import { parseAddress } from "../../../core/net/address.ts";
import { disturb } from "../../../core/net/network_fault.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { toSubject } from "../faults.ts";
import type { Credential } from "./codec/rpc.ts";
import { createMount, MOUNT_PROGRAM } from "./mount.ts";
import { clientOf, createNfs, NFS_PROGRAM, type NfsHandler } from "./nfs.ts";
import type { Program } from "./program.ts";
import { type NfsEnv, type NfsService, report, toActor } from "./service.ts";
import { serveRpc } from "./session.ts";
import type { Volume } from "./volume.ts";

/** Machines that one connection may act for; any more count as the first. */
const MAX_CLIENTS = 16;

export async function serve(
  env: NfsEnv,
  wire: Transport,
  { volume, duplicates, spare }: NfsService,
): Promise<void> {
  const handler = toHandler(env, wire, volume);
  const { host } = handler;
  const clients = new Set<string>();
  try {
    await serveRpc(wire, {
      programs: new Map<number, Program>([
        [MOUNT_PROGRAM, createMount(volume, () => env.state.shown.tree)],
        [NFS_PROGRAM, createNfs(handler)],
      ]),
      duplicates,
      host,
      memory: env.ctx.memory,
      spare,
      idleMs: env.values.idle_timeout * 1000,
      signal: env.ctx.signal,
      called(credential) {
        const client = clientOf(host, credential);
        if (clients.has(client) || clients.size >= MAX_CLIENTS) return;
        clients.add(client);
        volume.uploads.connected(client);
      },
      refuse: (note) => handler.refuse(note),
      fault: (error) => handler.fault(error),
    });
  } finally {
    // The connection closes afterwards: a client that waits for that knows that its files are uploaded.
    for (const client of clients) await volume.uploads.disconnected(client);
  }
}

function toHandler(env: NfsEnv, wire: Transport, volume: Volume): NfsHandler {
  const { peer } = wire;
  return {
    ask: (phase, about) =>
      env.fault(phase, () => [toSubject(about(), { transport: "tcp", peer })], wire),
    disturb(fault) {
      if (fault.outcome === CORE_OUTCOMES.hang.id) {
        return wire.gone === undefined ? undefined : untilAborted(wire.gone);
      }
      disturb(wire, fault);
      return undefined;
    },
    volume,
    host: parseAddress(peer).hostname,
    actor: (credential) => ({ ...toActor(env), peer, ...describe(credential) }),
    refuse: (note) => env.reject({ ...note, peer }),
    fault: (error) => report(env, error, peer),
    now: () => env.ctx.now(),
  };
}

/** The caller's own account, for `meta` of events. */
function describe(credential: Credential): { user?: string; meta: Record<string, unknown> } {
  if (credential.flavor === "none") return { meta: { auth: "none" } };
  const { machine, uid, gid, gids } = credential;
  return { user: machine, meta: { auth: "unix", uid, gid, gids } };
}
