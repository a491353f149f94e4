/** Messages of a provider by channel and `ts`, with their edits and deletions. */
import type { CapturedEvent, PluginContext } from "../../core/plugin.ts";
import { EventView } from "./event_view.ts";
import type { ChatMessage } from "./model.ts";

/** A held message that was not deleted. */
export interface Entry {
  /** The message as it was sent. */
  readonly first: CapturedEvent<ChatMessage>;
  /** Current content: its last edit, else the message itself. */
  readonly last: CapturedEvent<ChatMessage>;
}

interface Line {
  readonly eventId: string;
  editId?: string;
  isDeleted: boolean;
}

/** Finds messages by channel and `ts`, and follows their edits and deletions. */
export class Ledger {
  readonly #lines = new Map<string, Line>();
  readonly #view: EventView;

  constructor(provider: string) {
    this.#view = new EventView({
      provider,
      apply: (event) => this.#apply(event),
      forget: () => this.#lines.clear(),
    });
  }

  /** Returns a message of a channel; `undefined` if it is unknown, deleted or no longer held. */
  find(channel: string, ts: string, ctx: PluginContext): Entry | undefined {
    this.#view.update(ctx);
    const line = this.#lines.get(keyOf(channel, ts));
    if (line === undefined || line.isDeleted) return undefined;
    const first = ctx.events.get(line.eventId) as Entry["first"] | undefined;
    if (first === undefined) return undefined;
    const edited = line.editId === undefined ? undefined : ctx.events.get(line.editId);
    return { first, last: (edited ?? first) as Entry["last"] };
  }

  #apply({ id, payload: { channel, ts, change } }: Entry["first"]): number {
    if (ts === undefined) return 0;
    const key = keyOf(channel.id, ts);
    if (change === undefined) {
      this.#lines.set(key, { eventId: id, isDeleted: false });
      return 1;
    }
    const line = this.#lines.get(key);
    if (line !== undefined && change.kind === "edit") line.editId = id;
    if (line !== undefined && change.kind === "deletion") line.isDeleted = true;
    return 0;
  }
}

function keyOf(channel: string, ts: string): string {
  return `${channel}\n${ts}`;
}
