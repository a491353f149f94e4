/** Files of messages, stored before the event that names them. */
import type { BlobRef, PluginContext } from "../../core/plugin.ts";
import { compact } from "../../core/compact.ts";
import type { ChatFile } from "./model.ts";

/** A file before its bytes are stored. */
export interface DraftFile {
  readonly bytes: Uint8Array;
  readonly filename?: string | undefined;
  readonly content_type?: string | undefined;
  readonly title?: string | undefined;
}

/** Stores the files, all or none. Rejects with `StoreFullError`. */
export async function storeFiles(
  { blobs }: Pick<PluginContext, "blobs">,
  drafts: readonly DraftFile[],
): Promise<ChatFile[]> {
  const stored: ChatFile[] = [];
  try {
    for (const draft of drafts) {
      const { bytes, filename, content_type, title } = draft;
      const about = compact({
        filename: filename || undefined,
        content_type: content_type || undefined,
      });
      stored.push(toFile(await blobs.put(bytes, about), title));
    }
  } catch (error) {
    for (const { blob } of stored) await blobs.remove(blob.id);
    throw error;
  }
  return stored;
}

/** Returns a stored file in the form of an event. */
export function toFile(blob: BlobRef, title?: string): ChatFile {
  const { size, filename, content_type } = blob;
  return { blob, size, ...compact({ filename, content_type, title: title || undefined }) };
}
