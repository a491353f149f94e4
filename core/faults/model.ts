/** When a provider fails, and how. */
export interface FaultRule {
  /** `plugin/provider`, or `plugin` for all providers of it that have the phase and the outcomes. */
  readonly on: string;
  /** Shown with every hit; the outcome unless given. At most 200 characters. */
  readonly name?: string;
  /** Where it is asked; unless given, where the provider captures, or the first phase that the outcome has. */
  readonly phase?: string;
  /** Conditions by place, as in an expectation; a place begins in the payload unless it begins with `raw` or `meta`. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** Only what belongs to this namespace. */
  readonly namespace?: string;
  /** So many matches pass first; 0 unless given. */
  readonly skip?: number;
  /** The same for every match; or a list, one for each hit, after which all is normal. None: only `delay`. */
  readonly outcome?: string | readonly string[];
  /** Parameters of the outcomes. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** How likely a match is to be a hit, above 0 and at most 1. */
  readonly chance?: number;
  /** With `chance`: the n-th match has the same fate in every run. */
  readonly seed?: string;
  /** At most so many hits. */
  readonly times?: number;
  /** Waited before the outcome, or alone: text such as `250ms`, at most `10m`. */
  readonly delay?: string;
  /** What was sent is captured, and the answer is the fault. */
  readonly after?: boolean;
  /** The rule goes by itself after this time, such as `5m`. */
  readonly ttl?: string;
}
