import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { FileOperation } from "./model.ts";

/** Returns the file, also under its earlier name, and the connection that it came by. */
export function storyKeysOfFiles(event: CapturedEvent): StoryKey[] {
  const { path, old_path, provider, peer } = (event as CapturedEvent<FileOperation>).payload;
  const files = [path, old_path].filter((name) => name !== undefined);
  return [
    ...files.map((value): StoryKey => ({ kind: "object", name: "file", value })),
    // NFS and TFTP have no conversation: a mount sends all of a machine's files from one port.
    ...(peer !== undefined && (provider === "ftp" || provider === "sftp")
      ? [{ kind: "object", name: "connection", value: `${provider} ${peer}` } as const]
      : []),
  ];
}
