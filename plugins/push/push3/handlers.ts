/** What answers the calls: loaded with the first one. */
export { cancel, receipts, send } from "./send.ts";
