import { ConfigError, reasonOf } from "../../errors.ts";
import type { HttpAnswer } from "../../net/http_client.ts";
import { PROGRAM } from "../base/command.ts";
import { type Instance, readReadiness } from "./instance.ts";
import type { CliIo } from "../base/io.ts";

/** Between two checks, in milliseconds. */
const LOOK_MS = 100;

/** Result of a check. */
type Look = { readonly ready: true } | { readonly ready: false; readonly why: string };

/**
 * Reports that an instance is ready, with `waitMs` as soon as it is, and returns 0. Throws `ConfigError` with the reason
 * if it is not ready, or not in time.
 */
export async function reportReady(
  instance: Instance,
  io: CliIo,
  { waitMs }: { waitMs: number },
): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const look = await lookAt(instance);
    if (look.ready) {
      io.stdout(`${PROGRAM} is ready at ${instance.base}`);
      return 0;
    }
    if (waitMs === 0) throw new ConfigError(look.why);
    if (performance.now() - startMs + LOOK_MS > waitMs) {
      throw new ConfigError(`Waited ${waitMs / 1000} s for ${PROGRAM}: ${look.why}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function lookAt(instance: Instance): Promise<Look> {
  let answer: HttpAnswer;
  try {
    answer = await instance.get("/ready");
  } catch (error) {
    return { ready: false, why: reasonOf(error) };
  }
  if (answer.status === 200) return { ready: true };
  const status = answer.status === 503 ? readReadiness(answer.body)?.status : undefined;
  return {
    ready: false,
    why: status === undefined
      ? `Cannot tell whether ${instance.base} is ready: it answered ${answer.status}, but is not ${PROGRAM}`
      : `Cannot use ${PROGRAM} at ${instance.base} yet: it is ${status}`,
  };
}
