/**
 * The workspace derived from the captures: channels, users and messages. It is a view of the
 * events, so deleted or evicted events disappear from it; only data without an event is stored
 * here.
 */
import type { Memory } from "../../../core/memory/budget.ts";
import { HeldMap } from "../../../core/memory/held_map.ts";
import type { CapturedEvent, PluginContext } from "../../../core/plugin.ts";
import { EventView } from "../event_view.ts";
import type { ChatMessage } from "../model.ts";
import { ADA, channelIdOf, directIdOf, IDENTITY, isConversation, isUser, userIdOf } from "./ids.ts";

/** A channel, or a direct conversation, which has users. */
export interface Room {
  readonly id: string;
  /** Without `#`; the id if no request has named the channel. */
  readonly name: string;
  /** Users other than the bot; empty for a channel. */
  readonly users: readonly string[];
  /** Unix seconds. */
  readonly created: number;
}

/** A user. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isBot?: boolean;
}

/** A message; its texts are in its events. */
export interface Message {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string;
  readonly eventId: string;
  /** Id of a scheduled message, and its time in Unix seconds. */
  readonly scheduled?: { readonly id: string; readonly postAt: number };
  readonly broadcast: boolean;
  /** Whether another app posted it: an incoming webhook. */
  readonly foreign: boolean;
  /** Event and time of the last edit. */
  edit?: { readonly eventId: string; readonly ts: string };
  deleted: boolean;
  /** Names of the bot's reactions, in order. */
  readonly reactions: Set<string>;
}

const PEOPLE: readonly Person[] = [
  { id: "USLACKBOT", name: "slackbot", email: "", isBot: true },
  { id: IDENTITY.user_id, name: IDENTITY.name, email: "", isBot: true },
  { id: ADA, name: "ada", email: "ada@standin.example" },
];

/** The default channel of every workspace. */
const GENERAL: Room = {
  id: channelIdOf("general"),
  name: "general",
  users: [],
  created: 0,
};
/** Maximum number of channels and of users without an event; the oldest are dropped. */
const MAX_KEPT = 10_000;

type ChatEvent = CapturedEvent<ChatMessage>;

