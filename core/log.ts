/** How much is logged; each level includes those behind it. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** One of `LOG_LEVELS`. */
export type LogLevel = typeof LOG_LEVELS[number];

/** How a line of the log is written. */
export const LOG_FORMATS = ["text", "json"] as const;

/** One of `LOG_FORMATS`. */
export type LogFormat = typeof LOG_FORMATS[number];

/** Values that go with a message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log lines for people; never on standard output. */
export interface Logger {
  /** For whoever hunts a fault. */
  debug(message: string, fields?: LogFields): void;
  /** What a person may like to know. */
  info(message: string, fields?: LogFields): void;
  /** Something has no effect or was left out. */
  warn(message: string, fields?: LogFields): void;
  /** Something failed that should not. */
  error(message: string, fields?: LogFields): void;
}

/** What a logger is made with. */
export interface LoggerOptions {
  readonly level: LogLevel;
  /** `text` unless given. */
  readonly format?: LogFormat;
  /** Name of this instance, on every line. */
  readonly instance?: string | undefined;
  write(line: string): void;
  now(): Date;
}

/**
 * Writes lines of at least `level` to `write`: `2026-01-31T12:00:00.000Z WARN message key=value` for people, or an
 * object of JSON each for programs. Control characters are escaped, so that captured text cannot forge a line.
 */
export function createLogger(options: LoggerOptions): Logger {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const { instance } = options;
  const toLine = options.format === "json" ? toJsonLine : toTextLine;
  const at = (level: LogLevel) => (message: string, fields: LogFields = {}): void => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const named = instance === undefined ? fields : { ...fields, instance };
    options.write(toLine({ time: options.now().toISOString(), level, message, fields: named }));
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

interface Entry {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

function toTextLine({ time, level, message, fields }: Entry): string {
  const parts = [time, level.toUpperCase().padEnd(5), escape(message)];
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) parts.push(`${key}=${formatValue(value)}`);
  }
  return parts.join(" ");
}

/** Numbers and truth values stay what they are; JSON itself escapes control characters. */
function toJsonLine({ fields, ...entry }: Entry): string {
  const plain = Object.entries(fields).map(([key, value]) =>
    [key, typeof value === "number" || typeof value === "boolean" ? value : textOf(value)] as const
  );
  return JSON.stringify({ ...entry, ...Object.fromEntries(plain), ...entry });
}

/** For code that must be quiet. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

function formatValue(value: unknown): string {
  const text = textOf(value) ?? "";
  return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return value instanceof Error ? value.stack ?? value.message : String(value);
}

function escape(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
