/** Shared by all methods: they take parameters, and return a result or a refusal. */
import type { IngressCall, MaybePromise } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";
import type { Params } from "./params.ts";

/** A call of a method. */
export interface MethodCall {
  /** In lower case. */
  readonly method: string;
  /** Name as called. */
  readonly name: string;
  readonly token: string;
  readonly params: Params;
  readonly call: IngressCall;
  readonly env: Env;
}

/** Returns the result. Throws like `fail()`. */
export type Method = (call: MethodCall) => MaybePromise<unknown>;

/** Notes of a call for its event. */
export function notesOf({ name, token }: MethodCall): Readonly<Record<string, unknown>> {
  return { method: name, bot_id: token.split(":")[0], bot_token: token };
}
