import type { BlobRef } from "../../core/blobs/blob.ts";

/** What happened to the tree: payload of every `files.*` event. */
export interface FileOperation {
  /** What was done. */
  readonly operation: "upload" | "mkdir" | "rename" | "delete";
  /** Absolute path; of a rename, the new one. */
  readonly path: string;
  /** Only of a rename. */
  readonly old_path?: string;
  /** Whether it is a directory. */
  readonly dir: boolean;
  /** Bytes; 0 for a directory. */
  readonly size: number;
  /** Media type, by extension or by content. */
  readonly content_type?: string;
  /** The bytes; only of an upload, and only as long as the file is there. */
  readonly blob?: BlobRef;
  /** Protocol it came by, or `api`. */
  readonly provider: string;
  /** What carried it. */
  readonly transport: string;
  /** `host:port` of the client. */
  readonly peer?: string;
  /** Name the client gave. */
  readonly user?: string;
  /** Command of the protocol. */
  readonly command: string;
}
