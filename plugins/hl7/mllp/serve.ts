/** Serves a connection. */
import type { Transport } from "../../../core/net/transport.ts";
import { LogWriteError } from "../../../core/errors.ts";
import { largestWork } from "../../../core/memory/size.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import { answerFor, captureFrame, type Hl7State } from "../capture.ts";
import type { Issue } from "../model.ts";
import type { Frame } from "./codec/frame.ts";
import { answerFault, subjectsOf } from "./faults.ts";
import type { OPTIONS } from "./options.ts";
import { type MllpHandler, serveMllp } from "./session.ts";

/** Serves a connection to its end. */
export async function serve(
  wire: Transport,
  { env, connection }: { readonly env: MllpEnv; readonly connection: number },
): Promise<void> {
  const { values, ctx } = env;
  const limits = {
    maxBytes: Math.min(values.max_message_bytes, largestWork(ctx.memory)),
    readIdleMs: values.read_timeout * 1000,
    idleMs: values.idle_timeout * 1000,
    writeIdleMs: values.write_timeout * 1000,
  };
  const handler = toHandler(env, wire, { connection, maxBytes: limits.maxBytes });
  await serveMllp(wire, handler, { limits, memory: ctx.memory, signal: ctx.signal });
}

/** Bytes read of a message that does not fit in memory; they include its header. */
const MOST_READ = 65_536;

export type MllpEnv = ProviderEnv<typeof OPTIONS, Hl7State>;

function toHandler(
  env: MllpEnv,
  wire: Transport,
  { connection, maxBytes }: { connection: number; maxBytes: number },
): MllpHandler {
  const { peer, local } = wire;
  const refuse = (bytes: Uint8Array, issue: Omit<Issue, "severity">, silent: boolean) => {
    env.reject({ peer, raw: bytes, reason: issue.detail });
    const head = bytes.subarray(0, MOST_READ);
    return answerFor(env, head, { issue: { ...issue, severity: "error" }, silent });
  };
  return {
    async frame(frame, { silent }) {
      const { bytes } = frame;
      const issues = toIssues(frame, maxBytes);
      const received = { bytes, issues, silent, peer, local, connection };
      const asked = env.fault("capture", () => subjectsOf(received), wire);
      const fault = asked === undefined ? undefined : await asked;
      try {
        return fault === undefined
          ? await captureFrame(env, received)
          : await answerFault(fault, { env, received, wire });
      } catch (error) {
        if (!(error instanceof LogWriteError)) throw error;
        return refuse(bytes, { code: "not-kept", detail: error.message }, silent);
      }
    },
    turnAway: ({ bytes }, { message: detail }, { silent }) =>
      refuse(bytes, { code: "no-memory", detail }, silent),
    refuse: (raw) =>
      env.reject({
        peer,
        raw,
        reason: "Received no message: MLLP puts 0x0B before a message and 0x1C 0x0D after it",
      }),
  };
}

function toIssues(frame: Frame, maxBytes: number): readonly Issue[] {
  const issues: Issue[] = [];
  if (frame.stray !== undefined) {
    issues.push({
      code: "outside-frame",
      detail: `Bytes before the frame: 0x${frame.stray.subarray(0, 32).toHex()}`,
      severity: "warning",
    });
  }
  if (frame.kind === "unterminated") {
    issues.push({
      code: "unterminated",
      detail: "The frame did not end before the next one began or the connection ended",
      severity: "error",
    });
  }
  if (frame.kind === "too-long") {
    issues.push({
      code: "too-large",
      detail:
        `The message has more than ${maxBytes} bytes: only the first ${frame.bytes.length} are kept`,
      severity: "error",
    });
  }
  return issues;
}
