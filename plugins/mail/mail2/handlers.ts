/** The handlers, loaded on the first call. */
export { getProfile, getScopes, validateEmail } from "./account.ts";
export {
  countContacts,
  deleteContacts,
  findContacts,
  getContact,
  listContacts,
  searchContacts,
  upsertContacts,
} from "./contacts.ts";
export {
  createBatch,
  getBatch,
  getStopped,
  listStopped,
  resumeBatch,
  stopBatch,
  updateStopped,
} from "./scheduled.ts";
export { send } from "./send.ts";
export {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  listTemplates,
  renameTemplate,
} from "./templates.ts";
export {
  activateVersion,
  createVersion,
  deleteVersion,
  getVersion,
  updateVersion,
} from "./versions.ts";
