/** nfs: NFS version 3 (RFC 1813) with MOUNT version 3, over the virtual tree. */
import { compact } from "../../../core/compact.ts";
import { CORE_OUTCOMES } from "../../../core/faults/outcome.ts";
import { untilAborted } from "../../../core/faults/pause.ts";
import { parseAddress } from "../../../core/net/address.ts";
import { disturb } from "../../../core/net/network_fault.ts";
import type { Transport } from "../../../core/net/transport.ts";
import type { CapturedEvent } from "../../../core/events/event.ts";
import { type PluginContext, type ProviderEnv, tcpProvider } from "../../../core/plugin.ts";
import { toSubject } from "../faults.ts";
import type { FileOperation } from "../model.ts";
import type { Actor, FilesState } from "../record.ts";
import type { Vfs } from "../vfs/vfs.ts";
import type { Credential } from "./codec/rpc.ts";
import { Duplicates } from "./duplicates.ts";
import { createMount, MOUNT_PROGRAM } from "./mount.ts";
import { clientOf, createNfs, NFS_PROGRAM, type NfsHandler } from "./nfs.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import type { Program } from "./program.ts";
import { serveRpc } from "./session.ts";
import { SpareRecords } from "./spare_records.ts";
import { snippets } from "./snippets.ts";
import { Uploads } from "./uploads.ts";
import { Volume } from "./volume.ts";

type NfsEnv = ProviderEnv<typeof OPTIONS, FilesState>;

/** Machines that one connection may act for; any more count as the first. */
const MAX_CLIENTS = 16;

/** The NFS provider. */
export const nfs = tcpProvider<FilesState, typeof OPTIONS>({
  id: "nfs",
  title: "NFS",
  about: "An NFSv3 export of the virtual tree, with MOUNT on the same port and no portmapper",
  scheme: "nfs",
  options: OPTIONS,
  portOption: "port",
  maxConnections: (values) => values.max_connections,
  snippets: (at) => snippets(at),
  faults: FAULTS,
  async open(env) {
    const { values, state, ctx } = env;
    const toService = (vfs: Vfs): NfsService => {
      const uploads = new Uploads({
        vfs,
        settleMs: values.settle_ms,
        maxWorks: values.handle_cache,
        abandonMs: values.abandon_timeout * 1000,
        now: () => ctx.now(),
        isCaptured: (blob) => isCaptured(ctx, blob),
        refuse: (note) => env.reject(note),
        fault: (error) => report(env, error),
      });
      const volume = new Volume(vfs, uploads);
      const duplicates = new Duplicates({ epoch: () => vfs.tree.clears });
      return { volume, duplicates, spare: new SpareRecords() };
    };
    const services = new Map<Vfs, NfsService>();
    await state.follow(async (vfs) => {
      const service = toService(vfs);
      const { uploads } = service.volume;
      services.set(vfs, service);
      await uploads.restore({ client: "", procedure: "WRITE", actor: toActor(env) });
      return {
        abandon() {
          services.delete(vfs);
          uploads.abandon();
        },
      };
    });
    return {
      // A tree that refuses everything has none.
      serve: (wire) => serve(env, wire, services.get(state.vfs) ?? toService(state.vfs)),
      async [Symbol.asyncDispose]() {
        for (const { volume: { uploads } } of services.values()) {
          await uploads[Symbol.asyncDispose]();
        }
      },
    };
  },
});

/** Whether there is an event of the upload of these bytes. */
function isCaptured({ events, plugin }: PluginContext, blob: string): boolean {
  const match = ({ payload }: CapturedEvent): boolean =>
    (payload as FileOperation).blob?.id === blob;
  return events.list({ plugin, type: "files.upload" }, { limit: 1, match }).length > 0;
}

/** What all connections to one tree share. */
interface NfsService {
  readonly volume: Volume;
  readonly duplicates: Duplicates;
  readonly spare: SpareRecords;
}

async function serve(
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

function toActor(env: NfsEnv): Actor {
  return {
    provider: "nfs",
    transport: "tcp",
    capture: (event) => env.settled(env.capture(event)),
  };
}

/** The caller's own account, for `meta` of events. */
function describe(credential: Credential): { user?: string; meta: Record<string, unknown> } {
  if (credential.flavor === "none") return { meta: { auth: "none" } };
  const { machine, uid, gid, gids } = credential;
  return { user: machine, meta: { auth: "unix", uid, gid, gids } };
}

function report(env: NfsEnv, error: unknown, peer?: string): void {
  env.ctx.log.error("Cannot carry out a call", {
    provider: "nfs",
    ...compact({ peer }),
    error,
  });
}
