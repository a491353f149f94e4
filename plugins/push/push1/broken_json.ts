import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeText } from "../../../core/codec/json_lenient.ts";
import { scanJson } from "../../../core/codec/json_span.ts";

/** Characters of the text shown on each side of the fault. */
const CONTEXT = 20;

/** What Google's front end says of a body that is not JSON: the text around the fault, and a mark below it. */
export function describeBrokenJson(body: Uint8Array, contentType: string | null): string {
  const opening = "Invalid JSON payload received. Unexpected token.";
  let text: string;
  try {
    text = decodeText(body, contentType);
  } catch (error) {
    if (error instanceof WireError) return opening;
    throw error;
  }
  const at = faultIn(text);
  const begin = Math.max(0, at - CONTEXT);
  const around = text.slice(begin, at + CONTEXT).toWellFormed();
  return `${opening}\n${around}\n${" ".repeat(at - begin)}^`;
}

function faultIn(text: string): number {
  try {
    scanJson(text);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return Math.min(Number(/ at (\d+)$/.exec(error.message)?.[1] ?? 0), text.length);
  }
  // JSON after all, but of more arrays and objects than are read.
  return 0;
}
