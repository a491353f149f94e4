import { compact } from "../compact.ts";
import { inSlices } from "../time_slice.ts";
import { loadRegex } from "../expect/regex.ts";
import { bytesOf } from "../memory/size.ts";
import { seededRandom } from "../random.ts";
import { compileMatch, type Looked, lookedAt, type Match } from "./match.ts";
import { pause } from "./pause.ts";
import { type Client, CORE_OUTCOMES, type Fault, type FaultSubject } from "./outcome.ts";
import type { FaultRecord } from "./model.ts";
import type { ReadOutcome, ReadRule } from "./rule.ts";

/** Environment of faults. */
export interface EngineOptions {
  /** The namespace of what is about to be captured. */
  namespaceOf(subject: FaultSubject): string | undefined;
  /** 32 random bits, for rules without a seed. */
  bits(): number;
  /** A monotonic clock, in milliseconds. */
  elapsedMs(): number;
  /** Ends delays when the service stops. */
  readonly signal: AbortSignal;
  /** Called before rules that reset the connections of these providers. */
  prepareResets(on: readonly string[]): Promise<void>;
}

/** Maximum number of rules at a time. */
export const MAX_RULES = 1000;
/** Maximum number of rules with regular expressions, each of which may take up to a quarter of a second. */
export const MAX_PATTERN_RULES = 100;
/** Maximum memory of all rules, in bytes: 16 KiB of empty lists take 200 KiB. */
const MAX_RULE_BYTES = 16 * 1024 * 1024;
/** Maximum number of keys that one rule remembers; then it forgets the oldest. */
const MAX_REFUSED = 10_000;
/** Maximum number of requests and datagrams delayed at a time, because they are in memory; further ones are answered at once. */
const MAX_WAITING = 5000;

/** Gate through which one provider asks for faults. */
export interface FaultGate {
  /** Whether any rule can apply; if not, the gate need not be asked. */
  readonly armed: boolean;
  /** The fault of the first rule that applies, after its delay. One of several subjects is enough to match. */
  ask(
    phase: string,
    subjects: readonly FaultSubject[],
    client?: Client,
  ): Promise<Fault | undefined>;
}

class Rule {
  readonly id: string;
  readonly read: ReadRule;
  readonly from: FaultRecord["from"];
  readonly #match: Match;
  readonly #options: EngineOptions;
  readonly #endsMs: number;
  /** Time at which an outcome with `passes` first refused each key. */
  readonly #refused = new Map<string, number>();
  #draw: () => number;
  #matches = 0;
  hits = 0;
  undelayed = 0;

  constructor(
    read: ReadRule,
    match: Match,
    { id, from, options }: { id: string; from: FaultRecord["from"]; options: EngineOptions },
  ) {
    this.id = id;
    this.read = read;
    this.from = from;
    this.#match = match;
    this.#options = options;
    this.#endsMs = options.elapsedMs() + read.ttlMs;
    this.#draw = this.#begin();
  }

  get expired(): boolean {
    return this.#options.elapsedMs() >= this.#endsMs;
  }

  get spent(): boolean {
    const { times, inTurn, outcomes } = this.read;
    return this.hits >= times || (inTurn && this.hits >= outcomes.length) || this.expired;
  }

