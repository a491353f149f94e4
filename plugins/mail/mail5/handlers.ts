/** The handlers, loaded on the first call. */
export { getDomain, getMessage, listDomains, listEvents } from "./fetch.ts";
export { sendMessage, sendMime } from "./send.ts";
export {
  createTemplate,
  createVersion,
  deleteTemplate,
  deleteTemplates,
  deleteVersion,
  getTemplate,
  getVersion,
  listTemplates,
  listVersions,
  updateTemplate,
  updateVersion,
} from "./templates.ts";
