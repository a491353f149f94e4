import { placeIn } from "../../../core/checks/place.ts";
import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { lengthOf, walkObjects } from "./walk.ts";

const MESSAGE = "https://docs.discord.com/developers/resources/message";
const POLL = "https://docs.discord.com/developers/resources/poll";

type Json = Readonly<Record<string, unknown>>;

/** Lengths and numbers of a poll: https://docs.discord.com/developers/resources/poll */
const POLL_LIMITS = { question: 300, answers: 10, answer: 55, hours: 32 * 24 };
/** Ids in each list of `allowed_mentions`. */
const MAX_IDS = 100;
/** Bytes of a file, unless the server is boosted: https://docs.discord.com/developers/reference#uploading-files */
const MAX_FILE = 10 * 1024 * 1024;
const MAX_DESCRIPTION = 1024;

/** Checks of Discord messages: parts that webhooks do not show, or would refuse. */
export const discordTopic: CheckTopic<CapturedEvent<ChatMessage>> = {
  checks: [
    {
      id: "chat.embed_url",
      level: "warning",
      about: "Two embeds of a message have the same url: Discord only shows the first",
      source: `${MESSAGE}#embed-object-embed-limits`,
    },
    {
      id: "chat.attachment_reference",
      level: "error",
      about: "An attachment:// address names a file that the message does not have",
      source: "https://docs.discord.com/developers/reference#using-attachments-within-embeds",
    },
    {
      id: "chat.mention_silent",
      level: "warning",
      about:
        "@everyone, @here or a role is mentioned, and allowed_mentions does not allow it: in webhook messages, " +
        "Discord only reads mentions of users",
      source: `${MESSAGE}#allowed-mentions-object`,
    },
    {
      id: "chat.allowed_mentions",
      level: "error",
      about: "allowed_mentions contradicts itself, or has more than 100 ids",
      source: `${MESSAGE}#allowed-mentions-object`,
    },
    {
      id: "chat.discord_poll",
      level: "error",
      about: "A Discord poll has too long a text, too many answers, or too long a duration",
      source: POLL,
    },
    {
      id: "chat.file_size",
      level: "warning",
      about: "A file is larger than Discord allows on servers without boosts",
      source: "https://docs.discord.com/developers/reference#uploading-files",
    },
    {
      id: "chat.file_description",
      level: "error",
      about: "The description of a file has more than 1024 characters",
      source: `${MESSAGE}#attachment-object`,
    },
  ],
  *find(event) {
    const { payload: { contents = [], files = [], change, text }, provider, meta } = event;
    if (provider !== "chat3" || (change !== undefined && change.kind !== "edit")) return;
    for (const { format, json } of contents) {
      const part = format.replace("chat3.", "");
      // An edit keeps files that it does not name.
      if (change === undefined) yield* references(json, part, files);
      if (format === "chat3.embeds") yield* sameUrls(json);
      if (format === "chat3.poll") yield* ofPoll(json);
    }
    yield* allowed(meta.allowed_mentions);
    if (meta.derived_text !== true) yield* silent(text, meta.allowed_mentions);
    for (const [at, { size, filename = "file", title }] of files.entries()) {
      const where = { part: "files", path: `files[${at}]` };
      if (size > MAX_FILE) {
        yield {
          id: "chat.file_size",
          message: `${
            JSON.stringify(filename.slice(-100))
          } has ${size} bytes; servers without boosts allow ${MAX_FILE}`,
          where,
        };
      }
      if (lengthOf(title) <= MAX_DESCRIPTION) continue;
      yield {
        id: "chat.file_description",
        message: `${lengthOf(title)} characters; at most ${MAX_DESCRIPTION}`,
        where,
      };
    }
  },
};

