/** What the provider and its connections share. */
import { compact } from "../../../core/compact.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { Actor, FilesState } from "../record.ts";
import type { Duplicates } from "./duplicates.ts";
import type { OPTIONS } from "./options.ts";
import type { SpareRecords } from "./spare_records.ts";
import type { Volume } from "./volume.ts";

export type NfsEnv = ProviderEnv<typeof OPTIONS, FilesState>;

/** What all connections to one tree share. */
export interface NfsService {
  readonly volume: Volume;
  readonly duplicates: Duplicates;
  readonly spare: SpareRecords;
}

export function toActor(env: NfsEnv): Actor {
  return {
    provider: "nfs",
    transport: "tcp",
    capture: (event) => env.settled(env.capture(event)),
  };
}

export function report(env: NfsEnv, error: unknown, peer?: string): void {
  env.ctx.log.error("Cannot carry out a call", {
    provider: "nfs",
    ...compact({ peer }),
    error,
  });
}
