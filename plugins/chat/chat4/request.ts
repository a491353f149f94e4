/**
 * Parameters of the methods that send messages:
 * https://core.telegram.org/bots/api#available-methods
 */
import { CONTENT_METHODS, readContent } from "./content.ts";
import { MEDIA_METHODS, readAlbum, readFile, readPaid, toPostFile } from "./media.ts";
import type { Params } from "./params.ts";
import { richText } from "./rich.ts";
import { contentOf, NO_TEXT, type Post, readCommon, readText } from "./post.ts";

/** Names of the methods that send one message. */
export const SENDING = [
  "sendmessage",
  "sendpaidmedia",
  ...Object.keys(MEDIA_METHODS),
  ...CONTENT_METHODS,
];

/** Parses the messages of a method, named in lower case. Throws `Refused`. */
export function readPosts(method: string, params: Params): readonly Post[] {
  return method === "sendmediagroup" ? readAlbum(params) : [readPost(method, params)];
}

/** Parses the message of a method, named in lower case. Throws `Refused`. */
export function readPost(method: string, params: Params): Post {
  const kind = MEDIA_METHODS[method];
  if (kind !== undefined) return readFile(kind, params);
  if (method === "sendpaidmedia") return readPaid(params);
  const content = readContent(method, params);
  if (content === undefined) {
    return { ...readCommon(params), kind: "text", ...readText(params), files: [], reference: "" };
  }
  const { given, result } = content;
  const base = readCommon(params);
  const isRich = content.kind === "rich_message";
  return {
    ...base,
    ...NO_TEXT,
    ...(isRich && { given: richText(given), meta: { ...base.meta, derived_text: true } }),
    kind: content.kind,
    reference: "",
    // Of a poll, or of the blocks of a rich message.
    files: params.files.map(toPostFile),
    content: given,
    result,
    contents: [...contentOf({ [content.kind]: given }), ...base.contents],
  };
}
