/** The handlers, loaded on the first call. */
export {
  addReaction,
  createRoom,
  deleteMessage,
  deleteScheduled,
  joinRoom,
  openRoom,
  removeReaction,
  updateMessage,
} from "./change.ts";
export {
  findUser,
  linkMessage,
  listHistory,
  listMembers,
  listReactions,
  listReplies,
  listRooms,
  listScheduled,
  listUsers,
  showReactions,
  showRoom,
  showTeam,
  showUser,
} from "./fetch.ts";
export { downloadFile } from "./file_inputs.ts";
export { openView, publishView, pushView, updateView } from "./modals.ts";
export {
  postEphemeral,
  postMessage,
  refuseUnknown,
  scheduleMessage,
  takeResponse,
  takeWebhook,
  testApi,
  testAuth,
} from "./send.ts";
export { announceUpload, completeUpload, takeUpload } from "./uploads.ts";
