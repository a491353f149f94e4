/** Media inside of other content: https://core.telegram.org/bots/api#inputmedia */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { type Json, textIn } from "./fields.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

/** Checks one `InputMedia`, whose upload must be in the call. Throws `Refused`. */
export function checkMedia(
  media: unknown,
  { params, types }: { readonly params: Params; readonly types: readonly string[] },
): Json {
  if (!isJsonObject(media)) return fail("can't parse InputMedia: expected an Object");
  const type = textIn(media, "type");
  if (!types.includes(type)) return fail("can't parse InputMedia: invalid type specified");
  if (type === "link") textIn(media, "url");
  else if (type === "location" || type === "venue") checkPlace(media);
  else {
    const source = textIn(media, "media");
    const part = source.startsWith("attach://") ? source.slice("attach://".length) : undefined;
    const isMissing = part !== undefined && !params.files.some(({ name }) => name === part);
    if (source === "" || isMissing) return fail("can't parse InputMedia: media not found");
  }
  return media;
}

function checkPlace(media: Json): void {
  for (const name of ["latitude", "longitude"]) {
    if (!Number.isFinite(media[name])) fail(`can't find field "${name}"`);
  }
  if (media.type === "venue") { for (const name of ["title", "address"]) textIn(media, name); }
}
