/** Methods that read the workspace: conversations, users, reactions and permalinks. */
import { IDENTITY, isConversation, isTs, isUser } from "./ids.ts";
import { messageIn, type Method, type MethodCall, roomIn, tsIn } from "./methods.ts";
import {
  type Json,
  membersOf,
  repliesAmong,
  TEAM_URL,
  toMessage,
  toPerson,
  toRoom,
} from "./objects.ts";
import { pageOf } from "./paging.ts";
import { fail } from "./refusals.ts";
import type { Message, Room } from "./workspace.ts";

/** https://docs.slack.dev/reference/methods/conversations.list */
export const listRooms: Method = (call) => {
  const types = (call.given.text("types") || "public_channel").split(",").map((one) => one.trim());
  if (types.some((type) => !TYPES.includes(type))) fail("invalid_types");
  const rooms = call.workspace.rooms().filter((room) => types.includes(typeOf(room)));
  const { items, response_metadata } = pageOf(rooms, call, {
    kind: "channel",
    standard: 100,
    max: 1000,
  });
  return { channels: items.map(toRoom), response_metadata };
};

const TYPES = ["public_channel", "private_channel", "mpim", "im"];

function typeOf({ id, users }: Room): string {
  if (users.length > 0) return users.length === 1 ? "im" : "mpim";
  return id.startsWith("C") ? "public_channel" : id.startsWith("G") ? "private_channel" : "im";
}

/** https://docs.slack.dev/reference/methods/conversations.info */
export const showRoom: Method = (call) => ({ channel: toRoom(roomIn(call)) });

/** https://docs.slack.dev/reference/methods/conversations.members */
export const listMembers: Method = (call) => {
  const { items, response_metadata } = pageOf(membersOf(roomIn(call)), call, {
    kind: "member",
    standard: 100,
    max: 1000,
  });
  return { members: items, response_metadata };
};

/** https://docs.slack.dev/reference/methods/conversations.history: newest first, without replies. */
export const listHistory: Method = (call) => {
  const { id } = roomIn(call);
  const all = call.workspace.messages(id, call.ctx);
  const shown = between(all, call).filter(({ ts, threadTs, broadcast }) =>
    threadTs === "" || threadTs === ts || broadcast
  );
  const { items, hasMore, response_metadata } = pageOf(shown.toReversed(), call, {
    kind: "history",
    standard: 100,
    max: 999,
  });
  const replies = repliesAmong(all);
  return {
    messages: items.map((message) => toMessage(message, { replies, ctx: call.ctx })),
    has_more: hasMore,
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0,
    ...(hasMore && { response_metadata }),
  };
};

/** https://docs.slack.dev/reference/methods/conversations.replies: the first message of the thread, then the others. */
export const listReplies: Method = (call) => {
  const { id } = roomIn(call);
  const ts = call.given.text("ts")?.trim() ?? "";
  const asked = call.workspace.message(id, ts, call.ctx) ?? fail("thread_not_found");
  const rootTs = asked.threadTs || ts;
  const all = call.workspace.messages(id, call.ctx);
  const root = all.filter((one) => one.ts === rootTs);
  const answers = all.filter((one) => one.threadTs === rootTs && one.ts !== rootTs);
  const { items, hasMore, response_metadata } = pageOf([...root, ...between(answers, call)], call, {
    kind: "thread",
    standard: 1000,
    max: 1000,
  });
  const replies = repliesAmong(answers);
  return {
    messages: items.map((message) => ({
      ...toMessage(message, { replies, ctx: call.ctx }),
      ...(message.ts !== rootTs && { parent_user_id: IDENTITY.user_id }),
    })),
    has_more: hasMore,
    ...(hasMore && { response_metadata }),
  };
};

/** Messages between `oldest` and `latest`, both included only with `inclusive`. */
function between(all: readonly Message[], call: MethodCall): readonly Message[] {
  const [oldest, latest] = [tsIn(call, "oldest"), tsIn(call, "latest")];
  const isInclusive = ["true", "1"].includes(call.given.text("inclusive")?.toLowerCase() ?? "");
  return all.filter(({ ts }) =>
    (oldest === undefined || ts > oldest || (isInclusive && ts === oldest)) &&
    (latest === undefined || ts < latest || (isInclusive && ts === latest))
  );
}

/** https://docs.slack.dev/reference/methods/users.info */
export const showUser: Method = ({ given, workspace }) => {
  const id = given.text("user")?.trim() ?? "";
  const person = isUser(id) ? workspace.person(id) : undefined;
  return { user: toPerson(person ?? fail("user_not_found")) };
};

