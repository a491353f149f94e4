/**
 * Files that a user uploads into a modal: https://docs.slack.dev/reference/block-kit/block-elements/file-input-element.
 * The app downloads them from their `url_private_download`.
 */
import { sourcedResponse } from "../../../core/http/answer.ts";
import { decodeBase64 } from "@std/encoding/base64";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { unknownName } from "../../../core/options/suggest.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { type DraftFile, storeFiles } from "../files.ts";
import type { GivenValues } from "../value_options.ts";
import type { Context } from "./app_calls.ts";
import { type Element, findElement } from "./elements.ts";
import { IDENTITY, newId } from "./ids.ts";
import { toFile } from "./objects.ts";
import type { Env } from "./options.ts";
import { refuseWebhook } from "./reply.ts";

type Json = Readonly<Record<string, unknown>>;

/** "Minimum of 1, maximum of 10." "There is a 10MB file size limit." */
const MAX_FILES = 10;
const MAX_BYTES = 10_000_000;
const FIELDS = ["filename", "content", "content_type"];

/** Stores the files that a user gives, and returns the values with the vendor's objects in their place. */
export async function storeGivenFiles(
  all: readonly Element[],
  given: GivenValues,
  context: Context,
): Promise<GivenValues> {
  const inputs = all.filter(({ type }) => type === "file_input");
  if (inputs.length === 0) return given;
  const values: Record<string, unknown> = { ...given };
  for (const [key, value] of Object.entries(given)) {
    const element = findElement(all, key);
    if (!inputs.includes(element) || value === null) continue;
    values[key] = await keep(readFiles(element, value), context);
  }
  return values;
}

function readFiles({ label, json }: Element, value: unknown): readonly DraftFile[] {
  const cannot = (why: string) => new RangeError(`Cannot fill in "${label}": ${why}`);
  const { max_files, filetypes } = json;
  const isLimit = Number.isInteger(max_files) && Number(max_files) >= 1;
  const most = isLimit ? Math.min(Number(max_files), MAX_FILES) : MAX_FILES;
  if (!Array.isArray(value)) throw cannot("expected a list of files");
  if (value.length > most) throw cannot(`expected at most ${most} files`);
  return value.map((file: unknown) => {
    if (!isJsonObject(file)) throw cannot('expected files as {"filename": …, "content": base64}');
    const unknown = Object.keys(file).find((name) => !FIELDS.includes(name));
    if (unknown !== undefined) throw cannot(unknownName("field", unknown, FIELDS));
    const { filename, content, content_type } = file;
    if (typeof filename !== "string" || filename === "" || typeof content !== "string") {
      throw cannot("expected filename and content as strings");
    }
    const ending = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase();
    if (Array.isArray(filetypes) && filetypes.length > 0 && !filetypes.includes(ending)) {
      throw cannot(`expected a file of type ${filetypes.join(", ")}, not "${filename}"`);
    }
    const bytes = toBytes(content) ??
      fail(cannot(`expected the content of "${filename}" in base64`));
    if (bytes.length > MAX_BYTES) throw cannot(`"${filename}" is larger than 10 MB`);
    return {
      bytes,
      filename,
      content_type: typeof content_type === "string" ? content_type : undefined,
    };
  });
}

function fail(error: Error): never {
  throw error;
}

function toBytes(base64: string): Uint8Array | undefined {
  try {
    return decodeBase64(base64);
  } catch {
    return undefined;
  }
}

async function keep(drafts: readonly DraftFile[], { env }: Context): Promise<readonly Json[]> {
  const { ctx, store } = env;
  try {
    const stored = await storeFiles(ctx, drafts);
    const created = Math.floor(ctx.now().getTime() / 1000);
    return stored.map((file) => {
      const id = newId("F", ctx.uuid());
      store.addUserFile(id, file.blob, ctx);
      const name = encodeURIComponent((file.filename ?? "file").toWellFormed());
      const url = `${ctx.ingressUrl()}/files-pri/${IDENTITY.team_id}-${id}`;
      return {
        ...toFile(file, { id, created }),
        is_public: false,
        url_private: `${url}/${name}`,
        url_private_download: `${url}/download/${name}`,
      };
    });
  } catch (error) {
    if (error instanceof StoreFullError) throw new RangeError(`Cannot upload: ${error.message}`);
    throw error;
  }
}

/** `GET /files-pri/{file}/download/{name}` and without `download`. */
export async function downloadFile(
  { params }: IngressCall,
  { ctx, store }: Env,
): Promise<Response> {
  const id = (params.file ?? "").replace(`${IDENTITY.team_id}-`, "");
  const blob = store.userFile(id);
  const bytes = blob && await ctx.blobs.read(blob.id, 0, blob.size);
  if (bytes === undefined) return refuseWebhook({ error: "file_not_found", status: 404 });
  return sourcedResponse(bytes as Uint8Array<ArrayBuffer>, {
    headers: { "content-type": blob?.content_type ?? "application/octet-stream" },
  });
}
