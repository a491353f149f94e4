/** Declaration of a tool, and its responses. */
import type { JsonSchema } from "../http/route.ts";
import { didYouMean, shownName, textOf, unknownName } from "../options/suggest.ts";
import { type Api, ToolError } from "./api.ts";
import { isObject } from "./message.ts";
import { shorten } from "./shorten.ts";

/** Arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** One part of a response. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | {
    readonly type: "resource_link";
    readonly uri: string;
    readonly name: string;
    readonly mimeType?: string;
    readonly size?: number;
  };

/** Response of a tool. */
export interface ToolAnswer {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
}

/** Hints for clients about the effects of a tool. */
export interface ToolHints {
  /** Changes nothing. */
  readonly readOnlyHint: boolean;
  /** May remove something. */
  readonly destructiveHint: boolean;
  /** Repeating a call with the same arguments has no further effect. */
  readonly idempotentHint: boolean;
  /** The tool does not contact other machines. */
  readonly openWorldHint: false;
}

/** Hints of a tool that only reads. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Hints of a tool that removes. */
export const CLEARS: ToolHints = { ...READS, readOnlyHint: false, destructiveHint: true };
/** Hints of a tool that adds. */
export const ADDS: ToolHints = { ...READS, readOnlyHint: false, idempotentHint: false };

/** One tool. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What it does, what it returns, and what to call next. */
  readonly description: string;
  readonly annotations: ToolHints;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** The API checks the names, because it knows them all. */
  readonly isOpen?: true;
  /** Takes checked arguments. Throws `ToolError`, which becomes an error result. */
  call(args: Arguments, api: Api): Promise<ToolAnswer>;
}

/** Describes a tool for `tools/list`. */
export function describeTool({ name, title, description, annotations, ...tool }: Tool): object {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: "object",
      properties: tool.properties,
      ...(tool.required === undefined ? {} : { required: tool.required }),
      ...(tool.isOpen === undefined ? { additionalProperties: false } : {}),
    },
    annotations: { title, ...annotations },
  };
}

/** Answers with a value, cut to a readable length. */
export function answerWith(value: object, more: readonly Content[] = []): ToolAnswer {
  const structuredContent = shorten(value);
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }, ...more],
    structuredContent,
  };
}

/** Checks names and types of arguments. Throws `ToolError` that names the first wrong one, and the nearest right one. */
export function checkArguments(given: unknown, tool: Tool): Arguments {
  if (given === undefined) return checkArguments({}, tool);
  if (!isObject(given)) throw new ToolError("Cannot read the arguments: expected an object");
  const known = Object.keys(tool.properties);
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(tool.properties, name) ? tool.properties[name] : undefined;
    if (schema !== undefined) checkType(name, value, schema);
    else if (tool.isOpen === undefined) {
      const where = known.includes("filters") ? "; filters of one plugin belong in filters" : "";
      throw new ToolError(`${unknownName("argument", name, known)}${where}`);
    }
  }
  for (const name of tool.required ?? []) {
    if (given[name] === undefined) {
      throw new ToolError(`Cannot call ${tool.name} without ${name}: expected it in the arguments`);
    }
  }
  return given;
}

function checkType(name: string, value: unknown, { type, enum: words }: JsonSchema): void {
  if (Array.isArray(words) && !words.includes(value)) {
    const hint = didYouMean(textOf(value), words, { what: "values" });
    throw new ToolError(`Cannot use ${name} ${shownName(textOf(value))}: ${hint}`);
  }
  const expected = EXPECTED[String(type)];
  if (expected === undefined || fits(value, String(type))) return;
  throw new ToolError(`Cannot use ${name}: expected ${expected}`);
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number of at least 0",
  number: "a number",
  boolean: "true or false",
  object: "an object",
};

function fits(value: unknown, type: string): boolean {
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isSafeInteger(value) && Number(value) >= 0;
  // Times and durations may be given in milliseconds.
  if (type === "string") return typeof value === "string" || typeof value === "number";
  if (type === "number") return typeof value === "number";
  return typeof value === "boolean";
}
