/** What answers the calls: loaded with the first one. */
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
