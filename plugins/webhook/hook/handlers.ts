/** What answers the calls: loaded with the first one. */
export { take } from "./send.ts";