/** `attachment://name` is a file of the same message. */
function* references(
  json: unknown,
  part: string,
  files: NonNullable<ChatMessage["files"]>,
): Generator<Found | undefined> {
  const names = new Set(files.map(({ filename }) => filename));
  for (const { value, path } of walkObjects(json, part)) {
    yield undefined;
    const { url } = value;
    const name = typeof url === "string" ? /^attachment:\/\/(.*)$/.exec(url)?.[1] : undefined;
    if (name === undefined || names.has(name)) continue;
    yield {
      id: "chat.attachment_reference",
      message: `There is no file ${JSON.stringify(name.slice(0, 100))} in the message`,
      where: { part, path: `${path}.url` },
    };
  }
}

function* sameUrls(json: unknown): Generator<Found> {
  const seen = new Set<unknown>();
  for (const [at, embed] of (Array.isArray(json) ? json : []).entries()) {
    const { url } = (embed ?? {}) as Json;
    if (typeof url !== "string" || url === "") continue;
    if (seen.has(url)) {
      yield {
        id: "chat.embed_url",
        message: "Another embed has the same url",
        where: { part: "embeds", path: `embeds[${at}].url` },
      };
    }
    seen.add(url);
  }
}

function* ofPoll(json: unknown): Generator<Found> {
  const { question, answers, duration } = (json ?? {}) as Json;
  const over = (at: string, message: string): Found => ({
    id: "chat.discord_poll",
    message,
    where: { part: "poll", path: `poll.${at}` },
  });
  const asked = lengthOf(question);
  if (asked === 0) yield over("question", "The question is missing");
  if (asked > POLL_LIMITS.question) {
    yield over("question.text", `${asked} characters; at most ${POLL_LIMITS.question}`);
  }
  const list: readonly Json[] = Array.isArray(answers) ? answers : [];
  if (list.length === 0) yield over("answers", "There are no answers");
  if (list.length > POLL_LIMITS.answers) {
    yield over("answers", `${list.length} answers; at most ${POLL_LIMITS.answers}`);
  }
  for (const [at, answer] of list.entries()) {
    const length = lengthOf(answer?.poll_media);
    if (length <= POLL_LIMITS.answer) continue;
    yield over(
      `answers[${at}].poll_media.text`,
      `${length} characters; at most ${POLL_LIMITS.answer}`,
    );
  }
  if (typeof duration === "number" && duration > POLL_LIMITS.hours) {
    yield over("duration", `${duration} hours; at most ${POLL_LIMITS.hours}, which are 32 days`);
  }
}

/** `parse` and a list of ids exclude each other, unless the list is empty. */
function* allowed(given: unknown): Generator<Found> {
  const { parse, ...lists } = (given ?? {}) as Json;
  for (const name of ["users", "roles"]) {
    const ids = lists[name];
    if (!Array.isArray(ids)) continue;
    const where = { part: "allowed_mentions", path: `allowed_mentions.${name}` };
    if (ids.length > 0 && Array.isArray(parse) && parse.includes(name)) {
      yield {
        id: "chat.allowed_mentions",
        message: `${name} is in parse, and also has ids; expected only one`,
        where,
      };
    }
    if (ids.length > MAX_IDS) {
      yield {
        id: "chat.allowed_mentions",
        message: `${ids.length} ${name}; at most ${MAX_IDS}`,
        where,
      };
    }
  }
}

function* silent(text: string, given: unknown): Generator<Found> {
  const { parse, roles } = (given ?? {}) as Json;
  const parsed: readonly unknown[] = Array.isArray(parse) ? parse : [];
  const named: readonly unknown[] = Array.isArray(roles) ? roles : [];
  for (const { 0: found, 1: role, index } of text.matchAll(/@everyone\b|@here\b|<@&(\d{1,20})>/g)) {
    const [needed, isAllowed] = role === undefined
      ? ["everyone", parsed.includes("everyone")]
      : ["roles", parsed.includes("roles") || named.includes(role)];
    if (isAllowed) continue;
    yield {
      id: "chat.mention_silent",
      message: `${found} notifies nobody: add "${needed}" to allowed_mentions.parse`,
      where: () => placeIn("text", text, { start: index, end: index + found.length }),
    };
  }
}
