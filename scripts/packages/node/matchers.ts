/**
 * Matchers for Vitest and Jest. `import "@standin/client/vitest"` or `"@standin/client/jest"` registers them; other
 * runners take them with `expect.extend(matchers)`.
 *
 * @module
 */
import { type Expectation, ExpectationError, StandinClient } from "../../../core/client/mod.ts";

/** Result of a matcher. */
export interface MatcherResult {
  /** Whether the expectation is met. */
  readonly pass: boolean;
  /** Explains a failure. */
  message(): string;
}

/** The part of a runner's matcher context that is used. */
export interface MatcherContext {
  /** Whether `.not` was used. */
  readonly isNot?: boolean;
}

/** An expectation, with the filters of the plugin of its type. */
export type ReceivedExpectation = Expectation & Readonly<Record<string, unknown>>;

/** Matchers, as they appear on `expect(standin)`. */
export interface StandinMatchers {
  /**
   * Waits until the service holds the expected events: `await expect(standin).toHaveReceived({
   * type: "mail.message", match: { subject: "Welcome" } })`. With `.not`, checks that nothing
   * matches, for `timeoutMs` if given.
   */
  toHaveReceived(expectation: ReceivedExpectation): Promise<void>;
}

/**
 * `expect(standin).toHaveReceived(…)`. Its message describes the difference from the closest event.
 * An invalid expectation, such as an unknown filter, rejects, even with `.not`.
 */
async function toHaveReceived(
  this: MatcherContext,
  standin: unknown,
  expectation: ReceivedExpectation,
): Promise<MatcherResult> {
  if (!isClient(standin)) {
    throw new TypeError(
      "Cannot use toHaveReceived: expected a client of standin, as in expect(connect(url))",
    );
  }
  const isNot = this.isNot === true;
  const name = isNot && ["none", "count", "order"].find((key) => expectation[key] !== undefined);
  if (name) {
    throw new RangeError(`Cannot use "${name}" with .not: it already means that nothing matches`);
  }
  try {
    await standin.expect(isNot ? { ...expectation, none: true } : expectation);
    return {
      pass: !isNot,
      message: () => `Expected that nothing matches ${JSON.stringify(expectation)}`,
    };
  } catch (error) {
    // Compared by name, because another copy of this package has its own class.
    if (!(error instanceof Error) || error.name !== ExpectationError.name) throw error;
    return { pass: isNot, message: () => error.message };
  }
}

function isClient(value: unknown): value is StandinClient {
  return value instanceof StandinClient ||
    (typeof value === "object" && value !== null && "expect" in value && "waitFor" in value);
}

/** All matchers. */
export const matchers: { readonly toHaveReceived: typeof toHaveReceived } = { toHaveReceived };
