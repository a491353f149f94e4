import { openState } from "../../core/persist/state.ts";
import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import type { S3State } from "./capture.ts";
import { Catalog } from "./catalog/catalog.ts";
import { restoreCatalog, S3_SCHEMA, toJournal } from "./catalog/store.ts";
import { http } from "./http/mod.ts";
import { S3OperationShape } from "./schema.ts";
import { routes } from "./routes.ts";

/** S3: buckets, objects and multipart uploads of an object store. */
export const s3: AnyPlugin = definePlugin<S3State>({
  id: "s3",
  title: "S3",
  about: "Keeps buckets and objects, as an S3-compatible object store.",
  eventTypes: [
    "s3.bucket.create",
    "s3.bucket.delete",
    "s3.object.put",
    "s3.object.copy",
    "s3.object.delete",
  ],
  payload: S3OperationShape,
  tab: "tabs/s3.js",
  providers: [http],
  routes,
  persists: true,
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  open({ ctx, storage }) {
    const { blobs } = ctx;
    const now = (): Date => ctx.now();
    if (storage.folder === undefined) return toState(new Catalog({ blobs, now, uuid: ctx.uuid }));
    const place = { folder: storage.folder, schema: S3_SCHEMA, blobs, what: "the buckets" };
    return openState(place, (database) => {
      const kept = restoreCatalog(database, blobs);
      return toState(new Catalog({ blobs, now, journal: toJournal(database), kept }));
    });
  },
});

function toState(catalog: Catalog): S3State {
  return { catalog, reset: () => catalog.reset() };
}
