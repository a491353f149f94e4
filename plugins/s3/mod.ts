import { openState } from "../../core/persist/state.ts";
import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import type { S3State } from "./capture.ts";
import { Catalog } from "./catalog/catalog.ts";
import { restoreCatalog, S3_SCHEMA, toJournal } from "./catalog/store.ts";
import { SharedKeeper, toView } from "./catalog/shared.ts";
import { CatalogState } from "./catalog/state.ts";
import { http } from "./http/mod.ts";
import { S3OperationShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { storyKeysOfS3 } from "./story_keys.ts";

/** S3: buckets, objects and multipart uploads of an object store. */
export const s3: AnyPlugin = definePlugin<S3State>({
  id: "s3",
  title: "S3",
  about: "Stores buckets and objects, as an S3-compatible object store.",
  eventTypes: [
    "s3.bucket.create",
    "s3.bucket.delete",
    "s3.object.put",
    "s3.object.copy",
    "s3.object.delete",
    // Recorded only for a bucket's notifications, with callbacks on.
    "s3.bucket.notification",
    "s3.object.tagging",
    "s3.object.acl",
  ],
  payload: S3OperationShape,
  storyKeys: storyKeysOfS3,
  tab: "tabs/s3.js",
  providers: [http],
  routes,
  persists: true,
  shares: true,
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  async open({ ctx, storage }) {
    const { blobs } = ctx;
    const now = (): Date => ctx.now();
    if (storage.shared !== undefined) {
      const state = new CatalogState(blobs);
      const log = await storage.shared.follow(toView(state));
      blobs.prune();
      const shared = { keeper: new SharedKeeper(log), state };
      return toState(new Catalog({ blobs, now, uuid: ctx.uuid, shared }), {
        current: () => log.current(),
      });
    }
    if (storage.folder === undefined) return toState(new Catalog({ blobs, now, uuid: ctx.uuid }));
    const place = { folder: storage.folder, schema: S3_SCHEMA, blobs, what: "the buckets" };
    return openState(place, (database) => {
      const kept = restoreCatalog(database, blobs);
      return toState(new Catalog({ blobs, now, journal: toJournal(database), kept }));
    });
  },
});

function toState(catalog: Catalog, more: Pick<S3State, "current"> = {}): S3State {
  return { catalog, reset: () => catalog.reset(), ...more };
}
