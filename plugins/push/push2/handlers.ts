/** The handlers, loaded on the first call. */
export {
  broadcast,
  createChannel,
  deleteChannel,
  listChannels,
  readChannelCall,
} from "./channels.ts";
export { send } from "./send.ts";
