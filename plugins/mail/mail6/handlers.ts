/** The handlers, loaded on the first call. */
export { act } from "./actions.ts";
export {
  createIdentity,
  createTemplate,
  deleteIdentity,
  deleteTemplate,
  getAccount,
  getIdentity,
  getTemplate,
  listIdentities,
  listTemplates,
  renderTemplate,
  updateTemplate,
} from "./fetch.ts";
export { sendBulk, sendEmail } from "./send.ts";
