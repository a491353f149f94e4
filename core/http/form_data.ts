import { WireError } from "../bytes/decoder.ts";
import { type FormFields, formFields } from "../codec/form.ts";

/** Parts of a form; vendors send a few dozen, and each costs as much as a kilobyte of text. */
const MAX_PARTS = 1000;

/**
 * Reads `multipart/form-data` (RFC 7578) and gives its texts; files are left out. Throws `WireError` for more than 1000
 * parts, and `TypeError` for what is no such form.
 */
export async function decodeFormData(body: Uint8Array, contentType: string): Promise<FormFields> {
  const boundary = /boundary="?([^";,]+)/i.exec(contentType)?.[1];
  if (boundary !== undefined && occursMoreThan(MAX_PARTS + 1, body, `--${boundary}`)) {
    throw new WireError("limit", `the form has more than ${MAX_PARTS} parts`);
  }
  const form = await new Response(body as Uint8Array<ArrayBuffer>, {
    headers: { "content-type": contentType },
  }).formData();
  return formFields(
    [...form].filter((part): part is [string, string] => typeof part[1] === "string"),
  );
}

function occursMoreThan(times: number, body: Uint8Array, word: string): boolean {
  const text = new TextDecoder("latin1").decode(body);
  let at = -1;
  for (let count = 0; (at = text.indexOf(word, at + 1)) >= 0;) {
    if (++count > times) return true;
  }
  return false;
}
