import { compact } from "../compact.ts";
import { inSlices } from "../time_slice.ts";
import { loadRegex } from "../expect/regex.ts";
import { seededRandom } from "../random.ts";
import { compileMatch, type Match } from "./match.ts";
import { pause } from "./pause.ts";
import { CORE_OUTCOMES, type Fault, type FaultSubject } from "./outcome.ts";
import type { FaultRule } from "./model.ts";
import type { ReadOutcome, ReadRule } from "./rule.ts";

/** A rule that is held, and how often it applied. */
export interface HeldFault extends FaultRule {
  readonly id: string;
  readonly name: string;
  /** Matches that became a fault. */
  readonly hits: number;
  /** What was sent and met the conditions, hit or not. */
  readonly matches: number;
  /** Whether it stands in the configuration file: it can be counted anew, but not removed. */
  readonly from: "file" | "api";
  /** Whether it can still apply. */
  readonly spent: boolean;
}

/** What faults need of their service. */
export interface EngineOptions {
  /** Namespace of what is about to be captured. */
  namespaceOf(subject: FaultSubject): string | undefined;
  /** 32 bits of chance for rules without a seed. */
  bits(): number;
  /** Time that goes by, in milliseconds. */
  elapsedMs(): number;
  /** Ends delays when the service stops. */
  readonly signal: AbortSignal;
  /** Called before rules apply that reset connections of these providers. */
  prepareResets(on: readonly string[]): Promise<void>;
}

/** Most rules that are held. */
export const MAX_RULES = 1000;
/** Most senders that one rule remembers; the oldest is forgotten. */
const MAX_REFUSED = 10_000;
/** Most requests and datagrams that are delayed at a time; more are answered at once, as what they hold is in memory. */
const MAX_WAITING = 5000;

/** One provider's way to ask. */
export interface FaultGate {
  /** Whether any rule can apply; where none can, there is nothing else to do. */
  readonly armed: boolean;
  /**
   * The fault that a rule wants now, once its delay is over; `gone` ends the delay. Of several subjects, one that fits
   * is enough.
   */
  ask(
    phase: string,
    subjects: readonly FaultSubject[],
    gone?: AbortSignal,
  ): Promise<Fault | undefined>;
}

class Rule {
  readonly id: string;
  readonly read: ReadRule;
  readonly from: HeldFault["from"];
  readonly #match: Match;
  readonly #options: EngineOptions;
  readonly #endsMs: number;
  /** When an outcome that passes others later has refused them, by their keys. */
  readonly #refused = new Map<string, number>();
  #fate: () => number;
  #matches = 0;
  hits = 0;

  constructor(
    read: ReadRule,
    match: Match,
    { id, from, options }: { id: string; from: HeldFault["from"]; options: EngineOptions },
  ) {
    this.id = id;
    this.read = read;
    this.from = from;
    this.#match = match;
    this.#options = options;
    this.#endsMs = options.elapsedMs() + read.ttlMs;
    this.#fate = this.#begin();
  }

  get expired(): boolean {
    return this.#options.elapsedMs() >= this.#endsMs;
  }

  get spent(): boolean {
    const { times, inTurn, outcomes } = this.read;
    return this.hits >= times || (inTurn && this.hits >= outcomes.length) || this.expired;
  }

