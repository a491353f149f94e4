/** What answers the calls: loaded with the first one. */
export { download } from "./fetch.ts";
export { serve } from "./serve.ts";
