/** Presentation of files in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { FileOperation } from "./model.ts";

/** The change, and the file. */
export const REPORT: PluginReport = {
  parts(event) {
    const file = (event as CapturedEvent<FileOperation>).payload;
    const { operation, path, old_path: oldPath, dir, size, content_type: type, blob } = file;
    const parts: ReportPart[] = [{
      kind: "facts",
      rows: [
        ["Operation", operation],
        ["Path", path],
        ["Before", oldPath],
        ["Size", dir ? undefined : size],
        ["Media type", type],
        ["User", file.user],
        ["Command", file.command],
      ],
    }];
    if (blob !== undefined) parts.push({ kind: "file", name: nameOf(path), type, blob });
    return parts;
  },
};

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
