import { Type } from "@sinclair/typebox";
import type { BlobRef } from "../../core/blobs/blob.ts";
import { BlobRefShape } from "../../core/blobs/schema.ts";

/** What can happen to the tree. */
export const FILE_OPERATIONS = ["upload", "mkdir", "rename", "delete"] as const;

/** JSON shape of what happened to the tree: payload of every `files.*` event. */
export const FileOperationShape = Type.Object({
  operation: Type.Union(FILE_OPERATIONS.map((word) => Type.Literal(word))),
  path: Type.String({ description: "Absolute path; of a rename, the new one" }),
  old_path: Type.Optional(Type.String({ description: "Only of a rename" })),
  dir: Type.Boolean({ description: "Whether it is a directory" }),
  size: Type.Integer({ description: "Bytes; 0 for a directory" }),
  content_type: Type.Optional(Type.String()),
  blob: Type.Optional(BlobRefShape),
  provider: Type.String(),
  transport: Type.String(),
  peer: Type.Optional(Type.String({ description: "host:port of the client" })),
  user: Type.Optional(Type.String({ description: "Name the client gave" })),
  command: Type.String({ description: "Command of the protocol" }),
}, { $id: "files.Operation" });

/** What happened to the tree. */
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