export class Workspace {
  readonly #keptRooms: HeldMap<Room>;
  readonly #keptPeople: HeldMap<Person>;
  readonly #rooms = new Map<string, Room>();
  readonly #messages = new Map<string, Map<string, Message>>();
  readonly #view = new EventView({
    provider: "chat1",
    apply: (event) => this.#apply(event),
    forget: () => {
      this.#rooms.clear();
      this.#messages.clear();
    },
  });

  constructor(memory?: Memory) {
    this.#keptRooms = new HeldMap({ maxEntries: MAX_KEPT }, memory);
    this.#keptPeople = new HeldMap({ maxEntries: MAX_KEPT }, memory);
  }

  /** Clears data without an event. */
  clear(): void {
    this.#keptRooms.clear();
    this.#keptPeople.clear();
  }

  /** Returns the workspace, updated from the events. */
  at(ctx: PluginContext): this {
    this.#view.update(ctx);
    return this;
  }

  /** Adds a conversation without an event. */
  addRoom(room: Room): Room {
    this.#keptRooms.set(room.id, room);
    return room;
  }

  room(id: string): Room | undefined {
    if (id === GENERAL.id) return GENERAL;
    return this.#keptRooms.get(id) ?? this.#rooms.get(id);
  }

  /** Sorted by id. */
  rooms(): readonly Room[] {
    const all = new Map(this.#rooms);
    for (const room of [...this.#keptRooms.values(), GENERAL]) all.set(room.id, room);
    return [...all.values()].sort((a, b) => a.id < b.id ? -1 : 1);
  }

  /** Adds a user with this email address. */
  addPerson(email: string): Person {
    const known = this.people().find((one) => one.email.toLowerCase() === email.toLowerCase());
    if (known !== undefined) return known;
    const person = { id: userIdOf(email), name: email.split("@")[0]!.toLowerCase(), email };
    this.#keptPeople.set(person.id, person);
    return person;
  }

  person(id: string): Person | undefined {
    const kept = this.#known(id);
    if (kept !== undefined) return kept;
    return this.rooms().some(({ users }) => users.includes(id)) ? personOf(id) : undefined;
  }

  #known(id: string): Person | undefined {
    return PEOPLE.find((one) => one.id === id) ?? this.#keptPeople.get(id);
  }

  /** The built-in ones, then the others sorted by id. */
  people(): readonly Person[] {
    const all = new Map(
      [...PEOPLE, ...this.#keptPeople.values()].map((person) => [person.id, person]),
    );
    for (const id of this.rooms().flatMap(({ users }) => users)) {
      if (!all.has(id)) all.set(id, personOf(id));
    }
    return [...all.values()];
  }

  /** Returns where a post goes: an id, or a name with or without its `#` or `@`. */
  roomFor(given: string, nowMs: number): Room {
    const created = Math.floor(nowMs / 1000);
    const name = given.replace(/^[#@]/, "");
    if (given.startsWith("@") && !isUser(name)) {
      const person = this.people().find((one) => one.name === name.toLowerCase());
      return this.#direct(person?.id ?? userIdOf(name), created, name.toLowerCase());
    }
    if (isUser(name)) return this.#direct(name, created);
    const id = isConversation(given) ? given : channelIdOf(name.toLowerCase());
    return this.room(id) ??
      { id, name: id === given ? id : name.toLowerCase(), users: [], created };
  }

  #direct(user: string, created: number, name?: string): Room {
    const id = directIdOf(user);
    return this.room(id) ??
      { id, name: name ?? this.#known(user)?.name ?? user, users: [user], created };
  }

  /** Returns a message that is held, not deleted, and already posted; `undefined` for any other. */
  message(channel: string, ts: string, { events, now }: PluginContext): Message | undefined {
    const found = this.#messages.get(channel)?.get(ts);
    if (found === undefined || found.deleted || events.get(found.eventId) === undefined) {
      return undefined;
    }
    return isPosted(found, now()) ? found : undefined;
  }

  /** Returns the messages of a channel, oldest first. */
  messages(channel: string, ctx: PluginContext): readonly Message[] {
    const all = [...this.#messages.get(channel)?.keys() ?? []].sort();
    return all.flatMap((ts) => this.message(channel, ts, ctx) ?? []);
  }

  /** Returns the scheduled messages, earliest first. */
  scheduled({ events, now }: PluginContext): readonly Message[] {
    const found: Message[] = [];
    for (const messages of this.#messages.values()) {
      for (const message of messages.values()) {
        if (message.deleted || isPosted(message, now())) continue;
        if (events.get(message.eventId) !== undefined) found.push(message);
      }
    }
    return found.sort((a, b) => a.scheduled!.postAt - b.scheduled!.postAt);
  }

  #apply(event: ChatEvent): number {
    const { channel: { id, name = "" }, ts, change } = event.payload;
    if (!isConversation(id)) return 0;
    this.#note(event, id, name.replace(/^[#@]/, ""));
    if (ts === undefined || event.type === "chat.view") return 1;
    if (change === undefined) return this.#add(event, id, ts);
    const message = this.#messages.get(id)?.get(ts);
    if (message !== undefined) apply(message, event);
    return 0;
  }

  #note({ meta, received_at }: ChatEvent, id: string, name: string): void {
    if (this.room(id) !== undefined && name === "") return;
    const user = typeof meta.direct_to === "string" ? meta.direct_to : undefined;
    this.#rooms.set(id, {
      id,
      name: name || id,
      users: user === undefined ? [] : [user],
      created: this.#rooms.get(id)?.created ?? Math.floor(received_at.getTime() / 1000),
    });
  }

  #add({ id, meta, payload }: ChatEvent, channel: string, ts: string): number {
    if (payload.visible_to !== undefined) return 0;
    let messages = this.#messages.get(channel);
    if (messages === undefined) this.#messages.set(channel, messages = new Map());
    const { scheduled_message_id, post_at } = meta;
    messages.set(ts, {
      channel,
      ts,
      threadTs: payload.thread_ts ?? "",
      eventId: id,
      ...(typeof scheduled_message_id === "string" && {
        scheduled: { id: scheduled_message_id, postAt: Number(post_at) },
      }),
      broadcast: meta.reply_broadcast === true,
      foreign: meta.surface === "webhook",
      deleted: false,
      reactions: new Set(),
    });
    return 1;
  }
}

function apply(message: Message, { id, meta, payload }: ChatEvent): void {
  const { kind, reaction = "" } = payload.change!;
  switch (kind) {
    case "edit":
      message.edit = { eventId: id, ts: typeof meta.edited_ts === "string" ? meta.edited_ts : "" };
      return;
    case "deletion":
      message.deleted = true;
      return;
    case "reaction_added":
      message.reactions.add(reaction);
      return;
    case "reaction_removed":
      message.reactions.delete(reaction);
  }
}

function isPosted({ scheduled }: Message, now: Date): boolean {
  return scheduled === undefined || scheduled.postAt * 1000 <= now.getTime();
}

/** A user of whom only the id is known. */
function personOf(id: string): Person {
  const name = id.toLowerCase();
  return { id, name, email: `${name}@standin.example` };
}
