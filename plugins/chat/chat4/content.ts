/**
 * Content without a file of its own: https://core.telegram.org/bots/api#available-methods. Required
 * parameters and refusals are those of https://github.com/tdlib/telegram-bot-api.
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import {
  charactersOf,
  type FieldType,
  type Json,
  markedMembers,
  readFields,
  readMarked,
  requireFields,
  textIn,
} from "./fields.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";
import { readPoll } from "./poll.ts";
import { readRich } from "./rich.ts";

/** Content as sent, and the member of the vendor's message, without values that a server adds. */
export interface Content {
  readonly given: Json;
  readonly result: Json;
}

/** Content of one kind. */
interface Kind {
  /** Member of the vendor's message. */
  readonly kind: string;
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Checks the call, and returns the member of the message. */
  readonly toResult: (given: Json, params: Params) => Json;
}

const LOCATION = {
  latitude: "number",
  longitude: "number",
  horizontal_accuracy: "number",
  live_period: "number",
  heading: "number",
  proximity_alert_radius: "number",
} as const;

/** Methods, with their fields in the order of events: the first one is in the summary. */
const KINDS: Readonly<Record<string, Kind>> = {
  sendlocation: { kind: "location", fields: LOCATION, toResult: toLocation },
  sendvenue: {
    kind: "venue",
    fields: {
      latitude: "number",
      longitude: "number",
      title: "text",
      address: "text",
      foursquare_id: "text",
      foursquare_type: "text",
      google_place_id: "text",
      google_place_type: "text",
    },
    toResult(given, params) {
      requirePlace(params);
      if (!isPlace(given)) return fail("wrong venue location specified");
      requireFields(params, ["title", "address"]);
      const { latitude, longitude, ...rest } = given;
      return { location: { latitude, longitude }, ...rest };
    },
  },
  sendcontact: {
    kind: "contact",
    fields: { phone_number: "text", first_name: "text", last_name: "text", vcard: "text" },
    toResult(given, params) {
      requireFields(params, ["phone_number", "first_name"]);
      return given;
    },
  },
  senddice: { kind: "dice", fields: { emoji: "text" }, toResult: (given) => given },
  sendpoll: {
    kind: "poll",
    fields: {
      question: "text",
      options: "json",
      type: "text",
      is_anonymous: "flag",
      allows_multiple_answers: "flag",
      allows_revoting: "flag",
      correct_option_id: "number",
      correct_option_ids: "json",
      explanation: "text",
      open_period: "number",
      close_date: "number",
      is_closed: "flag",
      description: "text",
      question_parse_mode: "text",
      question_entities: "json",
      explanation_parse_mode: "text",
      explanation_entities: "json",
      explanation_media: "json",
      description_parse_mode: "text",
      description_entities: "json",
      media: "json",
      shuffle_options: "flag",
      allow_adding_options: "flag",
      hide_results_until_closes: "flag",
      members_only: "flag",
      country_codes: "json",
    },
    toResult: readPoll,
  },
  sendgame: {
    kind: "game",
    fields: { game_short_name: "text" },
    toResult(given, params) {
      requireFields(params, ["game_short_name"]);
      return given;
    },
  },
  sendinvoice: {
    kind: "invoice",
    fields: {
      title: "text",
      description: "text",
      payload: "text",
      currency: "text",
      prices: "json",
      max_tip_amount: "number",
      suggested_tip_amounts: "json",
      start_parameter: "text",
      provider_token: "text",
      provider_data: "text",
      photo_url: "text",
      photo_size: "number",
      photo_width: "number",
      photo_height: "number",
      need_name: "flag",
      need_phone_number: "flag",
      need_email: "flag",
      need_shipping_address: "flag",
      send_phone_number_to_provider: "flag",
      send_email_to_provider: "flag",
      is_flexible: "flag",
    },
    toResult: toInvoice,
  },
  sendchecklist: { kind: "checklist", fields: { checklist: "json" }, toResult: toChecklist },
  sendrichmessage: { kind: "rich_message", fields: { rich_message: "json" }, toResult: toRich },
};

/** Names of the methods that send content. */
export const CONTENT_METHODS = Object.keys(KINDS);

/** Parses the content of a method; `undefined` if it sends something else. Throws `Refused`. */
export function readContent(
  method: string,
  params: Params,
): Content & { readonly kind: string } | undefined {
  if (!Object.hasOwn(KINDS, method)) return undefined;
  const { kind, fields, toResult } = KINDS[method]!;
  const read = readFields(params, fields);
  const result = toResult(read, params);
  // The object of a checklist is the content itself.
  const own = read[kind];
  return { kind, given: isJsonObject(own) ? own : read, result };
}

function requirePlace(params: Params): void {
  for (const name of ["latitude", "longitude"]) {
    if (params.text(name).trim() === "") fail(`${name} is empty`);
  }
}

function isPlace({ latitude, longitude }: Json): boolean {
  return Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
}

/** `live_period` of a location that is live until it is edited. */
const FOREVER = 0x7fffffff;

