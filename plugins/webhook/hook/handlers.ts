/** The handlers, loaded on the first call. */
export { take } from "./send.ts";
