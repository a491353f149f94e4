import { type Static, Type } from "@sinclair/typebox";
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
export type FileOperation = Static<typeof FileOperationShape>;
