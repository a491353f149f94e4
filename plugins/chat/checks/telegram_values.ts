/** Polls, checklists, places, contacts, invoices and dice of Telegram, by the Bot API 10.1: https://core.telegram.org/bots/api */
import type { Found } from "../../../core/plugin.ts";
import { lengthOf } from "./walk.ts";

const API = "https://core.telegram.org/bots/api";

type Json = Readonly<Record<string, unknown>>;

/** Yields the findings of the content of a message. */
export function* contentFindings(json: Json | null, receivedAt: Date): Generator<Found> {
  for (const [kind, value] of Object.entries(json ?? {})) {
    if (typeof value !== "object" || value === null) continue;
    if (kind === "poll") yield* ofPoll(value as Json, receivedAt);
    else yield* ofValues(kind, value as Json);
    if (kind === "invoice") yield* ofInvoice(value as Json);
    if (kind === "checklist") yield* ofChecklist(value as Json);
  }
}

/** https://core.telegram.org/bots/api#sendpoll */
const POLL = { question: 300, options: 12, option: 100, explanation: 200, description: 1024 };
/** Line feeds of an explanation. */
const MAX_LINES = 2;
/** Seconds for which a poll is open. */
const [LEAST_OPEN, MOST_OPEN] = [5, 2_628_000];

function* ofPoll(poll: Json, receivedAt: Date): Generator<Found> {
  const { question, options, explanation, description } = poll;
  const over = (at: string, message: string): Found => ({
    id: "chat.telegram_poll",
    message,
    where: { part: "content", path: `content.poll.${at}` },
  });
  const texts = { question, explanation, description };
  for (const [name, text] of Object.entries(texts)) {
    const length = lengthOf(text);
    const most = POLL[name as keyof typeof texts];
    if (length > most) yield over(name, `${length} characters; at most ${most}`);
  }
  const lines = String(explanation ?? "").split("\n").length - 1;
  if (lines > MAX_LINES) yield over("explanation", `${lines} line feeds; at most ${MAX_LINES}`);
  const list: readonly unknown[] = Array.isArray(options) ? options : [];
  if (list.length === 0) yield over("options", "There are no options");
  if (list.length > POLL.options) {
    yield over("options", `${list.length} options; at most ${POLL.options}`);
  }
  for (const [at, option] of list.entries()) {
    const length = lengthOf(option);
    if (length >= 1 && length <= POLL.option) continue;
    yield over(`options[${at}]`, `${length} characters; expected 1 to ${POLL.option}`);
  }
  yield* ofTimes(poll, { receivedAt, over });
  if (poll.type !== "quiz") return;
  if (poll.correct_option_ids === undefined && poll.correct_option_id === undefined) {
    yield over("type", "A quiz needs correct_option_ids");
  }
}

function* ofTimes(
  { open_period: period, close_date: date }: Json,
  { receivedAt, over }: {
    readonly receivedAt: Date;
    readonly over: (at: string, message: string) => Found;
  },
): Generator<Found> {
  if (period !== undefined && date !== undefined) {
    yield over("close_date", "open_period and close_date exclude each other");
  }
  const ahead = date === undefined ? undefined : Number(date) - receivedAt.getTime() / 1000;
  const given = [["open_period", period], ["close_date", ahead]] as const;
  for (const [name, seconds] of given) {
    if (seconds === undefined) continue;
    const number = Number(seconds);
    if (number >= LEAST_OPEN && number <= MOST_OPEN) continue;
    yield over(name, `${Math.floor(number)} seconds; expected ${LEAST_OPEN} to ${MOST_OPEN}`);
  }
}

/** Smallest and largest value, or length of a text, in characters or bytes. */
type Range = readonly [name: string, least: number, most: number, "is" | "characters" | "bytes"];

const RANGES: Readonly<Record<string, readonly Range[]>> = {
  location: [
    ["latitude", -90, 90, "is"],
    ["longitude", -180, 180, "is"],
    ["horizontal_accuracy", 0, 1500, "is"],
    ["live_period", 60, 86_400, "is"],
    ["heading", 1, 360, "is"],
    ["proximity_alert_radius", 1, 100_000, "is"],
  ],
  venue: [["latitude", -90, 90, "is"], ["longitude", -180, 180, "is"]],
  contact: [["vcard", 0, 2048, "bytes"]],
  invoice: [
    ["title", 1, 32, "characters"],
    ["description", 1, 255, "characters"],
    ["payload", 1, 128, "bytes"],
  ],
};
/** `live_period` of a location that is live until it is edited. */
const FOREVER = 0x7fffffff;
/** https://core.telegram.org/bots/api#senddice */
const DICE: ReadonlySet<unknown> = new Set(["🎲", "🎯", "🏀", "⚽", "🎳", "🎰"]);