/** https://core.telegram.org/bots/api#sendlocation; refusals are those of https://github.com/tdlib/td (Location.cpp) */
function toLocation(given: Json, params: Params): Json {
  requirePlace(params);
  if (!isPlace(given)) return fail("invalid location specified");
  const { live_period: period = 0, heading = 0, proximity_alert_radius: radius = 0 } = given;
  const isOutside = (value: unknown, least: number, most: number): boolean =>
    value !== 0 && !(Number(value) >= least && Number(value) <= most);
  // A location that is not live has neither.
  if (period === 0) return given;
  if (period !== FOREVER && isOutside(period, 60, 86_400)) {
    return fail("wrong live location period specified");
  }
  if (isOutside(heading, 1, 360)) return fail("wrong live location heading specified");
  if (isOutside(radius, 1, 100_000)) {
    return fail("wrong live location proximity alert radius specified");
  }
  return given;
}

const MAX_TIPS = 4;

/** https://core.telegram.org/bots/api#invoice */
function toInvoice(given: Json, params: Params): Json {
  requireFields(params, ["title", "description", "payload", "currency", "prices"]);
  const { title, description, prices, currency, start_parameter = "" } = given;
  if (!Array.isArray(prices)) return fail("expected an Array of labeled prices");
  if (prices.length === 0) return fail("there must be at least one price");
  let total_amount = 0;
  for (const price of prices) {
    const wrong = (what: string): never => fail(`can't parse labeled price: ${what}`);
    if (!isJsonObject(price)) return wrong("LabeledPrice must be an Object");
    if (typeof price.label !== "string") return wrong('Can\'t find field "label"');
    if (price.label === "") return wrong("LabeledPrice label must be non-empty");
    const amount = Number(price.amount ?? "x");
    if (!Number.isSafeInteger(amount)) return wrong('Field "amount" must be a valid Number');
    total_amount += amount;
  }
  checkAmounts(total_amount, given);
  return { title, description, start_parameter, currency, total_amount };
}

/** Refusals are those of https://github.com/tdlib/td (LabeledPricePart.cpp, InputInvoice.cpp) */
function checkAmounts(
  total: number,
  { max_tip_amount: most = 0, suggested_tip_amounts: tips = [] }: Json,
): void {
  if (total <= 0) fail("total price must be positive");
  if (Number(most) < 0) fail("invalid max_tip_amount of the currency specified");
  if (!Array.isArray(tips)) return fail("expected an Array of suggested tip amounts");
  for (const tip of tips) {
    if (!Number.isSafeInteger(Number(tip))) fail("can't parse suggested tip amount as Number");
    if (Number(tip) <= 0) fail("suggested tip amount must be positive");
    if (Number(tip) > Number(most)) {
      fail("suggested tip amount can't be bigger than max_tip_amount");
    }
  }
  if (tips.length > MAX_TIPS) fail(`there can be at most ${MAX_TIPS} suggested tip amounts`);
}

/** https://core.telegram.org/bots/api#inputchecklist */
const CHECKLIST = { title: 255, tasks: 30, task: 100 };

/** Limits, and the words of their refusals, are those of https://github.com/tdlib/td */
function toChecklist(given: Json, params: Params): Json {
  requireFields(params, ["business_connection_id", "checklist"]);
  const { checklist } = given;
  const wrong = (what: string): never => fail(`can't parse InputChecklist: ${what}`);
  if (!isJsonObject(checklist)) return wrong("expected an Object");
  const { parse_mode: mode, title_entities: entities, tasks } = checklist;
  if (!Array.isArray(tasks)) return wrong("Expected an Array of InputChecklistTask");
  const title = readMarked(textIn(checklist, "title"), mode, entities);
  checkLength(title.text, CHECKLIST.title, "checklist title length");
  if (tasks.length === 0) return fail("checklist must have at least 1 task");
  if (tasks.length > CHECKLIST.tasks) {
    return fail(`checklist must have at most ${CHECKLIST.tasks} tasks`);
  }
  return {
    ...markedMembers("title", title),
    tasks: tasks.map((task: unknown) => {
      if (!isJsonObject(task)) return wrong("expected an Object");
      const { id, parse_mode: taskMode, text_entities: marks } = task;
      if (!Number.isSafeInteger(id)) return wrong('Field "id" must be a valid Number');
      const text = readMarked(textIn(task, "text"), taskMode, marks);
      checkLength(text.text, CHECKLIST.task, "checklist task text length");
      if (Number(id) <= 0) return fail("checklist task identifier must be positive");
      return { id, ...markedMembers("text", text) };
    }),
    ...(checklist.others_can_add_tasks === true && { others_can_add_tasks: true }),
    ...(checklist.others_can_mark_tasks_as_done === true &&
      { others_can_mark_tasks_as_done: true }),
  };
}

function checkLength(text: string, most: number, what: string): void {
  const length = charactersOf(text);
  if (length === 0) fail("text must be non-empty");
  if (length > most) fail(`${what} must not exceed ${most}`);
}

/** https://core.telegram.org/bots/api#sendrichmessage */
function toRich(given: Json, params: Params): Json {
  requireFields(params, ["rich_message"]);
  return readRich(given.rich_message, { params });
}
