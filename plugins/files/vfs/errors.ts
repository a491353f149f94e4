/** Why the tree refuses something; each protocol has a table from these to its own codes. */
export type VfsErrorCode =
  | "not_found"
  | "exists"
  | "not_a_directory"
  | "is_a_directory"
  | "not_empty"
  | "invalid_path"
  | "too_large"
  | "no_space"
  /** As "no_space", but there can be some a moment later. */
  | "busy";

/** The only error the tree throws. */
export class VfsError extends Error {
  override name = "VfsError";

  constructor(readonly code: VfsErrorCode, message: string) {
    super(message);
  }
}
