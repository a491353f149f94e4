import type { Clock } from "../clock.ts";
import type { AssetSource } from "../http/assets.ts";
import type { Logger } from "../log.ts";
import type { Settings } from "../options/settings.ts";

/** Options of a service. */
export interface CoreOptions {
  readonly settings: Settings;
  /** UI files by name; by default there is no UI. */
  readonly assets?: AssetSource;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Makes ids the same in every run. Nothing can be stored on disk then. */
  readonly seed?: string;
  /** Folder for generated keys and certificates; by default they stay in memory. */
  readonly configFolder?: string;
  /**
   * The process runs nothing but the service, so it may collect garbage. In a shared process, memory belongs to others
   * too. By default false.
   */
  readonly ownsProcess?: boolean;
}
