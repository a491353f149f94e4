/** The handlers, loaded on the first call. */
export {
  deleteMessage,
  fetchAccount,
  fetchMedia,
  fetchMessage,
  getMediaBytes,
  giveFeedback,
  listMedia,
  listMessages,
  updateMessage,
} from "./fetch.ts";
export { lookUp } from "./lookup.ts";
export { createMessage } from "./send.ts";
export { servicesOf } from "./services.ts";
export {
  checkVerification,
  fetchVerification,
  startVerification,
  updateVerification,
} from "./verify.ts";
