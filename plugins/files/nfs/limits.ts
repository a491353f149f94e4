/** Most bytes of one READ or WRITE: rtmax and wtmax of FSINFO. */
export const MAX_TRANSFER_BYTES = 1024 * 1024;
/** A WRITE of that size, with all that is around its bytes. */
export const MAX_RECORD_BYTES = MAX_TRANSFER_BYTES + 64 * 1024;
/** What one answer to READDIR or READDIRPLUS is best asked for (dtpref of FSINFO). */
export const DIRECTORY_BYTES = 64 * 1024;
