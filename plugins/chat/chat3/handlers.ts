/** The handlers, loaded on the first call. */
export {
  changeWebhook,
  deleteMessage,
  editMessage,
  removeWebhook,
  showMessage,
  showWebhook,
} from "./fetch.ts";
export { execute, executeGithub, executeSlack } from "./send.ts";
