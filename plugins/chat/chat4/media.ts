/** Messages with files: https://core.telegram.org/bots/api#sending-files */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { type FieldType, type Json, readFields } from "./fields.ts";
import { Params } from "./params.ts";
import { contentOf, type Post, type PostFile, readCaption, readCommon } from "./post.ts";
import { fail } from "./refusals.ts";

/** A kind of message with a file. */
interface Media {
  /** What a call can say of the file. */
  readonly details: Readonly<Record<string, FieldType>>;
  /** Parameters with further files; the first one of a live photo is required. */
  readonly parts: readonly string[];
}

const SIZE = { width: "number", height: "number", duration: "number" } as const;

/** Members of the vendor's message that hold a file. */
const MEDIA: Readonly<Record<string, Media>> = {
  photo: { details: {}, parts: [] },
  live_photo: { details: {}, parts: ["photo"] },
  document: { details: { disable_content_type_detection: "flag" }, parts: ["thumbnail"] },
  audio: {
    details: { duration: "number", performer: "text", title: "text" },
    parts: ["thumbnail"],
  },
  video: {
    details: { ...SIZE, start_timestamp: "number", supports_streaming: "flag" },
    parts: ["thumbnail", "cover"],
  },
  animation: { details: SIZE, parts: ["thumbnail"] },
  voice: { details: { duration: "number" }, parts: [] },
  video_note: { details: { duration: "number", length: "number" }, parts: ["thumbnail"] },
  sticker: { details: { emoji: "text" }, parts: [] },
};

/** Methods that send a file, by the member that holds it. */
export const MEDIA_METHODS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(MEDIA).map((kind) => [`send${kind.replace("_", "")}`, kind]),
);

/** Types of the items of an album: https://core.telegram.org/bots/api#sendmediagroup */
const ALBUM_TYPES = ["photo", "live_photo", "video", "document", "audio"];
/** Types of `InputMedia`: https://core.telegram.org/bots/api#inputmedia */
const INPUT_TYPES = [...ALBUM_TYPES, "animation"];
/** Types of `InputPaidMedia`: https://core.telegram.org/bots/api#inputpaidmedia */
const PAID_TYPES = ["photo", "live_photo", "video"];

/** Parses a message with a file of this kind. Throws `Refused`. */
export function readFile(kind: string, params: Params): Post {
  const { details: fields, parts } = MEDIA[kind]!;
  const files: PostFile[] = [];
  const references: Record<string, string> = {};
  for (const name of [kind, ...parts]) {
    const file = params.file(name);
    const text = params.text(name);
    if (file !== undefined) files.push(toPostFile(file));
    else if (text !== "" && !text.startsWith("attach://")) references[name] = text;
    else if (name === kind || kind === "live_photo") {
      return fail(`there is no ${name.replace("_", " ")} in the request`);
    }
  }
  const details = readFields(params, fields);
  const base = readCommon(params);
  return {
    ...base,
    ...readCaption(params),
    kind,
    reference: references[kind] ?? "",
    files,
    ...(Object.keys(details).length > 0 && { details }),
    contents: [
      ...(Object.keys(references).length === 0 ? [] : contentOf(references)),
      ...base.contents,
    ],
  };
}

/** Returns an upload in the form of messages. */
export function toPostFile(
  { name, bytes, filename, contentType }: Params["files"][number],
): PostFile {
  return { part: name, bytes, filename, content_type: contentType };
}

/** Most items of an album: https://core.telegram.org/bots/api#sendmediagroup */
const MAX_ALBUM = 10;

/**
 * Parses the messages of an album. One item is sent as a single message, although the page asks for
 * two; this and the refusals are those of https://github.com/tdlib/td (MessagesManager.cpp and
 * `check_message_group_message_contents`). Throws `Refused`.
 */
export function readAlbum(params: Params): readonly Post[] {
  const media = params.json("media", "media");
  if (!Array.isArray(media)) return fail("expected an Array of InputMedia");
  if (media.length === 0) return fail("there are no messages to send");
  if (media.length > MAX_ALBUM) return fail("too many messages to send as an album");
  const { contents, meta, ...base } = readCommon(params);
  const posts = media.map((item: unknown) => readItem(item, { params, types: ALBUM_TYPES }));
  checkMix(posts);
  return posts.map((post) => {
    return {
      ...post,
      ...base,
      contents: [...post.contents, ...contents],
      meta: { ...meta, ...post.meta },
    };
  });
}

/** Refuses documents or audio files beside other items, and captions at different places. */
function checkMix(posts: readonly Post[]): void {
  const isAbove = ({ meta }: Post): boolean => meta.show_caption_above_media === true;
  if (posts.some((post) => isAbove(post) !== isAbove(posts[0]!))) {
    fail("parameter show_caption_above_media must be the same for all messages");
  }
  const kinds = new Set(posts.map(({ kind }) => kind));
  if (kinds.size === 1) return;
  for (const kind of ["audio", "document"]) {
    if (kinds.has(kind)) fail(`${kind} can't be mixed with other media types`);
  }
}

/** Parses an `InputMedia`. */
export function readMedia(item: unknown, params: Params): Post {
  return readItem(item, { params, types: INPUT_TYPES });
}

function readItem(
  item: unknown,
  { params, types }: { readonly params: Params; readonly types: readonly string[] },
): Post {
  if (!isJsonObject(item)) return fail("expected an Object as InputMedia");
  const { type, media, ...rest } = item;
  if (typeof type !== "string" || !types.includes(type)) return fail("inputMedia type is invalid");
  // Each item is parsed like a single message.
  const values = Object.entries({ ...rest, [type]: media ?? "" }).filter(([, one]) => one !== null);
  const texts = values.map(([name, value]) =>
    [name, typeof value === "string" ? value : JSON.stringify(value)] as const
  );
  return readFile(type, new Params(new Map(texts), params.files));
}

const MAX_STARS = 25_000;
const MAX_PAID = 10;

/** https://core.telegram.org/bots/api#sendpaidmedia; refusals are those of https://github.com/tdlib/td */
export function readPaid(params: Params): Post {
  const { star_count, payload } = readFields(params, { star_count: "number", payload: "text" });
  const media = params.json("media", "paid media");
  if (media === undefined) return fail('parameter "media" is required');
  if (!Array.isArray(media)) return fail("expected an Array of InputPaidMedia");
  const stars = Number(star_count);
  if (!Number.isInteger(stars) || stars < 1 || stars > MAX_STARS) {
    return fail("invalid media price specified");
  }
  if (media.length === 0 || media.length > MAX_PAID) {
    return fail("invalid number of paid media specified");
  }
  const posts = media.map((item: unknown) => readItem(item, { params, types: PAID_TYPES }));
  const content: Json = {
    star_count: stars,
    ...(payload !== undefined && { payload }),
    media,
  };
  const base = readCommon(params);
  return {
    ...base,
    ...readCaption(params),
    kind: "paid_media",
    reference: "",
    files: posts.flatMap(({ files }) => files),
    content,
    // Files are named by their parts until they are stored.
    result: {
      star_count: stars,
      paid_media: posts.map(({ kind, reference, files: [file], details }) => ({
        type: kind,
        [kind]: { media: reference || `attach://${file?.part}`, ...details },
      })),
    },
    contents: [...contentOf({ paid_media: content }), ...base.contents],
  };
}
