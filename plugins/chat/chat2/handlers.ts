/** What answers the calls: loaded with the first one. */
export { postToWebhook, postToWorkflow } from "./send.ts";
