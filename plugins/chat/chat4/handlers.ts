/** The handlers, loaded on the first call. */
export { download } from "./fetch.ts";
export { serve } from "./serve.ts";
