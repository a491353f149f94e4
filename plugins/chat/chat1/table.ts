/** Methods of the Web API by name. */
import {
  addReaction,
  createRoom,
  deleteMessage,
  deleteScheduled,
  joinRoom,
  openRoom,
  removeReaction,
  updateMessage,
} from "./change.ts";
import {
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
import type { Method } from "./methods.ts";
import { openView, publishView, pushView, updateView } from "./modals.ts";
import { postEphemeral, postMessage, scheduleMessage, testApi, testAuth } from "./send.ts";
import { announceUpload, completeUpload } from "./uploads.ts";

/** One method. */
export interface MethodAbout {
  readonly about: string;
  readonly method: Method;
  /** Methods that accept only POST. */
  readonly postOnly?: boolean;
  /** Needs no token. */
  readonly public?: boolean;
}

export const METHODS: Readonly<Record<string, MethodAbout>> = {
  "chat.postMessage": { about: "Post a message", method: postMessage, postOnly: true },
  "chat.postEphemeral": { about: "Post a message that one user sees", method: postEphemeral },
  "chat.update": { about: "Edit a message", method: updateMessage },
  "chat.delete": { about: "Delete a message", method: deleteMessage },
  "chat.getPermalink": { about: "Get the address of a message", method: linkMessage },
  "chat.scheduleMessage": { about: "Schedule a message", method: scheduleMessage },
  "chat.scheduledMessages.list": { about: "List scheduled messages", method: listScheduled },
  "chat.deleteScheduledMessage": { about: "Delete a scheduled message", method: deleteScheduled },
  "conversations.list": { about: "List channels", method: listRooms },
  "conversations.info": { about: "Show a channel", method: showRoom },
  "conversations.members": { about: "List the members of a channel", method: listMembers },
  "conversations.history": { about: "List the messages of a channel", method: listHistory },
  "conversations.replies": { about: "List the messages of a thread", method: listReplies },
  "conversations.open": { about: "Open a direct conversation", method: openRoom },
  "conversations.join": { about: "Join a channel", method: joinRoom },
  "conversations.create": { about: "Create a channel", method: createRoom },
  "users.list": { about: "List users", method: listUsers },
  "users.info": { about: "Show a user", method: showUser },
  "users.lookupByEmail": { about: "Find a user by email address", method: findUser },
  "reactions.add": { about: "Add a reaction", method: addReaction },
  "reactions.remove": { about: "Remove a reaction", method: removeReaction },
  "reactions.get": { about: "Show the reactions to a message", method: showReactions },
  "reactions.list": { about: "List the items with reactions", method: listReactions },
  "files.getUploadURLExternal": { about: "Announce a file", method: announceUpload },
  "files.completeUploadExternal": { about: "Share sent files", method: completeUpload },
  "views.open": { about: "Open a modal", method: openView },
  "views.push": { about: "Put a modal on top of another", method: pushView },
  "views.publish": { about: "Publish the home of a user", method: publishView },
  "views.update": { about: "Update a view", method: updateView },
  "team.info": { about: "Show the team", method: showTeam },
  "auth.test": { about: "Try a token", method: testAuth },
  "api.test": { about: "Try the connection", method: testApi, public: true },
};
