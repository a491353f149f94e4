import type { Subscription } from "@nats-io/transport-node";
import { ConfigError, LogWriteError, reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Election, Standing, Writer, WriterRole } from "../shared_state.ts";
import { type Engine, hasAnswered, patiently } from "./engine.ts";
import { pause } from "./instance_leases.ts";
import { isRecord, type Lease, LEASE_MS, toLease, type WriterAbout } from "./lease.ts";

/** Maximum wait for a response of the server, in milliseconds. */
const ANSWER_MS = 2000;
/** Maximum wait for the response of the writer, in milliseconds. */
const QUESTION_MS = 12_000;
/** Interval of renewals, in milliseconds. */
const BEAT_MS = 1000;
/** The holder stops this much earlier, because two clocks differ in speed. */
const MARGIN_MS = 1000;

/** Options of the lease. */
export interface WriterLeaseOptions {
  readonly plugin: string;
  readonly role: WriterRole;
  readonly log: Logger;
}

/** What the service does as its holder. */
export interface WriterLeaseHooks {
  /** Describes this instance; called once everything listens. */
  about(): WriterAbout;
  /** Another instance writes from now on, or this one does. */
  onChange(): void;
}

/**
 * The lease for the state of a plugin: one value in a bucket, which its holder renews. An instance that sees no new
 * value for a while, by its own clock, claims the lease; the server stores a claim only directly after the value that
 * it was made from, so only one instance succeeds. The holder counts from the moment it asked for the last renewal, so
 * it stops before anybody else can begin.
 *
 * A holder that was suspended does not know that it is too late. What it still writes is refused by the log, in which
 * each holder begins with its own change.
 */
export class WriterLease implements Election, AsyncDisposable {
  readonly #id = crypto.randomUUID().replaceAll("-", "");
  readonly #engine: Engine;
  readonly #options: WriterLeaseOptions;
  readonly #closing = Promise.withResolvers<void>();
  #hooks: WriterLeaseHooks | undefined;
  #questions: Subscription | undefined;
  /** Last value stored by this instance while it holds the lease. */
  #held: number | undefined;
  #validUntilMs = 0;
  /** Between `begin` and `end` of the role. */
  #standing: Standing | undefined;
  /** `begin` has resolved. */
  #hasBegun = false;
  #beginning: Promise<void> | undefined;
  /** The lease of another instance, and when it was seen first. */
  #other: { readonly seq: number; readonly sinceMs: number; readonly lease: Lease } | undefined;
  #loop: Promise<void> | undefined;
  #isClosed = false;

