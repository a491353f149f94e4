/** The handlers, loaded on the first call. */
export { changeSubscription, changeTopics, giveToken, send } from "./send.ts";
