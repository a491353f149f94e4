/** Takes messages, and gives the certificate out. */
import type { IngressCall } from "../../../core/plugin.ts";
import { receiptFault } from "./faults.ts";
import type { Env } from "./options.ts";
import { answerCertificate } from "./reply.ts";
import { capturing, readingOf } from "./request.ts";

/** Answers with the receipt, if one is asked for. */
export async function take(call: IngressCall, env: Env): Promise<Response> {
  const { receive } = await capturing();
  return await receive(call, env, readingOf(call, env, receiptFault(call.fault?.outcome)));
}

/** The certificate that partners encrypt with. */
export async function giveCertificate(_call: IngressCall, { state }: Env): Promise<Response> {
  return answerCertificate(await state.identity?.obtain());
}
