/** Calls the method that the path names. */
import type { IngressCall } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import type { Env } from "./options.ts";
import { readParams } from "./params.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import { answer, refuse } from "./reply.ts";
import { METHODS } from "./table.ts";

/** Answers a call of a method. */
export async function serve(call: IngressCall, env: Env): Promise<Response> {
  const { token = "", method: given = "" } = call.params;
  const found = METHODS.get(given.toLowerCase());
  if (found === undefined) return refuse(REFUSALS.unknownMethod);
  try {
    const params = await readParams(call);
    const method = given.toLowerCase();
    return answer(await found.method({ method, name: found.name, token, params, call, env }));
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal as VendorRefusal);
    throw error;
  }
}
