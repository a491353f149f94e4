/** The handlers, loaded on the first call. */
export { postToWebhook, postToWorkflow } from "./send.ts";
