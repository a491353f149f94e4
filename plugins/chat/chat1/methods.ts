/** Shared by the methods of the Web API: they take arguments, and return an object or a refusal. */
import type { IngressCall, MaybePromise, PluginContext } from "../../../core/plugin.ts";
import { Refused, type Result, success } from "../../../core/result.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { isConversation, isTs } from "./ids.ts";
import type { Json } from "./objects.ts";
import type { Env } from "./options.ts";
import { fail, type VendorRefusal } from "./refusals.ts";
import { answer, refuse } from "./reply.ts";
import type { Message, Room, Workspace } from "./workspace.ts";

/** A call of a method. */
export interface MethodCall {
  readonly given: Arguments;
  readonly call: IngressCall;
  readonly env: Env;
  readonly ctx: PluginContext;
  readonly workspace: Workspace;
  readonly nowMs: number;
}

/** Returns the members of the response besides `ok`. Throws like `fail()`. */
export type Method = (call: MethodCall) => MaybePromise<Json>;

/** Serves a method. */
export function serve(method: Method) {
  return async (call: IngressCall, env: Env): Promise<Response> => {
    const given = await argumentsOf(call);
    if (!given.ok) return refuse(given.refusal, env);
    const { ctx, store } = env;
    const workspace = store.workspace(ctx);
    const nowMs = ctx.now().getTime();
    try {
      const made = await method({ given: given.value, call, env, ctx, workspace, nowMs });
      return answer({ ok: true, ...made });
    } catch (error) {
      if (error instanceof Refused) return refuse(error.refusal as VendorRefusal, env);
      throw error;
    }
  };
}

/** Arguments of the body, else of the query. */
export async function argumentsOf(call: IngressCall): Promise<Result<Arguments, VendorRefusal>> {
  // slack_sdk of Python calls a method without arguments with no body, as JSON.
  const type = call.body.length === 0 ? null : call.headers.get("content-type");
  const given = await readArguments(call.body, type);
  if (!given.ok) return given;
  const inQuery = (name: string): string | undefined => call.query.get(name) ?? undefined;
  const { text, json } = given.value;
  return success({
    text: (name: string) => text(name) ?? inQuery(name),
    json: (name: string) => json(name) ?? inQuery(name),
  });
}

/** Returns the conversation that an argument names by id; these methods accept no names. */
export function roomIn({ given, workspace }: MethodCall, name = "channel"): Room {
  const id = given.text(name)?.trim() ?? "";
  return (isConversation(id) ? workspace.room(id) : undefined) ?? fail("channel_not_found");
}

/** Returns the message that two arguments identify. */
export function messageIn(call: MethodCall, name: string): Message {
  const { id } = roomIn(call);
  const ts = call.given.text(name)?.trim() ?? "";
  return call.workspace.message(id, ts, call.ctx) ?? fail("message_not_found");
}

/** Parses a message time, whose digits after the dot may be missing. */
export function tsIn({ given }: MethodCall, name: "oldest" | "latest"): string | undefined {
  const text = given.text(name)?.trim() ?? "";
  // https://docs.slack.dev/reference/methods/conversations.history: "now" is the same as none.
  if (text === "" || text === "now" || text === "0") return undefined;
  const whole = text.includes(".") ? text : `${text}.0`;
  if (!isTs(whole)) return fail(`invalid_ts_${name}`);
  const [seconds, rest] = whole.split(".");
  return `${seconds!.padStart(10, "0")}.${rest!.padEnd(6, "0")}`;
}