  view(): HeldFault {
    const { id, from, hits, spent, read } = this;
    return { id, ...read.rule, name: read.name, hits, matches: this.#matches, from, spent };
  }

  restart(): void {
    this.hits = 0;
    this.#matches = 0;
    this.#fate = this.#begin();
  }

  /** The first that fits; `false` for none. */
  async fits(subjects: readonly FaultSubject[]): Promise<FaultSubject | undefined | false> {
    const { namespace, match } = this.read.rule;
    for (const subject of subjects) {
      if (namespace !== undefined && this.#options.namespaceOf(subject) !== namespace) continue;
      if (match === undefined || await inSlices(this.#match(subject))) return subject;
    }
    return namespace === undefined && match === undefined ? undefined : false;
  }

  /** Counts a match; the fault, where it is a hit. Others may have come first while it was looked at. */
  count(subject: FaultSubject | undefined): Fault | undefined {
    if (this.spent) return undefined;
    const { skip, chance, outcomes, name, inTurn, rule: { after = false } } = this.read;
    this.#matches++;
    // Drawn for every match, so that the fate of one depends on its number alone.
    const isHit = chance === 1 || this.#fate() < chance;
    if (this.#matches <= skip || !isHit) return undefined;
    const outcome = outcomes[inTurn ? this.hits : 0];
    if (outcome !== undefined && this.#passesNow(outcome, subject)) return undefined;
    this.hits++;
    return outcome === undefined ? { name, outcome: "", with: {}, after } : {
      name,
      outcome: outcome.id,
      with: outcome.with,
      after,
      ...compact({ captures: outcome.captures }),
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

/** Holds the rules, and says who fails when. */
export class Faults {
  readonly #options: EngineOptions;
  readonly #gates = new Map<string, Gate>();
  #rules: Rule[] = [];
  #nextId = 1;
  #waiting = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** The way of one provider, `plugin/provider`, to ask. */
  gate(on: string): FaultGate {
    const known = this.#gates.get(on);
    if (known !== undefined) return known;
    const gate = new Gate((question) => this.#ask(on, question));
    this.#gates.set(on, gate);
    this.#arm();
    return gate;
  }

  /** Adds rules behind the others, all or none. Throws `RangeError` when there are too many, or a pattern is none. */
  async add(rules: readonly ReadRule[], from: HeldFault["from"]): Promise<HeldFault[]> {
    this.#forgetExpired();
    const resetting = rules.filter(({ outcomes }) =>
      outcomes.some(({ id }) => id === CORE_OUTCOMES.reset.id)
    );
    if (resetting.length > 0) {
      await this.#options.prepareResets(resetting.flatMap(({ at }) => [...at.keys()]));
    }
    const toTest = rules.some(({ hasPattern }) => hasPattern) ? await loadRegex() : undefined;
    if (this.#rules.length + rules.length > MAX_RULES) {
      throw new RangeError(`Cannot add ${rules.length} faults: at most ${MAX_RULES} are held`);
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

  /** In the order in which they are asked. */
  list(): HeldFault[] {
    this.#forgetExpired();
    return this.#rules.map((rule) => rule.view());
  }

  /** `undefined` when unknown or gone. */
  get(id: string): HeldFault | undefined {
    this.#forgetExpired();
    return this.#rules.find((rule) => rule.id === id)?.view();
  }

  /** Removes a rule; one of the file is counted anew. Whether there was such a rule. */
  remove(id: string): boolean {
    const found = this.#rules.find((rule) => rule.id === id);
    if (found?.from === "file") found.restart();
    else this.#rules = this.#rules.filter((rule) => rule !== found);
    this.#arm();
    return found !== undefined;
  }

  /** Removes what the API added, and counts the rules of the file anew. */
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
    { phase, subjects, gone }: Question,
  ): Promise<Fault | undefined> {
    this.#forgetExpired();
    for (const rule of this.#rules) {
      if (rule.read.at.get(on) !== phase || rule.spent) continue;
      const subject = await rule.fits(subjects);
      if (subject === false) continue;
      const fault = rule.count(subject);
      if (rule.spent) this.#arm();
      if (fault === undefined) continue;
      if (rule.read.delayMs > 0) await this.#delay(rule.read.delayMs, gone);
      return fault.outcome === "" ? undefined : fault;
    }
    return undefined;
  }

  async #delay(ms: number, gone: AbortSignal | undefined): Promise<void> {
    if (this.#waiting >= MAX_WAITING) return;
    const { signal } = this.#options;
    this.#waiting++;
    await pause(ms, gone === undefined ? signal : AbortSignal.any([signal, gone]));
    this.#waiting--;
  }
}

interface Question {
  readonly phase: string;
  readonly subjects: readonly FaultSubject[];
  readonly gone: AbortSignal | undefined;
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
    gone?: AbortSignal,
  ): Promise<Fault | undefined> {
    return this.armed ? await this.#answer({ phase, subjects, gone }) : undefined;
  }
}
