import { WireError } from "../../../bytes/decoder.ts";
import type { Input } from "../wire/input.ts";
import type { RequestBody } from "./body.ts";
import type { Patience } from "./patience.ts";

/**
 * Behind our end, throws away what still comes until the client closes. Of a `body` that is still to come, returns that it
 * breaks off, and `what` is wrong with its bytes unless it just ended.
 */
export async function linger(
  input: Input,
  patience: Patience,
  body?: RequestBody,
): Promise<{ readonly what?: string } | undefined> {
  let broken: { readonly what: string } | undefined;
  do {
    try {
      if (broken === undefined) body?.drop();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      broken = { what: error.message };
    }
    input.skip(input.length);
    patience.enter("closing");
  } while (await input.fill());
  return broken ?? (body === undefined || body.done ? undefined : {});
}
