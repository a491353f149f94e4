/** Methods of the Web API by name. */
import { onDemand } from "../../../core/on_demand.ts";
import type { Method } from "./methods.ts";

const method = onDemand(() => import("./handlers.ts"));

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
  "chat.postMessage": { about: "Post a message", method: method("postMessage"), postOnly: true },
  "chat.postEphemeral": {
    about: "Post a message that one user sees",
    method: method("postEphemeral"),
  },
  "chat.update": { about: "Edit a message", method: method("updateMessage") },
  "chat.delete": { about: "Delete a message", method: method("deleteMessage") },
  "chat.getPermalink": { about: "Get the address of a message", method: method("linkMessage") },
  "chat.scheduleMessage": { about: "Schedule a message", method: method("scheduleMessage") },
  "chat.scheduledMessages.list": {
    about: "List scheduled messages",
    method: method("listScheduled"),
  },
  "chat.deleteScheduledMessage": {
    about: "Delete a scheduled message",
    method: method("deleteScheduled"),
  },
  "conversations.list": { about: "List channels", method: method("listRooms") },
  "conversations.info": { about: "Show a channel", method: method("showRoom") },
  "conversations.members": {
    about: "List the members of a channel",
    method: method("listMembers"),
  },
  "conversations.history": {
    about: "List the messages of a channel",
    method: method("listHistory"),
  },
  "conversations.replies": {
    about: "List the messages of a thread",
    method: method("listReplies"),
  },
  "conversations.open": { about: "Open a direct conversation", method: method("openRoom") },
  "conversations.join": { about: "Join a channel", method: method("joinRoom") },
  "conversations.create": { about: "Create a channel", method: method("createRoom") },
  "users.list": { about: "List users", method: method("listUsers") },
  "users.info": { about: "Show a user", method: method("showUser") },
  "users.lookupByEmail": { about: "Find a user by email address", method: method("findUser") },
  "reactions.add": { about: "Add a reaction", method: method("addReaction") },
  "reactions.remove": { about: "Remove a reaction", method: method("removeReaction") },
  "reactions.get": { about: "Show the reactions to a message", method: method("showReactions") },
  "reactions.list": { about: "List the items with reactions", method: method("listReactions") },
  "files.getUploadURLExternal": { about: "Announce a file", method: method("announceUpload") },
  "files.completeUploadExternal": {
    about: "Share uploaded files",
    method: method("completeUpload"),
  },
  "views.open": { about: "Open a modal", method: method("openView") },
  "views.push": { about: "Put a modal on top of another", method: method("pushView") },
  "views.publish": { about: "Publish a user's Home tab", method: method("publishView") },
  "views.update": { about: "Update a view", method: method("updateView") },
  "team.info": { about: "Show the team", method: method("showTeam") },
  "auth.test": { about: "Test a token", method: method("testAuth") },
  "api.test": { about: "Test the connection", method: method("testApi"), public: true },
};
