/** What answers the calls: loaded with the first one. */
export { getAccount, getEmail, listEmails, listEvents } from "./fetch.ts";
export { sendEmail } from "./send.ts";
export {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from "./templates.ts";
