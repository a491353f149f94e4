/**
 * Messages, conversations and users in the form of the Web API (docs.slack.dev/reference/objects).
 */
import { compact } from "../../../core/compact.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CapturedEvent, PluginContext } from "../../../core/plugin.ts";
import type { ChatFile, ChatMessage } from "../model.ts";
import { ADA, IDENTITY } from "./ids.ts";
import type { Message, Person, Room } from "./workspace.ts";

/** A JSON object of a response. */
export type Json = Record<string, unknown>;

/** Base address of the team's pages. */
export const TEAM_URL = "https://standin.slack.com/";

/** Replies by the `ts` of their parent, oldest first. */
export type Replies = ReadonlyMap<string, readonly Message[]>;

/** Collects the replies among the messages of a channel. */
export function repliesAmong(messages: readonly Message[]): Replies {
  return Map.groupBy(
    messages.filter(({ ts, threadTs }) => threadTs !== "" && threadTs !== ts),
    ({ threadTs }) => threadTs,
  );
}

/** Returns a message, built from its events. */
export function toMessage(
  message: Message,
  { replies, ctx, last = contentOf(message, ctx) }: {
    readonly replies: Replies;
    readonly ctx: PluginContext;
    /** Event with its current content, if the store may not have it yet. */
    readonly last?: CapturedEvent<ChatMessage>;
  },
): Json {
  const first = ctx.events.get(message.eventId) as CapturedEvent<ChatMessage>;
  const { author, thread_ts } = first.payload;
  const { icon_emoji, metadata } = last.meta;
  const { app_id, bot_id, team_id, user_id } = IDENTITY;
  const overridden = author.name !== undefined || author.icon_url !== undefined ||
    icon_emoji !== undefined;
  return {
    type: "message",
    ...(overridden || message.foreign ? { subtype: "bot_message" } : {}),
    text: last.payload.text,
    ts: message.ts,
    ...compact({ username: author.name }),
    ...(author.icon_url !== undefined && { icons: { image_48: author.icon_url } }),
    ...(author.icon_url === undefined && icon_emoji !== undefined &&
      { icons: { emoji: icon_emoji } }),
    bot_id: message.foreign ? author.id : bot_id,
    ...(message.foreign ? {} : { user: user_id, app_id }),
    team: team_id,
    ...compact({ thread_ts, metadata }),
    ...partsOf(last.payload),
    ...threadOf(message.ts, replies.get(message.ts) ?? []),
    ...(message.edit !== undefined && { edited: { user: user_id, ts: message.edit.ts } }),
    ...(message.reactions.size > 0 && {
      reactions: [...message.reactions].map((name) => ({ name, users: [user_id], count: 1 })),
    }),
  };
}

/** Returns the event with the current content of a message: its last edit, else its own. */
export function contentOf(
  { edit, eventId }: Message,
  { events }: PluginContext,
): CapturedEvent<ChatMessage> {
  const edited = edit === undefined ? undefined : events.get(edit.eventId);
  return (edited ?? events.get(eventId)) as CapturedEvent<ChatMessage>;
}

/** Blocks, attachments and files. */
export function partsOf({ contents = [], files = [] }: ChatMessage): Json {
  const parts: Json = {};
  for (const { format, json } of contents) {
    if (format === "chat1.blocks") parts.blocks = json;
    if (format === "chat1.attachments") parts.attachments = numbered(json);
  }
  if (files.length > 0) parts.files = files.map((file) => toFile(file));
  return parts;
}

/** Attachments with ids like the vendor's. */
export function numbered(attachments: unknown): unknown {
  if (!Array.isArray(attachments)) return attachments;
  return attachments.map((item: unknown, index) => ({
    id: index + 1,
    ...(isJsonObject(item) ? item : {}),
  }));
}

