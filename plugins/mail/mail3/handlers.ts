/** The handlers, loaded on the first call. */
export {
  cancelBroadcast,
  createBroadcast,
  deleteBroadcast,
  duplicateBroadcast,
  getBroadcast,
  listBroadcasts,
  sendBroadcast,
  updateBroadcast,
} from "./broadcasts.ts";
export {
  createContact,
  createSegment,
  deleteContact,
  deleteSegment,
  getContact,
  getSegment,
  joinSegment,
  leaveSegment,
  listContacts,
  listMembers,
  listMemberships,
  listSegments,
  updateContact,
} from "./contacts.ts";
export {
  createDomain,
  createKey,
  deleteDomain,
  deleteKey,
  getDomain,
  listDomains,
  listKeys,
  updateDomain,
  verifyDomain,
} from "./domains.ts";
export {
  cancelEmail,
  getAttachment,
  getContent,
  getEmail,
  listAttachments,
  listEmails,
  updateEmail,
} from "./fetch.ts";
export {
  getReceived,
  getReceivedAttachment,
  getReceivedContent,
  getReceivedRaw,
  listReceived,
  listReceivedAttachments,
} from "./receiving.ts";
export { sendBatch, sendEmail } from "./send.ts";
export {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  listTemplates,
  publishTemplate,
  updateTemplate,
} from "./templates.ts";
