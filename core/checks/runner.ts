import { compact } from "../compact.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { Logger } from "../log.ts";
import type { AnyPlugin } from "../plugin.ts";
import { TimeSlice } from "../time_slice.ts";
import {
  CHECK_LEVELS,
  type CheckAbout,
  type CheckContext,
  type Finding,
  type Found,
  type PluginChecks,
} from "./check.ts";

/** Maximum findings of one check in one event; one more counts the others. */
const MAX_OF_CHECK = 10;
/** Maximum findings of one event. */
const MAX_OF_EVENT = 500;
/** Maximum characters of a message. */
const MAX_MESSAGE = 1000;
/** Maximum findings remembered, over all events. An event without findings counts as one. */
const MAX_KEPT = 20_000;

/** What the checks of one plugin see besides an event. */
export type ContextOf = (plugin: string) => CheckContext;

/** Findings of an event. */
interface Checked {
  readonly findings: readonly Finding[];
  /** Time in milliseconds since 1970 after which they expire. */
  readonly untilMs?: number | undefined;
}

/** An event with findings, in the order of the checks. */
interface Kept {
  readonly event: WeakRef<CapturedEvent>;
  readonly checked: Promise<Checked>;
  /** Number of findings; 0 while they are looked for. */
  size: number;
}

/** Runs the checks of events on request, and remembers the findings. */
export class CheckRunner {
  readonly #plugins: readonly AnyPlugin[];
  readonly #contextOf: ContextOf;
  readonly #log: Logger;
  readonly #found = new WeakMap<CapturedEvent, Kept>();
  /** Those in `#found`, in the order of their checks. */
  readonly #kept = new Set<Kept>();
  #size = 0;

  constructor(options: {
    readonly plugins: readonly AnyPlugin[];
    readonly contextOf: ContextOf;
    readonly log: Logger;
  }) {
    this.#plugins = options.plugins;
    this.#contextOf = options.contextOf;
    this.#log = options.log;
  }

  /** Returns the findings of an event, worst first. An event that its plugin cannot read has none. */
  async findings(event: CapturedEvent): Promise<readonly Finding[]> {
    const known = this.#found.get(event);
    if (known !== undefined) {
      const { findings, untilMs = Infinity } = await known.checked;
      if (this.#contextOf(event.plugin).now().getTime() < untilMs) return findings;
      // The first caller runs the checks again; the others wait for its result.
      if (this.#found.get(event) !== known) return await this.findings(event);
      this.#forget(known);
    }
    const kept: Kept = { event: new WeakRef(event), checked: this.#check(event), size: 0 };
    this.#found.set(event, kept);
    const { findings } = await kept.checked;
    this.#keep(kept, Math.max(1, findings.length));
    return findings;
  }

  async #check(event: CapturedEvent): Promise<Checked> {
    try {
      const checks = await this.#plugins.find(({ id }) => id === event.plugin)?.checks?.();
      if (checks === undefined) return { findings: [] };
      const ctx = this.#contextOf(event.plugin);
      const subject = await checks.read(event, ctx);
      const retryMs = checks.retryMs?.(subject);
      return {
        findings: await findAll(checks, subject),
        untilMs: retryMs === undefined ? undefined : ctx.now().getTime() + retryMs,
      };
    } catch (error) {
      const { id, plugin } = event;
      this.#log.warn("Cannot check an event: its findings are skipped", { plugin, id, error });
      return { findings: [] };
    }
  }

  /** Forgets the oldest findings if there are too many. Those of deleted events are already gone. */
  #keep(kept: Kept, size: number): void {
    kept.size = size;
    this.#size += size;
    this.#kept.add(kept);
    for (const oldest of this.#kept) {
      if (this.#size <= MAX_KEPT) return;
      this.#forget(oldest);
    }
  }

  #forget(kept: Kept): void {
    if (this.#kept.delete(kept)) this.#size -= kept.size;
    const event = kept.event.deref();
    if (event !== undefined && this.#found.get(event) === kept) this.#found.delete(event);
  }
}

/** Runs all topics in time slices. */
async function findAll(checks: PluginChecks, subject: unknown): Promise<readonly Finding[]> {
  const slice = new TimeSlice();
  const findings: Finding[] = [];
  for (const topic of checks.topics) {
    const about = new Map(topic.checks.map((check) => [check.id, check]));
    const counts = new Map<string, number>();
    for (const found of topic.find(subject)) {
      if (slice.over) await slice.yieldToEventLoop();
      if (found === undefined) continue;
      const count = (counts.get(found.id) ?? 0) + 1;
      counts.set(found.id, count);
      if (count <= MAX_OF_CHECK) findings.push(toFinding(about.get(found.id), found));
    }
    for (const [id, count] of counts) {
      const more = count - MAX_OF_CHECK;
      if (more > 0) {
        findings.push(toFinding(about.get(id), { id, message: `${more} more of the same kind` }));
      }
    }
    if (slice.over) await slice.yieldToEventLoop();
  }
  return findings.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_OF_EVENT);
}

function toFinding(about: CheckAbout | undefined, found: Found): Finding {
  const { id, message, where } = found;
  if (about === undefined) throw new TypeError(`Check "${id}" is not declared`);
  return {
    id,
    level: found.level ?? about.level,
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message,
    ...compact({
      where: typeof where === "function" ? where() : where,
      source: found.source ?? about.source,
    }),
  };
}

function rankOf({ level }: Finding): number {
  return CHECK_LEVELS.indexOf(level);
}