  view(): FaultRecord {
    const { id, from, hits, spent, read } = this;
    return {
      ...{ id, ...read.rule, name: read.name, hits, matches: this.#matches, from, spent },
      ...(this.undelayed === 0 ? {} : { undelayed: this.undelayed }),
    };
  }

  restart(): void {
    this.hits = 0;
    this.undelayed = 0;
    this.#matches = 0;
    this.#draw = this.#begin();
  }

  /** Index of the first subject that matches; 0 for a rule without conditions; -1 for no match. */
  async fits(subjects: readonly FaultSubject[], looked: readonly Looked[]): Promise<number> {
    const { namespace, match } = this.read.rule;
    if (namespace === undefined && match === undefined) return 0;
    for (const [index, subject] of subjects.entries()) {
      if (namespace !== undefined && this.#options.namespaceOf(subject) !== namespace) continue;
      if (match === undefined || await inSlices(this.#match(looked[index]!))) return index;
    }
    return -1;
  }

  /** Counts a match, and returns the fault if it is a hit. Another call may have used up the rule in the meantime. */
  count(subjects: readonly FaultSubject[], at: number): Fault | undefined {
    if (this.spent) return undefined;
    const { skip, chance, outcomes, name, inTurn, rule: { after = false } } = this.read;
    this.#matches++;
    // Drawn for every match, so that its number alone decides whether it is a hit.
    const isHit = chance === 1 || this.#draw() < chance;
    if (this.#matches <= skip || !isHit) return undefined;
    const outcome = outcomes[inTurn ? this.hits : 0];
    if (outcome !== undefined && this.#passesNow(outcome, subjects[at])) return undefined;
    this.hits++;
    return outcome === undefined ? { name, outcome: "", with: {}, after } : {
      name,
      outcome: outcome.id,
      with: outcome.with,
      after,
      ...compact({ captures: outcome.captures, at: at || undefined }),
    };
  }

  #passesNow({ passes, with: params }: ReadOutcome, subject: FaultSubject | undefined): boolean {
    if (passes === undefined) return false;
    const key = passes.key(subject);
    const now = this.#options.elapsedMs();
    const first = this.#refused.get(key);
    if (first !== undefined) return now - first >= passes.waitMs(params);
    this.#refused.set(key, now);
    if (this.#refused.size > MAX_REFUSED) this.#refused.delete(this.#refused.keys().next().value!);
    return false;
  }

  #begin(): () => number {
    this.#refused.clear();
    const { seed } = this.read.rule;
    const bits = seed === undefined ? this.#options.bits : seededRandom(seed).bits;
    return () => bits() / 2 ** 32;
  }
}

/** Holds the rules of a service, and decides which of them applies. */
export class Faults {
  readonly #options: EngineOptions;
  readonly #gates = new Map<string, Gate>();
  /** Providers that have had a rule that resets connections. */
  readonly #resetting = new Set<string>();
  #rules: Rule[] = [];
  #nextId = 1;
  #waiting = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Returns the gate of one provider, `plugin/provider`. */
  gate(on: string): FaultGate {
    const known = this.#gates.get(on);
    if (known !== undefined) return known;
    const gate = new Gate((question) => this.#ask(on, question));
    this.#gates.set(on, gate);
    this.#arm();
    return gate;
  }

  /** Adds rules after the others, all or none. Throws `RangeError` for too many, or for an invalid pattern. */
  async add(rules: readonly ReadRule[], from: FaultRecord["from"]): Promise<FaultRecord[]> {
    this.#forgetExpired();
    await this.prepareResets(rules);
    const toTest = rules.some(({ hasPattern }) => hasPattern) ? await loadRegex() : undefined;
    if (this.#rules.length + rules.length > MAX_RULES) {
      throw new RangeError(`Cannot add ${rules.length} faults: at most ${MAX_RULES} are held`);
    }
    const all = [...this.#rules.map(({ read }) => read), ...rules];
    if (all.reduce((sum, { rule }) => sum + bytesOf(rule), 0) > MAX_RULE_BYTES) {
      throw new RangeError(
        `Cannot add ${rules.length} faults: all together would take more than ` +
          `${MAX_RULE_BYTES} bytes of memory`,
      );
    }
    const withPattern = all.filter(({ hasPattern }) => hasPattern);
    if (toTest !== undefined && withPattern.length > MAX_PATTERN_RULES) {
      throw new RangeError(
        `Cannot add ${rules.length} faults: at most ${MAX_PATTERN_RULES} with "regex" are held`,
      );
    }
    const made = rules.map((read, index) => {
      const match = compileMatch(read.rule.match, `fault "${read.name}"`, toTest);
      const id = `f${this.#nextId + index}`;
      return new Rule(read, match, { id, from, options: this.#options });
    });
    this.#nextId += made.length;
    this.#rules = [...this.#rules, ...made];
    this.#arm();
    return made.map((rule) => rule.view());
  }

  /** Prepares the listeners of rules that reset connections; by default for the rules held. */
  async prepareResets(
    rules: readonly ReadRule[] = this.#rules.map(({ read }) => read),
  ): Promise<void> {
    const resetting = rules.filter(({ outcomes }) =>
      outcomes.some(({ id }) => id === CORE_OUTCOMES.reset.id)
    );
    if (resetting.length === 0) return;
    const on = resetting.flatMap(({ at }) => [...at.keys()]);
    for (const one of on) this.#resetting.add(one);
    await this.#options.prepareResets(on);
  }

  /** Returns whether a provider, `plugin/provider`, can reset the connections that it opens. */
  mayReset(on: string): boolean {
    return this.#resetting.has(on);
  }

  /** In the order in which they are checked. */
  list(): FaultRecord[] {
    this.#forgetExpired();
    return this.#rules.map((rule) => rule.view());
  }

  /** `undefined` if it is unknown or was removed. */
  get(id: string): FaultRecord | undefined {
    this.#forgetExpired();
    return this.#rules.find((rule) => rule.id === id)?.view();
  }

  /** Removes a rule, or resets one of the configuration file. Returns whether there was such a rule. */
  remove(id: string): boolean {
    const found = this.#rules.find((rule) => rule.id === id);
    if (found?.from === "file") found.restart();
    else this.#rules = this.#rules.filter((rule) => rule !== found);
    this.#arm();
    return found !== undefined;
  }

  /** Removes the rules that the API added, and resets those of the configuration file. */
  clear(): void {
    this.#rules = this.#rules.filter(({ from }) => from === "file");
    for (const rule of this.#rules) rule.restart();
    this.#arm();
  }

  #forgetExpired(): void {
    const held = this.#rules.filter((rule) => !rule.expired);
    if (held.length === this.#rules.length) return;
    this.#rules = held;
    this.#arm();
  }

  #arm(): void {
    const awake = this.#rules.filter(({ spent }) => !spent);
    for (const [on, gate] of this.#gates) gate.armed = awake.some(({ read }) => read.at.has(on));
  }

  async #ask(
    on: string,
    { phase, subjects, client }: Question,
  ): Promise<Fault | undefined> {
    this.#forgetExpired();
    const looked = subjects.map(lookedAt);
    for (const rule of this.#rules) {
      if (rule.read.at.get(on) !== phase || rule.spent) continue;
      const at = await rule.fits(subjects, looked);
      if (at < 0) continue;
      const fault = rule.count(subjects, at);
      if (rule.spent) this.#arm();
      if (fault === undefined) continue;
      if (rule.read.delayMs > 0) await this.#delay(rule, client);
      return fault.outcome === "" ? undefined : fault;
    }
    return undefined;
  }

  async #delay(rule: Rule, client: Client | undefined): Promise<void> {
    if (this.#waiting >= MAX_WAITING) {
      rule.undelayed++;
      return;
    }
    const { signal } = this.#options;
    this.#waiting++;
    const gone = client?.gone;
    await pause(rule.read.delayMs, gone === undefined ? signal : AbortSignal.any([signal, gone]));
    this.#waiting--;
  }
}

interface Question {
  readonly phase: string;
  readonly subjects: readonly FaultSubject[];
  readonly client: Client | undefined;
}

class Gate implements FaultGate {
  armed = false;
  readonly #answer: (question: Question) => Promise<Fault | undefined>;

  constructor(answer: (question: Question) => Promise<Fault | undefined>) {
    this.#answer = answer;
  }

  async ask(
    phase: string,
    subjects: readonly FaultSubject[],
    client?: Client,
  ): Promise<Fault | undefined> {
    return this.armed ? await this.#answer({ phase, subjects, client }) : undefined;
  }
}
