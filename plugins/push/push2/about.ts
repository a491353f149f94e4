import type { IngressCall } from "../../../core/plugin.ts";
import { requestId } from "./headers.ts";
import type { Env } from "./options.ts";
import { refuse, type ReplyAbout, type VendorRefusal } from "./reply.ts";

/** Returns the part of a request that its response repeats: the id as sent, or a new one. */
export function aboutOf(call: IngressCall, env: Pick<Env, "ctx">): ReplyAbout {
  return {
    id: requestId(call.rawHeaders) ?? env.ctx.uuid().toUpperCase(),
    version: call.version,
  };
}

/** Refuses a call. */
export function refuseCall(
  reason: VendorRefusal,
  { call, env, detail, since }: {
    readonly call: IngressCall;
    readonly env: Env;
    readonly since?: Date;
    readonly detail?: string | undefined;
  },
): Response {
  return refuse(reason, { env, about: aboutOf(call, env), detail, since });
}
