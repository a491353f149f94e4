import { Type } from "../shape_type.ts";

/** JSON shape of `BlobRef` (`blob.Ref`). */
export const BlobRefShape = Type.Object({
  id: Type.String({ description: "Id to read it by, under /api/v1/blobs" }),
  size: Type.Integer({ description: "Bytes" }),
  content_type: Type.Optional(Type.String()),
  filename: Type.Optional(Type.String()),
}, { $id: "blob.Ref" });
