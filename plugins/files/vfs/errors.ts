import { LogWriteError, MemoryFullError, StoreFullError } from "../../../core/errors.ts";

/** Reasons for refusals of the tree; each protocol maps them to its own codes. */
export type VfsErrorCode =
  | "not_found"
  | "exists"
  | "not_a_directory"
  | "is_a_directory"
  | "not_empty"
  | "invalid_path"
  | "too_large"
  | "no_space"
  /** Like "no_space", but only temporary. */
  | "busy"
  /** Another instance writes the tree, and this one cannot reach it. */
  | "elsewhere";

/** The only error the tree throws. */
export class VfsError extends Error {
  override name = "VfsError";

  constructor(readonly code: VfsErrorCode, message: string) {
    super(message);
  }
}

/** Throws lack of memory, and a store that does not answer, as `VfsError` "busy"; every other error as it is. */
export function refuseBusy(error: unknown): never {
  if (error instanceof MemoryFullError || error instanceof LogWriteError) {
    throw new VfsError("busy", error.message);
  }
  throw error;
}

/** The same, and throws a full store as `VfsError` "no_space". */
export function refuseFull(error: unknown): never {
  if (error instanceof StoreFullError && !(error instanceof MemoryFullError)) {
    throw new VfsError("no_space", error.message);
  }
  return refuseBusy(error);
}
