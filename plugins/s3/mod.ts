import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import type { S3State } from "./capture.ts";
import { Catalog } from "./catalog/catalog.ts";
import { http } from "./http/mod.ts";
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
  providers: [http],
  routes,
  open({ ctx }) {
    const catalog = new Catalog({ blobs: ctx.blobs, now: () => ctx.now() });
    return { catalog, reset: () => catalog.clear() };
  },
});
