/** Maximum bytes of one READ or WRITE: rtmax and wtmax of FSINFO. */
export const MAX_TRANSFER_BYTES = 1024 * 1024;
/** Longest record: a WRITE of that size, with its other arguments. */
export const MAX_RECORD_BYTES = MAX_TRANSFER_BYTES + 64 * 1024;
/** Preferred size of a response to READDIR or READDIRPLUS (dtpref of FSINFO). */
export const DIRECTORY_BYTES = 64 * 1024;
