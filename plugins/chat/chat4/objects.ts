/**
 * Objects in messages, with every member that https://core.telegram.org/bots/api#available-types
 * requires. What a server would find out or choose is made up: sizes and durations of files that
 * are not decoded, ids and results of polls and dice, and games, which are registered elsewhere.
 * The same message always gets the same values.
 */
import { createHash } from "node:crypto";
import { compact } from "../../../core/compact.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { ChatFile } from "../model.ts";
import type { Json } from "./fields.ts";
import { withMedia } from "./rich.ts";

/** A file, or the URL or id that was given instead. */
export interface FileSource {
  readonly file?: ChatFile | undefined;
  readonly reference?: string | undefined;
  /** What the call says of it. */
  readonly details?: Json | undefined;
}

/** Members that a kind of file has besides its id and size: https://core.telegram.org/bots/api#document */
const NAMED: Readonly<Record<string, readonly ("file_name" | "mime_type")[]>> = {
  document: ["file_name", "mime_type"],
  audio: ["file_name", "mime_type"],
  video: ["file_name", "mime_type"],
  animation: ["file_name", "mime_type"],
  voice: ["mime_type"],
  live_photo: ["mime_type"],
};

/** Pictures are not decoded, so any size will do. */
const SIDE = 512;

/** Returns the object of a file, or the sizes of a photo: https://core.telegram.org/bots/api#photosize */
export function toFileObject(kind: string, source: FileSource): unknown {
  const { details = {} } = source;
  const about = aboutFile(kind, source);
  const size = { width: details.width ?? SIDE, height: details.height ?? SIDE };
  const duration = details.duration ?? 0;
  switch (kind) {
    case "photo":
      return [{ ...about, ...size }];
    case "live_photo":
      return { ...about, ...size, duration, photo: [{ ...about, ...size }] };
    case "video":
    case "animation":
      return {
        ...about,
        ...size,
        duration,
        ...compact({ start_timestamp: details.start_timestamp }),
      };
    case "video_note":
      return { ...about, length: details.length ?? SIDE, duration };
    case "audio":
      return {
        ...about,
        duration,
        ...compact({ performer: details.performer, title: details.title }),
      };
    case "voice":
      return { ...about, duration };
    case "sticker":
      return {
        ...about,
        ...size,
        type: "regular",
        is_animated: false,
        is_video: false,
        ...compact({ emoji: details.emoji }),
      };
    default:
      return about;
  }
}

function aboutFile(kind: string, { file, reference = "" }: FileSource): Json {
  const id = reference || file?.blob.id || kind;
  const ids = { file_id: id, file_unique_id: uniqueId(id) };
  if (reference !== "" || file === undefined) return ids;
  const names = { file_name: file.filename, mime_type: file.content_type || undefined };
  const shown = (NAMED[kind] ?? []).map((name) => [name, names[name]] as const);
  return { ...ids, file_size: file.size, ...compact(Object.fromEntries(shown)) };
}

/** Returns the id of a file that is the same in all messages and for all bots. */
export function uniqueId(fileId: string): string {
  return createHash("sha256").update(fileId).digest("hex").slice(0, 16);
}

/** What the values of a message are made from. */
export interface Origin {
  /** Differs between messages. */
  readonly seed: string;
  readonly seconds: number;
  /** Stored files, by the names of their parts. */
  readonly attached: ReadonlyMap<string, ChatFile>;
}

/** Adds the values that the vendor's server adds to the content of a message. */
export function complete(kind: string, result: Json, origin: Origin): Json {
  switch (kind) {
    case "poll":
      return completePoll(result, origin);
    case "dice":
      return completeDice(result, origin);
    case "game":
      return toGame(result);
    case "paid_media":
      return { ...result, paid_media: completePaid(result.paid_media as readonly Json[], origin) };
    case "rich_message":
      return {
        ...result,
        blocks: withMedia(
          result.blocks as readonly Json[],
          (type, media) => toFileObject(type, toSource(media, origin)),
        ),
      };
    default:
      return result;
  }
}

/** https://core.telegram.org/bots/api#poll */
function completePoll(result: Json, origin: Origin): Json {
  const { seed, seconds } = origin;
  const { open_period: period, close_date: date, media, explanation_media: why } = result;
  const options = result.options as readonly Json[];
  return {
    id: String(numberFrom(`poll ${seed}`)),
    ...result,
    options: options.map((option, index) => ({
      persistent_id: uniqueId(`option ${index} ${seed}`),
      ...option,
      ...(isJsonObject(option.media) && { media: toPollMedia(option.media, origin) }),
    })),
    ...(isJsonObject(media) && { media: toPollMedia(media, origin) }),
    ...(isJsonObject(why) && { explanation_media: toPollMedia(why, origin) }),
    // The vendor's server always names both.
    ...(period !== undefined && { close_date: seconds + Number(period) }),
    ...(date !== undefined && { open_period: Math.max(Number(date) - seconds, 0) }),
  };
}

/** https://core.telegram.org/bots/api#pollmedia */
function toPollMedia(media: Json, origin: Origin): Json {
  const { type, ...rest } = media;
  const kind = String(type);
  switch (kind) {
    case "link":
    case "location":
      return { [kind]: rest };
    case "venue": {
      const { latitude, longitude, ...place } = rest;
      return { venue: { location: { latitude, longitude }, ...place } };
    }
    default:
      return { [kind]: toFileObject(kind, toSource(media, origin)) };
  }
}

/** Largest values, where it is not 6: https://core.telegram.org/bots/api#dice */
const DICE: ReadonlyMap<string, number> = new Map([["🏀", 5], ["⚽", 5], ["🎰", 64]]);
const MAX_DICE = 6;

function completeDice({ emoji = "🎲" }: Json, { seed }: Origin): Json {
  const most = BigInt(DICE.get(String(emoji)) ?? MAX_DICE);
  return { emoji, value: Number(numberFrom(`dice ${seed}`) % most) + 1 };
}

/** https://core.telegram.org/bots/api#game: its name is that with which it was registered. */
function toGame({ game_short_name: name }: Json): Json {
  return {
    title: name,
    description: `Game ${name}`,
    photo: toFileObject("photo", { reference: `game ${name}` }),
  };
}

/** https://core.telegram.org/bots/api#paidmedia */
function completePaid(items: readonly Json[], origin: Origin): readonly Json[] {
  return items.map(({ type, ...item }) => {
    const kind = String(type);
    return { type, [kind]: toFileObject(kind, toSource(item[kind], origin)) };
  });
}

/** Returns the file that an `InputMedia` names. */
function toSource(media: unknown, { attached }: Origin): FileSource {
  if (!isJsonObject(media)) return {};
  const { media: given, ...details } = media;
  const reference = String(given ?? "");
  const file = attached.get(reference.replace(/^attach:\/\//, ""));
  return file === undefined ? { reference, details } : { file, details };
}

/** Returns a number of 63 bits, as the vendor's ids have. */
function numberFrom(seed: string): bigint {
  return createHash("sha256").update(seed).digest().readBigUInt64BE() >> 1n;
}
