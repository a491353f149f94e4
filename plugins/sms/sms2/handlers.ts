/** What answers the calls: loaded with the first one. */
export { act } from "./send.ts";
