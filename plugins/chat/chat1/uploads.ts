/**
 * Uploads in three steps: request an address, send the bytes there, share the file
 * (https://docs.slack.dev/messaging/working-with-files#upload).
 */
import { textResponse } from "../../../core/http/reply.ts";
import { compact } from "../../../core/compact.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import { decodeFormFiles } from "../../../core/http/form_data.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureChat } from "../capture.ts";
import { toFile as toChatFile } from "../files.ts";
import { IDENTITY, isConversation, newId } from "./ids.ts";
import type { Method, MethodCall } from "./methods.ts";
import { toFile } from "./objects.ts";
import type { Env } from "./options.ts";
import { fail, failMissing } from "./refusals.ts";
import { refuseWebhook, toChannel } from "./reply.ts";
import { contentsOf, readPost } from "./request.ts";
import type { Upload } from "./store.ts";
import type { Room } from "./workspace.ts";

/** Longest description and name, in characters, and maximum number of channels of a file. */
const MAX_ALT_TEXT = 1000;
const MAX_NAME = 1000;
const MAX_CHANNELS = 100;
/** Channel of files that are not shared. */
const NOWHERE: Room = { id: "files", name: "files", users: [], created: 0 };

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
export const announceUpload: Method = ({ given, call, env, ctx, nowMs }) => {
  const filename = given.text("filename")?.trim() ?? "";
  const length = given.text("length")?.trim() ?? "";
  if (filename === "") failMissing("filename");
  if (filename.length > MAX_NAME) fail("invalid_arguments", ["must be shorter: filename"]);
  if (!/^[1-9]\d{0,14}$/.test(length)) failMissing("length");
  const altText = given.text("alt_txt") ?? given.text("alt_text") ?? "";
  if ([...altText].length > MAX_ALT_TEXT) fail("alt_txt_too_large");
  const id = newId("F", ctx.uuid());
  const token = ctx.uuid().replaceAll("-", "");
  const created = Math.floor(nowMs / 1000);
  env.store.addUpload(token, { id, filename, length: Number(length), altText, created }, ctx);
  return { upload_url: `${uploadHost(call, env)}/upload/v1/${token}`, file_id: id };
};

/** A client that uses the vendor's host gets an address on the vendor's host. */
function uploadHost({ headers }: IngressCall, { ctx }: Env): string {
  const host = headers.get("host") ?? "";
  return /(^|\.)slack\.com(:\d+)?$/i.test(host) ? "https://files.slack.com" : ctx.ingressUrl();
}

/** `POST /upload/v1/{token}`: the raw bytes, or a file in a form. */
export async function takeUpload(call: IngressCall, env: Env): Promise<Response> {
  const upload = env.store.upload(call.params.token ?? "");
  if (upload === undefined || upload.blob !== undefined) {
    return refuseWebhook({ error: "invalid_upload", status: 404 });
  }
  const read = await bytesOf(call);
  if (read === undefined) return refuseWebhook({ error: "invalid_form_data" });
  const { bytes, contentType } = read;
  const about = { filename: upload.filename, ...compact({ content_type: contentType }) };
  const blob = await env.ctx.blobs.put(bytes, about);
  // Another request may have sent it, or reset everything, meanwhile.
  if (upload.blob !== undefined || env.store.upload(call.params.token ?? "") !== upload) {
    env.ctx.blobs.release(blob.id);
    return refuseWebhook({ error: "invalid_upload", status: 404 });
  }
  upload.blob = blob;
  return textResponse(`OK - ${bytes.length}`, { headers: { "content-type": "text/html" } });
}

interface Sent {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

async function bytesOf({ body, headers }: IngressCall): Promise<Sent | undefined> {
  const type = headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) return { bytes: body, contentType: known(type) };
  try {
    const { files: [file], fields } = await decodeFormFiles(body, type);
    if (file !== undefined) return { bytes: file.bytes, contentType: known(file.contentType) };
    const [[, text] = ["", ""]] = fields.pairs;
    return { bytes: new TextEncoder().encode(text), contentType: "text/plain" };
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Media types that are specific. */
function known(type: string): string | undefined {
  return /^$|octet-stream|x-www-form-urlencoded/.test(type) ? undefined : type;
}

/** https://docs.slack.dev/reference/methods/files.completeUploadExternal */
export const completeUpload: Method = (call) => {
  const { env, ctx } = call;
  const files = filesIn(call);
  const uploads = env.store.sentUploads(files.map(({ id }) => id)) ?? fail("file_not_found");
  const rooms = roomsIn(call);
  const { text, contents, threadTs } = commentIn(call);
  const stored = uploads.map(({ blob }, at) => toChatFile(blob, files[at]!.title));
  for (const [at, room] of rooms.entries()) {
    // The first event takes over the reference from storing the blob.
    if (at > 0) { for (const { blob } of stored) ctx.blobs.retain(blob.id); }
    const ts = env.store.nextTs(call.nowMs);
    captureChat(env, {
      channel: toChannel(room),
      author: { id: IDENTITY.bot_id, name: "", icon_url: "", bot: true },
      text,
      contents,
      files: stored,
      ts,
      thread_ts: threadTs,
    }, {
      raw: call.call.raw,
      meta: {
        surface: "web_api",
        file_ids: uploads.map(({ id }) => id),
        ...altTexts(uploads),
        ...compact({ token: call.given.text("token") }),
        ...presentedCredentials(call.call.headers),
        ...(room.users.length === 1 && { direct_to: room.users[0] }),
      },
    });
  }
  env.store.takeUploads(uploads.map(({ id }) => id));
  return { files: uploads.map(({ id, created }, at) => toFile(stored[at]!, { id, created })) };
};

function altTexts(uploads: readonly Upload[]): { readonly alt_texts?: readonly string[] } {
  return uploads.some(({ altText }) => altText !== "")
    ? { alt_texts: uploads.map(({ altText }) => altText) }
    : {};
}

function filesIn(
  { given }: MethodCall,
): readonly { readonly id: string; readonly title: string }[] {
  const json = given.json("files") ?? failMissing("files");
  const list = parsed(json);
  if (!Array.isArray(list) || list.length === 0) return failMissing("files");
  return list.map((one: unknown) => {
    if (!isJsonObject(one) || typeof one.id !== "string") return fail("file_not_found");
    return { id: one.id, title: typeof one.title === "string" ? one.title : "" };
  });
}

function parsed(json: string): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    if (error instanceof WireError) return fail("invalid_arguments");
    throw error;
  }
}

function roomsIn({ given, workspace, nowMs }: MethodCall): readonly Room[] {
  const named = [given.text("channel_id") ?? "", ...(given.text("channels") ?? "").split(",")]
    .map((one) => one.trim()).filter((one) => one !== "");
  if (named.length === 0) return [NOWHERE];
  if (named.length > MAX_CHANNELS) fail("channels_limit_exceeded");
  return [...new Set(named)].map((id) =>
    isConversation(id) ? workspace.roomFor(id, nowMs) : fail("channel_not_found")
  );
}

/** The comment, or the blocks instead. */
function commentIn({ given }: MethodCall) {
  const comment = given.text("initial_comment") ?? "";
  const threadTs = given.text("thread_ts") ?? "";
  if (given.json("blocks") === undefined) return { text: comment, contents: [], threadTs };
  const read = readPost({
    text: (name) => name === "text" ? comment : undefined,
    json: (name) => name === "blocks" ? given.json(name) : undefined,
  });
  if (!read.ok) return fail("invalid_blocks", read.refusal.details);
  return { text: read.value.readable, contents: contentsOf(read.value), threadTs };
}
