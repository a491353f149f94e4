/** What answers the calls: loaded with the first one. */
export {
  changeWebhook,
  deleteMessage,
  editMessage,
  removeWebhook,
  showMessage,
  showWebhook,
} from "./fetch.ts";
export { execute, executeGithub, executeSlack } from "./send.ts";
