const DURATION = /^(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/;
const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  "µs": 1e-3,
  "μs": 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Parses a duration in Go's notation (`300ms`, `5m`, `1h30m`) to milliseconds; `undefined` if malformed. */
export function parseDurationMs(value: string): number | undefined {
  let rest = value;
  let totalMs = 0;
  if (rest === "") return undefined;
  while (rest !== "") {
    const match = DURATION.exec(rest);
    if (match === null) return undefined;
    totalMs += Number(match[1]) * UNIT_MS[match[3]!]!;
    rest = rest.slice(match[0].length);
  }
  // Longer than the range of dates (275 760 years) cannot be meant.
  return totalMs <= 8.64e15 ? totalMs : undefined;
}
