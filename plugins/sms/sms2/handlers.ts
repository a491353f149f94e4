/** The handlers, loaded on the first call. */
export { act } from "./send.ts";
