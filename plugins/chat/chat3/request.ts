/** Bodies of webhooks: https://docs.discord.com/developers/resources/webhook#execute-webhook */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm, type FormFields } from "../../../core/codec/form.ts";
import { decodeText, isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { memberSpans, scanJson, sliceJson } from "../../../core/codec/json_span.ts";
import { decodeFormFiles, type FormFile } from "../../../core/http/form_data.ts";
import type { DraftContent } from "../capture.ts";
import type { DraftFile } from "../files.ts";
import { checkEmbeds, textOfParts } from "./embeds.ts";
import { Faults } from "./fields.ts";
import { fail, invalidForm, REFUSALS } from "./refusals.ts";

type Json = Readonly<Record<string, unknown>>;

/** A body: its JSON object as sent and parsed, and its files. */
export interface Body {
  readonly text: string;
  readonly json: Json;
  readonly files: readonly FormFile[];
}

/** A post. Omitted members are `undefined`; an edit leaves them unchanged. */
export interface Post {
  readonly content: string | undefined;
  readonly contents: readonly DraftContent[];
  /** Names of the members of the body, including null ones. */
  readonly given: ReadonlySet<string>;
  readonly files: readonly DraftFile[];
  /** Ids of the files that an edit keeps; `undefined` keeps all. */
  readonly keptFiles: readonly string[] | undefined;
  readonly username: string;
  readonly avatarUrl: string;
  readonly threadName: string;
  /** Content, or a text derived from the other parts. */
  readonly readable: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

const MAX_CONTENT = 2000;
const MAX_COMPONENTS = 40;
const MAX_FILES = 10;
/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
const IS_COMPONENTS_V2 = 1 << 15;
const SETTINGS = ["tts", "allowed_mentions", "flags", "applied_tags", "thread_name"];

/** Parses a body of any of the three types. Throws `Refused`. */
export async function readBody(bytes: Uint8Array, contentType: string | null): Promise<Body> {
  const type = (contentType ?? "").split(";")[0]!.trim().toLowerCase();
  try {
    if (type === "multipart/form-data") {
      const { fields, files } = await decodeFormFiles(bytes, contentType!);
      const payload = fields.first("payload_json");
      return payload === undefined ? fromFields(fields, files) : fromJson(payload, files);
    }
    if (type === "application/x-www-form-urlencoded") return fromFields(decodeForm(bytes), []);
    if (type !== "application/json") return fail(REFUSALS.badType);
    return fromJson(decodeText(bytes, contentType), []);
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) return fail(REFUSALS.badJson);
    throw error;
  }
}

function fromJson(given: string, files: readonly FormFile[]): Body {
  const text = given.trim();
  const json = parseJson(text);
  if (isJsonObject(json)) return { text, json, files };
  const message = "Only dictionaries may be used in a ModelType";
  return fail(invalidForm([{ path: "_", code: "MODEL_TYPE_CONVERT", message }]));
}

/** Form fields are members of the object; lists and objects are only in `payload_json`. */
function fromFields({ pairs }: FormFields, files: readonly FormFile[]): Body {
  const json = Object.fromEntries(pairs);
  return { text: JSON.stringify(json), json, files };
}

/** Parses and checks a post. Throws `Refused`. */
export function readPost({ text, json, files }: Body): Post {
  const faults = new Faults();
  const content = faults.text(json, "content", { max: MAX_CONTENT });
  const username = faults.text(json, "username", { min: 1, max: 80 }) ?? "";
  checkUsername(username, faults);
  const threadName = faults.text(json, "thread_name", { min: 1, max: 100 }) ?? "";
  const embeds = checkEmbeds(json, faults);
  const components = faults.objects(json, "components", { max: MAX_COMPONENTS });
  const poll = faults.object(json, "poll");
  const about = faults.objects(json, "attachments", { max: MAX_FILES });
  if (files.length > MAX_FILES) {
    faults.add("files", "BASE_TYPE_MAX_LENGTH", `Must be ${MAX_FILES} or fewer in length.`);
  }
  checkFlags(json, files, faults);
  if (faults.found.length > 0) fail(invalidForm(faults.found));
  return {
    content,
    contents: contentsOf(text, { embeds, components, poll }),
    given: new Set(Object.keys(json)),
    files: files.map((file) => toDraftFile(file, about)),
    keptFiles: json.attachments === undefined || json.attachments === null
      ? undefined
      : about.map(({ id }) => String(id)),
    username,
    avatarUrl: typeof json.avatar_url === "string" ? json.avatar_url : "",
    threadName,
    readable: content?.trim() ? content : textOfParts(embeds, components) || questionOf(poll),
    meta: Object.fromEntries(
      SETTINGS.flatMap((name) => json[name] === undefined ? [] : [[name, json[name]]]),
    ),
  };
}

/** https://docs.discord.com/developers/resources/user#usernames-and-nicknames */
function checkUsername(username: string, faults: Faults): void {
  for (const word of ["clyde", "discord"]) {
    if (!username.toLowerCase().includes(word)) continue;
    faults.add("username", "USERNAME_INVALID_CONTAINS", `Username cannot contain "${word}"`);
  }
}

function checkFlags(json: Json, files: readonly unknown[], faults: Faults): void {
  const { flags } = json;
  if (typeof flags !== "number" || (flags & IS_COMPONENTS_V2) === 0) return;
  for (const name of ["content", "embeds", "poll"]) {
    const value = json[name];
    const isEmpty = value === undefined || value === null || value === "" ||
      (Array.isArray(value) && value.length === 0);
    if (isEmpty) continue;
    faults.add(
      name,
      "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
      `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    );
  }
  if (files.length > 0 && json.components === undefined) {
    faults.add("components", "BASE_TYPE_REQUIRED", "This field is required");
  }
}

/** Returns the present parts, as sent. */
function contentsOf(
  text: string,
  { embeds, components, poll }: {
    readonly embeds: readonly Json[];
    readonly components: readonly Json[];
    readonly poll: Json | undefined;
  },
): readonly DraftContent[] {
  const members = memberSpans(text, scanJson(text));
  const part = (name: string, format: DraftContent["format"], is: boolean): DraftContent[] => {
    const span = is ? members.get(name) : undefined;
    return span === undefined ? [] : [{ format, json: sliceJson(text, span) }];
  };
  return [
    ...part("embeds", "chat3.embeds", embeds.length > 0),
    ...part("components", "chat3.components", components.length > 0),
    ...part("poll", "chat3.poll", poll !== undefined),
  ];
}

/** `files[n]` is described by the attachment with the id `n`. */
function toDraftFile(
  { name, filename, contentType, bytes }: FormFile,
  about: readonly Json[],
): DraftFile {
  const index = /^files\[(\d+)\]$/.exec(name)?.[1];
  const own = about.find(({ id }) => index !== undefined && String(id) === index);
  const title = own?.description ?? own?.title;
  return {
    bytes,
    filename: typeof own?.filename === "string" ? own.filename : filename,
    content_type: contentType,
    title: typeof title === "string" ? title : undefined,
  };
}

function questionOf(poll: Json | undefined): string {
  const question = poll?.question;
  return isJsonObject(question) && typeof question.text === "string" ? question.text : "";
}

/**
 * Parses a body of the Slack-compatible variant: `text` and `attachments`, as JSON or in `payload`.
 */
export function readSlack({ json: given }: Body): Post {
  const json = typeof given.payload === "string" ? fromJson(given.payload, []).json : given;
  const faults = new Faults();
  const content = faults.text(json, "text", { max: MAX_CONTENT });
  const username = faults.text(json, "username", { min: 1, max: 80 }) ?? "";
  const attachments = faults.objects(json, "attachments", { max: MAX_FILES });
  if (faults.found.length > 0) fail(invalidForm(faults.found));
  const lines = attachments.flatMap(({ pretext, title, text, fallback }) => {
    const shown = [pretext, title, text].filter((one) => typeof one === "string" && one !== "");
    return shown.length > 0 ? shown : [fallback];
  });
  return {
    ...NOTHING,
    content,
    contents: attachments.length === 0
      ? []
      : [{ format: "chat1.attachments", json: JSON.stringify(attachments) }],
    username,
    avatarUrl: typeof json.icon_url === "string" ? json.icon_url : "",
    readable: content ||
      lines.filter((line) => typeof line === "string").join("\n").slice(0, 6000),
  };
}

/** Parses a GitHub event: https://docs.github.com/webhooks/webhook-events-and-payloads */
export function readGithub({ json }: Body, event: string): Post {
  const { action, sender, repository, commits, ref } = json as Readonly<Record<string, Json>>;
  const about = ["pull_request", "issue", "release", "discussion", "check_run"]
    .map((name) => json[name]).find(isJsonObject);
  const title = about?.title ?? about?.name;
  const words = [
    repository?.full_name === undefined ? "" : `[${repository.full_name}]`,
    event,
    typeof action === "string" ? action : "",
    typeof ref === "string" ? ref : "",
    Array.isArray(commits) ? `${commits.length} commits` : "",
    typeof title === "string" ? title : "",
  ];
  return {
    ...NOTHING,
    username: typeof sender?.login === "string" ? sender.login : "GitHub",
    avatarUrl: typeof sender?.avatar_url === "string" ? sender.avatar_url : "",
    readable: words.filter((word) => word !== "").join(" "),
    meta: { github_event: event },
  };
}

const NOTHING: Post = {
  content: undefined,
  contents: [],
  given: new Set(),
  files: [],
  keptFiles: undefined,
  username: "",
  avatarUrl: "",
  threadName: "",
  readable: "",
  meta: {},
};
