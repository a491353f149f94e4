/** Polls: https://core.telegram.org/bots/api#sendpoll */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { charactersOf, type Json, markedMembers, readMarked, textIn } from "./fields.ts";
import { checkMedia } from "./input_media.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

/** https://core.telegram.org/bots/api#inputpollmedia */
const COMMON_MEDIA = ["animation", "live_photo", "location", "photo", "venue", "video"];
const POLL_MEDIA = [...COMMON_MEDIA, "audio", "document"];
/** https://core.telegram.org/bots/api#inputpolloptionmedia */
const OPTION_MEDIA = [...COMMON_MEDIA, "link", "sticker"];

/**
 * Checks the parameters of a poll, and returns the poll. Media stay as they were sent until their
 * files are stored. Throws `Refused`.
 */
export function readPoll(given: Json, params: Params): Json {
  const marked = (name: string): Json =>
    given[name] === undefined ? {} : markedMembers(
      name,
      readMarked(
        String(given[name]),
        given[`${name}_parse_mode`],
        given[`${name}_entities`],
      ),
    );
  const { type = "regular", options, country_codes: countries, correct_option_id: one } = given;
  if (given.question === undefined) return fail("poll question must be non-empty");
  if (options === undefined) return fail("can't parse options JSON object");
  if (!Array.isArray(options)) return fail("expected an Array of String as options");
  if (type !== "regular" && type !== "quiz") return fail("unsupported poll type specified");
  if (countries !== undefined && !Array.isArray(countries)) {
    return fail("expected an Array of String as country_codes");
  }
  const { correct_option_ids: correct = one === undefined ? [] : [one] } = given;
  if (!Array.isArray(correct)) return fail("expected an Array of correct option identifiers");
  const isQuiz = type === "quiz";
  const question = marked("question");
  checkLimits({ question: String(question.question), options, countries: countries ?? [] });
  if (isQuiz) checkCorrect(correct, options.length);
  const media = (name: string): Json =>
    given[name] === undefined
      ? {}
      : { [name]: checkMedia(given[name], { params, types: POLL_MEDIA }) };
  return {
    ...question,
    options: options.map((option: unknown) => toOption(option, params)),
    total_voter_count: 0,
    is_closed: given.is_closed === true,
    is_anonymous: given.is_anonymous !== false,
    type,
    allows_multiple_answers: given.allows_multiple_answers === true,
    allows_revoting: given.allows_revoting ?? !isQuiz,
    members_only: given.members_only === true,
    ...(countries !== undefined && { country_codes: countries }),
    ...(isQuiz && correct.length > 0 && { correct_option_ids: correct }),
    // For older clients, as the vendor's server does.
    ...(isQuiz && correct.length === 1 && { correct_option_id: correct[0] }),
    ...(isQuiz && { ...marked("explanation"), ...media("explanation_media") }),
    ...(given.open_period !== undefined && { open_period: given.open_period }),
    ...(given.close_date !== undefined && { close_date: given.close_date }),
    ...marked("description"),
    ...media("media"),
  };
}

/** https://core.telegram.org/bots/api#sendpoll */
const MOST = { question: 300, options: 12, option: 100, countries: 12 };

/** Limits that the vendor's server checks, with its words: https://github.com/tdlib/td (MessageContent.cpp, PollOption.cpp) */
function checkLimits(
  { question, options, countries }: {
    readonly question: string;
    readonly options: readonly unknown[];
    readonly countries: readonly unknown[];
  },
): void {
  const length = charactersOf(question);
  if (length === 0) fail("text must be non-empty");
  if (length > MOST.question) fail(`poll question length must not exceed ${MOST.question}`);
  if (options.length === 0) fail("poll must have at least one answer option");
  if (options.length > MOST.options) fail(`poll can't have more than ${MOST.options} options`);
  if (countries.length > MOST.countries) fail("too many items specified");
  for (const code of countries) {
    if (typeof code !== "string") fail("expected an Array of String");
    else if (!/^[A-Z]{2}$/.test(code)) fail("invalid country code specified");
  }
}

/** Checks the answers of a quiz: https://github.com/tdlib/td (PollManager.cpp) */
function checkCorrect(correct: readonly unknown[], options: number): void {
  if (correct.length === 0) fail("correct quiz option list must be non-empty");
  for (const [at, id] of correct.entries()) {
    if (typeof id !== "number") return fail("correct option identifier must be of type Number");
    if (!Number.isInteger(id)) return fail("invalid correct option identifier specified");
    if (at > 0 && id <= Number(correct[at - 1])) {
      return fail("correct quiz option list must be increasing");
    }
  }
  const isWrong = correct.some((id) => Number(id) < 0 || Number(id) >= options);
  if (isWrong) fail("wrong quiz correct_option_id");
}

/** https://core.telegram.org/bots/api#inputpolloption */
function toOption(option: unknown, params: Params): Json {
  if (typeof option === "string") {
    checkOption(option);
    return { text: option, voter_count: 0 };
  }
  if (!isJsonObject(option)) return fail("expected an option to be of type String");
  const { text_parse_mode: mode, text_entities: entities, media } = option;
  const formatted = readMarked(textIn(option, "text"), mode, entities);
  checkOption(formatted.text);
  return {
    ...markedMembers("text", formatted),
    ...(media !== undefined && media !== null &&
      { media: checkMedia(media, { params, types: OPTION_MEDIA }) }),
    voter_count: 0,
  };
}

function checkOption(text: string): void {
  const length = charactersOf(text);
  if (length === 0) fail("text must be non-empty");
  if (length > MOST.option) fail(`poll options length must not exceed ${MOST.option}`);
}
