/** How much is logged; each level includes those behind it. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** One of `LOG_LEVELS`. */
export type LogLevel = typeof LOG_LEVELS[number];

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

/**
 * Writes `2026-01-31T12:00:00.000Z WARN message key=value` lines of at least `level` to `write`.
 * Control characters are escaped, so that captured text cannot forge a line.
 */
export function createLogger(
  options: { level: LogLevel; write: (line: string) => void; now: () => Date },
): Logger {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const at = (level: LogLevel) => (message: string, fields: LogFields = {}): void => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const parts = [options.now().toISOString(), level.toUpperCase().padEnd(5), escape(message)];
    for (const [key, value] of Object.entries(fields)) {
      if (value !== undefined) parts.push(`${key}=${formatValue(value)}`);
    }
    options.write(parts.join(" "));
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** For code that must be quiet. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

function formatValue(value: unknown): string {
  const text = value instanceof Error ? value.stack ?? value.message : String(value);
  return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text);
}

function escape(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
