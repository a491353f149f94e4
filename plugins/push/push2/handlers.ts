/** What answers the calls: loaded with the first one. */
export {
  broadcast,
  createChannel,
  deleteChannel,
  listChannels,
  readChannelCall,
} from "./channels.ts";
export { send } from "./send.ts";
