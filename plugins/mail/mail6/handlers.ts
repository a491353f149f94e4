/** What answers the calls: loaded with the first one. */
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
