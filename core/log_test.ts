import { assertEquals } from "@std/assert";
import { createLogger, type LoggerOptions } from "./log.ts";

const NOW = new Date("2026-01-31T12:00:00Z");

/** Lines that a logger writes. */
function linesOf(
  options: Partial<LoggerOptions>,
  log: (logger: ReturnType<typeof createLogger>) => void,
): string[] {
  const lines: string[] = [];
  log(createLogger({
    level: "info",
    write: (line) => lines.push(line),
    now: () => NOW,
    ...options,
  }));
  return lines;
}

Deno.test("text lines give time, level, message and values, and no captured text can forge one", () => {
  const lines = linesOf({}, (log) => {
    log.debug("not shown");
    log.info("Captured\n2026", { peer: "127.0.0.1:5", text: "a b\nc", nothing: undefined });
    log.warn("Odd", { count: 3 });
  });
  assertEquals(
    lines,
    [
      'INFO  Captured\\u000a2026 peer=127.0.0.1:5 text="a b\\nc"',
      "WARN  Odd count=3",
    ].map((line) => `2026-01-31T12:00:00.000Z ${line}`),
  );
});

Deno.test("an instance is named on every line", () => {
  assertEquals(linesOf({ instance: "ci 7" }, (log) => log.error("Failed", { peer: "x" })), [
    '2026-01-31T12:00:00.000Z ERROR Failed peer=x instance="ci 7"',
  ]);
});

Deno.test("each JSON line is one object, whatever it contains", () => {
  const lines = linesOf({ format: "json", instance: "ci-7", level: "debug" }, (log) => {
    log.debug("Line\r\nfeed\u001b[31m", {
      count: 3,
      on: true,
      text: 'a "b"\n',
      nothing: undefined,
    });
    log.error("Failed", { error: new Error("why"), message: "not this", level: "nor this" });
  });
  assertEquals(lines.map((line) => /\p{Cc}/u.test(line)), [false, false]);
  const [first, second] = lines.map((line) => JSON.parse(line));
  assertEquals(first, {
    time: NOW.toISOString(),
    level: "debug",
    message: "Line\r\nfeed\u001b[31m",
    count: 3,
    on: true,
    text: 'a "b"\n',
    instance: "ci-7",
  });
  assertEquals(Object.keys(second), ["time", "level", "message", "error", "instance"]);
  assertEquals([second.level, second.message], ["error", "Failed"]);
  assertEquals(second.error.startsWith("Error: why\n"), true);
});

Deno.test("no control character gets through, and JSON parses back to the original", () => {
  const evil = "a\u0000\u001b[2J\u007f\u0085\u009b31m\u2028\u2029b";
  for (const format of ["text", "json"] as const) {
    const [line = ""] = linesOf(
      { format },
      (log) => log.info(evil, { value: evil, error: new Error(evil), nan: NaN }),
    );
    assertEquals(/[\p{Cc}\u2028\u2029]/u.test(line), false, format);
    if (format === "text") continue;
    const { message, value, nan } = JSON.parse(line);
    assertEquals([message, value, nan], [evil, evil, "NaN"]);
  }
});
