/** What answers the calls: loaded with the first one. */
export { send } from "./send.ts";
