/** The handlers, loaded on the first call. */
export {
  createContact,
  createList,
  deleteList,
  getContact,
  getList,
  listContacts,
  listLists,
  listMemberships,
  manageContact,
  updateContact,
  updateList,
} from "./contacts.ts";
export { send, sendV3 } from "./send.ts";
export {
  changeContent,
  createTemplate,
  deleteTemplate,
  getContent,
  getTemplate,
  listTemplates,
  setContent,
  updateTemplate,
} from "./templates.ts";
