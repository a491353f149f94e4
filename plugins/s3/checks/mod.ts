import { type CheckedFile, fileTopic, readHead } from "../../../core/checks/files.ts";
import { type PluginChecks, pluginChecks } from "../../../core/plugin.ts";
import type { S3Operation } from "../model.ts";

/** Checks of stored objects. */
export const CHECKS: PluginChecks = pluginChecks<CheckedFile>({
  async read(event, { blobs }) {
    const { operation, key = "", content_type: contentType, size, blob } = event
      .payload as S3Operation;
    const isStored = operation === "object.put" || operation === "object.copy";
    // By convention, a key that ends in a slash is a folder.
    const isFolder = key.endsWith("/");
    return {
      name: isStored ? key : "",
      contentType: isStored ? contentType : undefined,
      head: isStored ? await readHead(blobs, blob) : undefined,
      size: isStored && !isFolder ? size : undefined,
    };
  },
  topics: [fileTopic("s3")],
});
