/** nfs: NFS version 3 (RFC 1813) with MOUNT version 3, over the virtual tree. */
import type { CapturedEvent } from "../../../core/events/event.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type PluginContext, tcpProvider } from "../../../core/plugin.ts";
import type { FileOperation } from "../model.ts";
import type { FilesState } from "../record.ts";
import type { Vfs } from "../vfs/vfs.ts";
import { Duplicates } from "./duplicates.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { type NfsService, report, toActor } from "./service.ts";
import { SpareRecords } from "./spare_records.ts";
import { snippets } from "./snippets.ts";
import { Uploads } from "./uploads.ts";
import { Volume } from "./volume.ts";

const serve = onDemand(() => import("./serve.ts"))("serve");

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
      serve: async (wire) =>
        await serve(env, wire, services.get(state.vfs) ?? toService(state.vfs)),
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