  constructor(engine: Engine, options: WriterLeaseOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  get writer(): Writer | undefined {
    return this.peer ?? (this.#hasBegun ? { ...this.#hooks!.about(), isSelf: true } : undefined);
  }

  /** Whether this instance may write now. */
  get isSelf(): boolean {
    return this.#hasBegun && this.#standing?.isValid === true;
  }

  /** The other instance that writes, with its port for connections; `undefined` if it is silent. */
  get peer(): (WriterAbout & { readonly isSelf: false }) | undefined {
    if (this.#held !== undefined || this.#other === undefined) return undefined;
    const { lease, sinceMs } = this.#other;
    // Without a connection, nothing is known about the others.
    const isSilent = this.#engine.link.isConnected && performance.now() - sinceMs >= LEASE_MS;
    return lease.isReleased || isSilent ? undefined : { ...lease, isSelf: false };
  }

  /** Looks for the writer, and becomes it if there is none. Rejects with `ConfigError`. */
  async start(hooks: WriterLeaseHooks): Promise<void> {
    this.#hooks = hooks;
    const { leases: { stream: name, subjects, questions } } = this.#engine.names;
    const { plugin, log, role } = this.#options;
    try {
      await this.#engine.ensureStream({
        name,
        subjects,
        description: "Leases of instances of Standin",
        lastOnly: true,
      });
      const subject = questions(plugin, this.#id);
      this.#questions = this.#engine.connection.subscribe(subject);
      this.#answerAll(this.#questions);
      await patiently(() => this.#beat());
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(`Cannot share ${role.what} over NATS: ${reasonOf(error)}`);
    }
    await this.#beginning;
    this.#loop = this.#repeat(log);
  }

  async ask(question: unknown): Promise<unknown> {
    const { role, plugin } = this.#options;
    if (this.isSelf) return await role.answer(question);
    const holder = this.peer === undefined ? undefined : this.#other?.lease.holder;
    if (holder === undefined) throw this.#unreachable("no instance writes it now");
    const subject = this.#engine.names.leases.questions(plugin, holder);
    let reply: unknown;
    try {
      const options = { timeout: QUESTION_MS };
      reply = (await this.#engine.connection.request(subject, JSON.stringify(question), options))
        .json();
    } catch (error) {
      throw this.#unreachable(reasonOf(error));
    }
    if (!isRecord(reply)) throw this.#unreachable("its response is damaged");
    if (typeof reply.error === "string") throw this.#unreachable(reply.error);
    return reply.answer;
  }

  /** Gives the lease back, once the role has ended its work. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#closing.resolve();
    this.#questions?.unsubscribe();
    await this.#loop;
    await this.#beginning;
    const held = this.#held;
    this.#end();
    this.#held = undefined;
    if (held === undefined || !this.#engine.link.isConnected) return;
    try {
      await this.#put(held, { isReleased: true });
    } catch (error) {
      const reason = reasonOf(error);
      this.#options.log.debug("Cannot release a lease; it will expire", { reason });
    }
  }

  #unreachable(reason: string): LogWriteError {
    return new LogWriteError(`Cannot change ${this.#options.role.what}: ${reason}`);
  }

  async #repeat(log: Logger): Promise<void> {
    while (!this.#isClosed) {
      await pause(BEAT_MS, this.#closing.promise);
      if (this.#isClosed) return;
      const before = this.#seen();
      try {
        if (this.#engine.link.isConnected) await this.#beat();
      } catch (error) {
        log.debug("Cannot renew or read a lease; trying again", { reason: reasonOf(error) });
      }
      if (before !== this.#seen()) this.#hooks?.onChange();
    }
  }

  /** The writer, as a text to compare. */
  #seen(): string {
    return this.peer === undefined ? "" : this.#other!.lease.holder;
  }

  async #beat(): Promise<void> {
    if (this.#held === undefined) return await this.#look();
    try {
      await this.#put(this.#held);
    } catch (error) {
      if (!hasAnswered(error)) throw error;
      await this.#verify();
    }
    if (this.#held !== undefined && this.#standing === undefined) this.#begin();
  }

  async #put(behind: number, { isReleased = false } = {}): Promise<void> {
    const { plugin } = this.#options;
    const sentMs = performance.now();
    const lease: Lease = { ...this.#hooks!.about(), holder: this.#id, isReleased };
    const { seq } = await this.#engine.client.publish(
      this.#engine.names.leases.lease(plugin),
      JSON.stringify(lease),
      { timeout: ANSWER_MS, retries: 1, expect: { lastSubjectSequence: behind } },
    );
    this.#held = seq;
    this.#validUntilMs = sentMs + LEASE_MS - MARGIN_MS;
  }

  /** Finds out who has the lease that could not be renewed: the response to the last renewal may be lost. */
  async #verify(): Promise<void> {
    const found = await this.#last();
    if (found?.lease.holder === this.#id && !found.lease.isReleased) {
      this.#held = found.seq;
      return;
    }
    this.#held = undefined;
    this.#options.log.warn(`Another instance writes ${this.#options.role.what} now`);
    this.#note(found);
    this.#end();
  }

  /** Checks the lease of the other instance, and claims it if it has expired. */
  async #look(): Promise<void> {
    const found = await this.#last();
    this.#note(found);
    const isOver = found === undefined || this.peer === undefined;
    if (!isOver || this.#isClosed) return;
    try {
      await this.#put(found?.seq ?? 0);
    } catch (error) {
      // Another instance was faster, or the holder is back.
      if (!hasAnswered(error)) throw error;
      return this.#note(await this.#last());
    }
    this.#begin();
  }

  #note(found: { readonly seq: number; readonly lease: Lease } | undefined): void {
    if (found === undefined) this.#other = undefined;
    else if (this.#other?.seq !== found.seq) {
      this.#other = { ...found, sinceMs: performance.now() };
    }
  }

  async #last(): Promise<{ readonly seq: number; readonly lease: Lease } | undefined> {
    const { stream, lease } = this.#engine.names.leases;
    const message = await this.#engine.manager.streams.getMessage(stream, {
      last_by_subj: lease(this.#options.plugin),
    });
    return message === null ? undefined : { seq: message.seq, lease: toLease(message.data) };
  }

  #begin(): void {
    const { role, log } = this.#options;
    const isValid = (): boolean =>
      this.#standing === standing && performance.now() < this.#validUntilMs &&
      !this.#engine.link.isLost;
    const standing: Standing = {
      get isValid() {
        return isValid();
      },
      renew: () => {
        if (this.#standing === standing) this.#end();
      },
    };
    this.#standing = standing;
    const before = this.#beginning;
    this.#beginning = (async () => {
      await before;
      if (this.#standing !== standing) return;
      try {
        await role.begin(standing);
        if (this.#standing !== standing) return;
        this.#hasBegun = true;
        log.info(`This instance writes ${role.what}`);
        this.#hooks?.onChange();
      } catch (error) {
        log.warn(`Cannot write ${role.what} yet; trying again`, { reason: reasonOf(error) });
        if (this.#standing === standing) this.#end();
      }
    })();
  }

  #end(): void {
    if (this.#standing === undefined) return;
    this.#standing = undefined;
    this.#hasBegun = false;
    this.#options.role.end();
    if (!this.#isClosed) this.#hooks?.onChange();
  }

  async #answerAll(questions: Subscription): Promise<void> {
    for await (const message of questions) {
      // Not awaited: one that waits for NATS must not delay the others.
      void this.#answer(message.data).then((reply) => {
        message.respond(JSON.stringify(reply));
      }).catch((error) =>
        this.#options.log.debug("Cannot answer another instance", { reason: reasonOf(error) })
      );
    }
  }

  async #answer(data: Uint8Array): Promise<Readonly<Record<string, unknown>>> {
    try {
      if (!this.isSelf) throw new Error("the instance that was asked no longer writes it");
      const question: unknown = JSON.parse(new TextDecoder().decode(data));
      return { answer: await this.#options.role.answer(question) ?? null };
    } catch (error) {
      return { error: reasonOf(error) };
    }
  }
}
