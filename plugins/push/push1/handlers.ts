/** What answers the calls: loaded with the first one. */
export { changeSubscription, changeTopics, giveToken, send } from "./send.ts";