function* ofValues(kind: string, value: Json): Generator<Found> {
  const wrong = (name: string, message: string): Found => ({
    id: "chat.telegram_value",
    message,
    where: { part: "content", path: `content.${kind}.${name}` },
  });
  if (kind === "dice" && value.emoji !== undefined && !DICE.has(value.emoji)) {
    yield wrong("emoji", `${JSON.stringify(value.emoji)?.slice(0, 60)} is not a dice emoji`);
  }
  for (const [name, least, most, counts] of Object.hasOwn(RANGES, kind) ? RANGES[kind]! : []) {
    const given = value[name];
    if (given === undefined || (name === "live_period" && given === FOREVER)) continue;
    const number = counts === "is"
      ? Number(given)
      : counts === "bytes"
      ? new TextEncoder().encode(String(given)).length
      : [...String(given)].length;
    if (number >= least && number <= most) continue;
    yield wrong(
      name,
      counts === "is"
        ? `${name} is ${JSON.stringify(given)}; expected ${least} to ${most}`
        : `${name} has ${number} ${counts}; expected ${least} to ${most}`,
    );
  }
}

const MAX_TIPS = 4;

/** https://core.telegram.org/bots/api#sendinvoice */
function* ofInvoice(invoice: Json): Generator<Found> {
  const { currency, prices, suggested_tip_amounts: tips, max_tip_amount: most } = invoice;
  const wrong = (name: string, message: string): Found => ({
    id: "chat.telegram_value",
    message,
    where: { part: "content", path: `content.invoice.${name}` },
    source: `${API}#sendinvoice`,
  });
  if (currency === "XTR" && Array.isArray(prices) && prices.length !== 1) {
    yield wrong("prices", `${prices.length} prices; Telegram Stars have exactly one`);
  }
  if (!Array.isArray(tips)) return;
  if (tips.length > MAX_TIPS) {
    yield wrong("suggested_tip_amounts", `${tips.length} tips; at most ${MAX_TIPS}`);
  }
  const isRising = tips.every((tip, at) => tip > 0 && (at === 0 || tip > tips[at - 1]));
  if (!isRising || Number(tips.at(-1)) > Number(most ?? 0)) {
    yield wrong("suggested_tip_amounts", "Tips must increase, and none may exceed max_tip_amount");
  }
}

/** https://core.telegram.org/bots/api#inputchecklist */
const CHECKLIST = { title: 255, tasks: 30, task: 100 };

function* ofChecklist({ title, tasks }: Json): Generator<Found> {
  const wrong = (name: string, message: string): Found => ({
    id: "chat.telegram_value",
    message,
    where: { part: "content", path: `content.checklist.${name}` },
    source: `${API}#inputchecklist`,
  });
  const length = lengthOf(title);
  if (length < 1 || length > CHECKLIST.title) {
    yield wrong("title", `${length} characters; expected 1 to ${CHECKLIST.title}`);
  }
  const list: readonly (Json | null)[] = Array.isArray(tasks) ? tasks : [];
  if (list.length < 1 || list.length > CHECKLIST.tasks) {
    yield wrong("tasks", `${list.length} tasks; expected 1 to ${CHECKLIST.tasks}`);
  }
  const ids = new Set<unknown>();
  for (const [at, task] of list.entries()) {
    const { id, text } = task ?? {};
    const characters = lengthOf(text);
    if (characters < 1 || characters > CHECKLIST.task) {
      yield wrong(`tasks[${at}].text`, `${characters} characters; expected 1 to ${CHECKLIST.task}`);
    }
    if (!(Number(id) > 0)) yield wrong(`tasks[${at}].id`, `The id ${id} is not positive`);
    if (ids.has(id)) yield wrong(`tasks[${at}].id`, `${id} is also the id of another task`);
    ids.add(id);
  }
}
