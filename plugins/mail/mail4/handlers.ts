/** What answers the calls: loaded with the first one. */
export {
  getDeliveryStats,
  getDetails,
  getDump,
  getServer,
  listBounces,
  listStreams,
  searchMessages,
} from "./fetch.ts";
export { sendBatch, sendEmail } from "./send.ts";
export {
  createTemplate,
  deleteTemplate,
  editTemplate,
  getTemplate,
  listTemplates,
  validateTemplate,
} from "./templates.ts";
