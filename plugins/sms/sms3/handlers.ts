/** The handlers, loaded on the first call. */
export { send } from "./send.ts";
