/** The handlers, loaded on the first call. */
export { cancel, receipts, send } from "./send.ts";
