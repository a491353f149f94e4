/** The handlers, loaded on the first call. */
export { getAccount, getEmail, listEmails, listEvents } from "./fetch.ts";
export { sendEmail } from "./send.ts";
export {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from "./templates.ts";
