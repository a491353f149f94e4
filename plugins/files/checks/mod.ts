import { typeByExtension } from "@std/media-types/type-by-extension";
import { type CheckedFile, fileTopic, readHead } from "../../../core/checks/files.ts";
import { type PluginChecks, pluginChecks } from "../../../core/plugin.ts";
import type { FileOperation } from "../model.ts";

/** Checks of uploads. */
export const CHECKS: PluginChecks = pluginChecks<CheckedFile>({
  async read(event, { blobs }) {
    const { operation, path, dir, size, blob } = event.payload as FileOperation;
    const isUpload = operation === "upload";
    return {
      name: operation === "delete" ? "" : path,
      // The protocols have no media types, so other programs rely on the extension.
      contentType: isUpload ? typeByExtension(/[^./]*$/.exec(path)![0]) : undefined,
      head: isUpload ? await readHead(blobs, blob) : undefined,
      size: isUpload && !dir ? size : undefined,
    };
  },
  topics: [fileTopic("files")],
});
