/** A rule: when a provider fails, and how. */
export interface FaultRule {
  /** `plugin/provider`, or `plugin` for all its providers that have the phase and the outcomes. */
  readonly on: string;
  /** Shown with every hit; by default the outcome. At most 200 characters. */
  readonly name?: string;
  /** When the rule applies; by default in the phase that captures, or else the first phase of the outcome. */
  readonly phase?: string;
  /** Conditions by path, as in an expectation; a path starts in the payload unless it starts with `raw` or `meta`. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** Applies only to requests of this namespace. */
  readonly namespace?: string;
  /** Number of matches that pass before the first hit; by default 0. */
  readonly skip?: number;
  /** One outcome for every hit, or a list with one for each; then the provider works as usual. None: only `delay`. */
  readonly outcome?: string | readonly string[];
  /** Parameters of the outcomes, by name. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** Probability that a match is a hit: above 0, at most 1. */
  readonly chance?: number;
  /** Makes `chance` pick the same matches in every run. */
  readonly seed?: string;
  /** Number of hits after which the rule no longer applies. */
  readonly times?: number;
  /** Wait before the outcome, or on its own: text such as `250ms`, at most `10m`. */
  readonly delay?: string;
  /** Whether the request is captured before it fails. */
  readonly after?: boolean;
  /** Time after which the rule is removed, such as `5m`. */
  readonly ttl?: string;
}

/** A rule that the service holds, and how often it applied. */
export interface FaultRecord extends FaultRule {
  /** Its id. */
  readonly id: string;
  /** Shown with every hit. */
  readonly name: string;
  /** Matches that became a fault. */
  readonly hits: number;
  /** Requests that met the conditions, hit or not. */
  readonly matches: number;
  /** Hits that came without their delay, because too many waited already; absent if all had it. */
  readonly undelayed?: number;
  /** A rule of the configuration file can be reset, but not removed. */
  readonly from: "file" | "api";
  /** Whether it no longer applies. */
  readonly spent: boolean;
}