/** https://docs.slack.dev/reference/methods/users.list */
export const listUsers: Method = (call) => {
  const { items, response_metadata } = pageOf(call.workspace.people(), call, {
    kind: "user",
    standard: 1000,
    max: 1000,
  });
  return {
    members: items.map(toPerson),
    cache_ts: Math.floor(call.nowMs / 1000),
    response_metadata,
  };
};

/** https://docs.slack.dev/reference/methods/users.lookupByEmail: everybody with an email address is in the workspace. */
export const findUser: Method = ({ given, workspace }) => {
  const email = given.text("email")?.trim() ?? "";
  if (!/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(email)) fail("users_not_found");
  return { user: toPerson(workspace.addPerson(email)) };
};

/** https://docs.slack.dev/reference/methods/team.info */
export const showTeam: Method = ({ given }) => {
  const { team_id, name } = IDENTITY;
  const asked = given.text("team") ?? "";
  if (asked !== "" && asked !== team_id) fail("team_not_found");
  return {
    team: {
      id: team_id,
      name,
      url: TEAM_URL,
      domain: name,
      email_domain: "",
      icon: { image_default: true },
      avatar_base_url: "https://ca.slack-edge.com/",
      is_verified: false,
    },
  };
};

/** https://docs.slack.dev/reference/methods/chat.getPermalink */
export const linkMessage: Method = (call) => {
  const { channel, ts, threadTs } = messageIn(call, "message_ts");
  return { channel, permalink: permalinkOf({ channel, ts, threadTs }) };
};

function permalinkOf({ channel, ts, threadTs }: Pick<Message, "channel" | "ts" | "threadTs">) {
  const link = `${TEAM_URL}archives/${channel}/p${ts.replace(".", "")}`;
  return threadTs === "" || threadTs === ts ? link : `${link}?thread_ts=${threadTs}&cid=${channel}`;
}

/** https://docs.slack.dev/reference/methods/reactions.get */
export const showReactions: Method = (call) => {
  const message = reactable(call);
  return { type: "message", channel: message.channel, message: toItem(message, call) };
};

/**
 * https://docs.slack.dev/reference/methods/reactions.list: those of the bot, unless another user is
 * named.
 */
export const listReactions: Method = (call) => {
  const { workspace, ctx, given } = call;
  const user = given.text("user") ?? IDENTITY.user_id;
  if (!isUser(user)) fail("user_not_found");
  const messages = user !== IDENTITY.user_id
    ? []
    : workspace.rooms().flatMap(({ id }) =>
      workspace.messages(id, ctx).filter(({ reactions }) => reactions.size > 0)
    );
  const { items, response_metadata } = pageOf(
    messages.toSorted((a, b) => a.ts < b.ts ? 1 : -1),
    call,
    { kind: "reaction", standard: 100, max: 1000 },
  );
  return {
    items: items.map((message) => ({
      type: "message",
      channel: message.channel,
      message: toItem(message, call),
    })),
    response_metadata,
  };
};

function toItem(message: Message, { ctx }: MethodCall): Json {
  return {
    ...toMessage(message, { replies: new Map(), ctx }),
    permalink: permalinkOf(message),
  };
}

/** The message with a reaction. */
export function reactable(call: MethodCall): Message {
  const channel = call.given.text("channel")?.trim() ?? "";
  const timestamp = call.given.text("timestamp")?.trim() ?? "";
  if (channel === "" || timestamp === "") fail("no_item_specified");
  if (!isConversation(channel)) fail("channel_not_found");
  if (!isTs(timestamp)) fail("bad_timestamp");
  return messageIn(call, "timestamp");
}

/** https://docs.slack.dev/reference/methods/chat.scheduledMessages.list */
export const listScheduled: Method = (call) => {
  const { given, workspace, ctx } = call;
  const channel = given.text("channel")?.trim() ?? "";
  if (channel !== "" && !isConversation(channel)) fail("invalid_channel");
  const [oldest, latest] = [
    Number(given.text("oldest") || 0),
    Number(given.text("latest") || 1e12),
  ];
  const waiting = workspace.scheduled(ctx).filter((message) => {
    const { postAt } = message.scheduled!;
    return (channel === "" || message.channel === channel) && postAt >= oldest && postAt <= latest;
  });
  const { items, response_metadata } = pageOf(waiting, call, {
    kind: "scheduled",
    standard: 100,
    max: 1000,
  });
  return {
    scheduled_messages: items.map((message) => {
      const event = ctx.events.get(message.eventId)!;
      return {
        id: message.scheduled!.id,
        channel_id: message.channel,
        post_at: message.scheduled!.postAt,
        date_created: Math.floor(event.received_at.getTime() / 1000),
        text: (event.payload as { text: string }).text,
      };
    }),
    response_metadata,
  };
};
