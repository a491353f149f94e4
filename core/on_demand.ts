/** Functions of modules that are loaded on their first call, because each one delays every start. */
import { reasonOf } from "./errors.ts";
import type { MaybePromise } from "./result.ts";

/** Names of the functions that a module exports. */
type FunctionOf<M> =
  & { [K in keyof M]: M[K] extends (...args: never[]) => unknown ? K : never }[keyof M]
  & string;

/** A function of a module; its result may be late, because the module is loaded first. */
export type OnDemand<F> = F extends (...args: infer A) => infer R
  ? (...args: A) => MaybePromise<Awaited<R>>
  : never;

/**
 * Returns the functions of a module by their names: `onDemand(() => import("./handlers.ts"))("send")`. The first call of
 * any of them loads the module, once; later ones go to it directly. The specifier must be a literal, or the compiled
 * program lacks the module.
 */
export function onDemand<M extends object>(
  load: () => Promise<M>,
): <K extends FunctionOf<M>>(name: K) => OnDemand<M[K]> {
  let loaded: M | undefined;
  let loading: Promise<M> | undefined;
  const loadOnce = async (): Promise<M> => {
    try {
      return loaded = await load();
    } catch (error) {
      loading = undefined;
      throw new Error(`Cannot load the code of this call: ${reasonOf(error)}`, { cause: error });
    }
  };
  return <K extends FunctionOf<M>>(name: K): OnDemand<M[K]> => {
    const call = (...args: readonly unknown[]): unknown => {
      if (loaded !== undefined) return run(loaded[name], args);
      loading ??= loadOnce();
      return loading.then((module) => run(module[name], args));
    };
    return call as unknown as OnDemand<M[K]>;
  };
}

function run(exported: unknown, args: readonly unknown[]): unknown {
  return (exported as (...args: readonly unknown[]) => unknown)(...args);
}
