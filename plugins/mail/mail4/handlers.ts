/** The handlers, loaded on the first call. */
export { getBulk, sendBulk } from "./bulk.ts";
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