function threadOf(ts: string, replies: readonly Message[]): Json {
  if (replies.length === 0) return {};
  return {
    thread_ts: ts,
    reply_count: replies.length,
    reply_users_count: 1,
    latest_reply: replies.at(-1)!.ts,
    reply_users: [IDENTITY.user_id],
    is_locked: false,
    subscribed: false,
  };
}

/** Returns a file; its id is the blob id unless the vendor's is known. */
export function toFile(
  { blob, size, filename = "file", content_type = "application/octet-stream", title }: ChatFile,
  { id = blob.id, created = 0 }: { readonly id?: string; readonly created?: number } = {},
): Json {
  const filetype = filename.includes(".") ? filename.split(".").at(-1)!.toLowerCase() : "binary";
  const url = `${TEAM_URL}files/${IDENTITY.user_id}/${id}/${
    encodeURIComponent(filename.toWellFormed())
  }`;
  return {
    id,
    created,
    timestamp: created,
    name: filename,
    title: title ?? filename,
    mimetype: content_type,
    filetype,
    pretty_type: filetype.toUpperCase(),
    user: IDENTITY.user_id,
    user_team: IDENTITY.team_id,
    editable: false,
    size,
    mode: "hosted",
    is_external: false,
    external_type: "",
    is_public: true,
    public_url_shared: false,
    display_as_bot: false,
    username: "",
    url_private: url,
    url_private_download: url,
    permalink: url,
    channels: [],
    groups: [],
    ims: [],
    comments_count: 0,
    has_rich_preview: false,
    file_access: "visible",
  };
}

/** Returns a conversation: https://docs.slack.dev/reference/objects/conversation-object */
export function toRoom({ id, name, users, created }: Room): Json {
  const common = {
    id,
    created,
    is_archived: false,
    is_org_shared: false,
    context_team_id: IDENTITY.team_id,
    updated: created * 1000,
  };
  if (users.length === 1) {
    return { ...common, is_im: true, user: users[0], is_user_deleted: false, priority: 0 };
  }
  const isGroup = users.length > 1;
  const nobody = { value: "", creator: "", last_set: 0 };
  return {
    ...common,
    name,
    name_normalized: name,
    is_channel: !isGroup && !id.startsWith("G"),
    is_group: !isGroup && id.startsWith("G"),
    is_im: false,
    is_mpim: isGroup,
    is_private: isGroup || id.startsWith("G"),
    is_general: name === "general",
    unlinked: 0,
    is_shared: false,
    is_ext_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    parent_conversation: null,
    creator: IDENTITY.user_id,
    shared_team_ids: [IDENTITY.team_id],
    pending_connected_team_ids: [],
    is_member: true,
    topic: nobody,
    purpose: nobody,
    previous_names: [],
    num_members: membersOf({ users }).length,
  };
}

/** Ids of the members: the bot, and all users or those of the conversation. */
export function membersOf({ users }: Pick<Room, "users">): readonly string[] {
  return [IDENTITY.user_id, ...(users.length === 0 ? [ADA] : users)];
}

/** Returns a user: https://docs.slack.dev/reference/objects/user-object */
export function toPerson({ id, name, email, isBot = false }: Person): Json {
  const { team_id, bot_id, app_id } = IDENTITY;
  return {
    id,
    team_id,
    name,
    deleted: false,
    color: "9f69e7",
    real_name: name,
    tz: "Etc/UTC",
    tz_label: "Coordinated Universal Time",
    tz_offset: 0,
    profile: {
      title: "",
      phone: "",
      skype: "",
      real_name: name,
      real_name_normalized: name,
      display_name: name,
      display_name_normalized: name,
      status_text: "",
      status_emoji: "",
      status_expiration: 0,
      avatar_hash: "",
      ...(isBot ? { api_app_id: app_id, bot_id } : { email }),
      first_name: name,
      last_name: "",
      team: team_id,
    },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    updated: 0,
    ...(isBot ? {} : { is_email_confirmed: true }),
  };
}
