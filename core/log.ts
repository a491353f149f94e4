/** Log levels; each includes those after it. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** One of `LOG_LEVELS`. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Formats of a log line. */
export const LOG_FORMATS = ["text", "json"] as const;

/** One of `LOG_FORMATS`. */
export type LogFormat = typeof LOG_FORMATS[number];

/** Values of a message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log; never on standard output. */
export interface Logger {
  /** Details for finding a fault. */
  debug(message: string, fields?: LogFields): void;
  /** Useful information. */
  info(message: string, fields?: LogFields): void;
  /** Something had no effect or was left out. */
  warn(message: string, fields?: LogFields): void;
  /** An unexpected failure. */
  error(message: string, fields?: LogFields): void;
}

/** Options of a logger. */
export interface LoggerOptions {
  readonly level: LogLevel;
  /** `text` by default. */
  readonly format?: LogFormat;
  /** Name of this instance, on every line. */
  readonly instance?: string | undefined;
  write(line: string): void;
  now(): Date;
}

/**
 * Writes lines of at least `level` to `write`: either `2026-01-31T12:00:00.000Z WARN message key=value`, or one JSON
 * object each. Control characters are escaped, so that captured text cannot forge a line.
 */
export function createLogger(options: LoggerOptions): Logger {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const { instance } = options;
  const stamp = createStamp();
  const toLine = options.format === "json" ? toJsonLine : toTextLine;
  const at = (level: LogLevel) =>
    LOG_LEVELS.indexOf(level) < threshold ? () => {} : (
      message: string,
      fields: LogFields = {},
    ): void => {
      const named = instance === undefined ? fields : { ...fields, instance };
      options.write(toLine({ time: stamp(options.now()), level, message, fields: named }));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Formats times, each once: many lines share one. */
function createStamp(): (time: Date) => string {
  let lastMs = NaN;
  let last = "";
  return (time) => {
    const ms = time.getTime();
    if (ms !== lastMs) {
      lastMs = ms;
      last = time.toISOString();
    }
    return last;
  };
}

interface Entry {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Concatenates the line: there is one for every capture, and other ways take several times as long. */
function toTextLine({ time, level, message, fields }: Entry): string {
  let line = `${time} ${LABELS[level]} ${SIMPLE.test(message) ? message : escape(message)}`;
  for (const key in fields) {
    const text = textOf(fields[key]);
    if (text !== undefined) line += ` ${key}=${PLAIN.test(text) ? text : quoted(text)}`;
  }
  return line;
}

/** Numbers and booleans stay as they are. */
function toJsonLine({ time, level, message, fields }: Entry): string {
  let line = `{"time":"${time}","level":"${level}","message":${quoted(message)}`;
  for (const key in fields) {
    const value = fields[key];
    if (value === undefined || key === "time" || key === "level" || key === "message") continue;
    const bare = typeof value === "boolean" || (typeof value === "number" && isFinite(value));
    line += `,${quoted(key)}:${bare ? value : quoted(textOf(value) ?? "")}`;
  }
  return `${line}}`;
}

/** A logger without output. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

const LABELS: Readonly<Record<LogLevel, string>> = {
  debug: "DEBUG",
  info: "INFO ",
  warn: "WARN ",
  error: "ERROR",
};

/** Text without the need for quotes. */
const PLAIN = /^[\w.:/@+-]+$/;

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return value instanceof Error ? value.stack ?? value.message : String(value);
}

/** Text that needs no escapes: most does not, and this check is the cheapest. */
const SIMPLE = /^[ !#-[\]-~]*$/;

/** Characters that move a cursor or end a line, in any viewer. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;
const ALL_CONTROLS = new RegExp(CONTROLS, "gu");

function escape(text: string): string {
  return CONTROLS.test(text) ? text.replace(ALL_CONTROLS, toEscape) : text;
}

/** Encodes text as JSON, and escapes the control characters that JSON leaves. */
function quoted(text: string): string {
  return SIMPLE.test(text) ? `"${text}"` : escape(JSON.stringify(text));
}

function toEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
