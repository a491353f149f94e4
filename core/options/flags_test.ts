import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { type CommandLineRules, type Flag, parseCommandLine } from "./flags.ts";

const FLAGS: readonly Flag[] = [
  { name: "smtp-port", value: "port" },
  { name: "smtp-password", value: "text", secret: true },
  { name: "buckets", value: "a,b,c" },
  { name: "h2c" },
  { name: "config", short: "c", value: "file" },
  { name: "help", short: "h" },
];
const RULES: CommandLineRules = {
  flags: FLAGS,
  explain: (flag) => flag === "in-port" ? "the flag is named --ingress-port here" : undefined,
};
const VALID = "--smtp-port, --smtp-password, --buckets, --h2c, --config, --help";

Deno.test("values follow the flag or its equals sign", () => {
  const table: readonly (readonly [readonly string[], Readonly<Record<string, string[]>>])[] = [
    [[], {}],
    [["--smtp-port", "25"], { "smtp-port": ["25"] }],
    [["--smtp-port=25"], { "smtp-port": ["25"] }],
    [["--smtp-port="], { "smtp-port": [""] }],
    [["--smtp-port", ""], { "smtp-port": [""] }],
    [["--smtp-password=a=b --c"], { "smtp-password": ["a=b --c"] }],
    [["--smtp-password=-secret"], { "smtp-password": ["-secret"] }],
    [["--buckets", "a", "--buckets=b,c"], { buckets: ["a", "b,c"] }],
    [["--h2c"], { h2c: [""] }],
    [["--h2c=false"], { h2c: ["false"] }],
    [["-c", "x.toml"], { config: ["x.toml"] }],
    [["-cx.toml"], { config: ["x.toml"] }],
    [["-c=x.toml"], { config: ["x.toml"] }],
    [["--config", "x.toml", "--h2c"], { config: ["x.toml"], h2c: [""] }],
    [["-h"], { help: [""] }],
    [["--"], {}],
  ];
  for (const [args, texts] of table) {
    assertEquals(parseCommandLine(args, RULES), { texts, words: [], problems: [] }, args.join(" "));
  }
});

Deno.test("every error is reported once, and never with a password", () => {
  const table: readonly (readonly [readonly string[], string])[] = [
    [["--smtp-port"], "Cannot read --smtp-port: expected <port> after it"],
    [["-c"], "Cannot read -c: expected <file> after it"],
    [
      ["--smtp-port", "-1"],
      "Cannot read --smtp-port: expected <port>, found the beginning of a flag; " +
      'a value that starts with "-" is written --smtp-port=-1',
    ],
    [
      ["--smtp-password", "-hunter2"],
      "Cannot read --smtp-password: expected <text>, found the beginning of a flag; " +
      'a value that starts with "-" is written --smtp-password=<text>',
    ],
    [
      ["--smtp-prt", "25"],
      `Cannot use --smtp-prt: unknown flag; did you mean --smtp-port? Valid flags are ${VALID}`,
    ],
    [
      ["--smtp-passwrd=hunter2"],
      `Cannot use --smtp-passwrd: unknown flag; did you mean --smtp-password? Valid flags are ${VALID}`,
    ],
    [
      ["-smtp-port", "25"],
      `Cannot use -smtp-port: unknown flag; did you mean --smtp-port? Valid flags are ${VALID}`,
    ],
    [["-q"], `Cannot use -q: unknown flag; valid flags are ${VALID}`],
    [["--no-h2c"], "Cannot use --no-h2c: unknown flag; write --h2c=false"],
    [["--in-port=1"], "Cannot use --in-port: the flag is named --ingress-port here"],
    [["--__proto__=1"], `Cannot use --__proto__: unknown flag; valid flags are ${VALID}`],
    [
      ["--h2c", "false"],
      'Cannot use "false": the command takes no such argument; write --h2c=false',
    ],
    [
      ["mail"],
      'Cannot use "mail": the command takes no such argument; ' +
      "values of flags are written --flag value or --flag=value",
    ],
    [
      ["--", "--h2c"],
      'Cannot use "--h2c": the command takes no such argument; ' +
      "values of flags are written --flag value or --flag=value",
    ],
  ];
  for (const [args, problem] of table) {
    assertEquals(parseCommandLine(args, RULES).problems, [problem], args.join(" "));
  }
});

Deno.test("words are kept up to the limit of the command", () => {
  const line = parseCommandLine(["mail", "--h2c", "sms"], { ...RULES, maxWords: 1 });
  assertEquals(line.words, ["mail", "sms"]);
  assertEquals(line.problems.length, 1);
});

Deno.test("every problem of a line is reported", () => {
  const { problems, texts } = parseCommandLine(
    ["--smtp-prt=1", "stray", "--h2c=false", "--smtp-port"],
    RULES,
  );
  assertEquals(problems.length, 3);
  assertEquals(texts, { h2c: ["false"] });
});

Deno.test("any value survives after an equals sign", () => {
  fc.assert(
    fc.property(fc.constantFrom("smtp-port", "config", "h2c"), fc.string(), (name, value) => {
      const { texts, problems } = parseCommandLine([`--${name}=${value}`], RULES);
      assertEquals(problems, []);
      assertEquals(texts[name], [value]);
    }),
    fuzzed(),
  );
});

Deno.test("any arguments are split into flags and words, and none gets lost", () => {
  const arg = fc.oneof(
    fc.string(),
    fc.constantFrom("--", "-", "--=", "-c", "--h2c", "--smtp-port", "-hc", "--config="),
  );
  fc.assert(
    fc.property(fc.array(arg), (args) => {
      const { texts, words, problems } = parseCommandLine(args, { ...RULES, maxWords: 99 });
      const taken = Object.values(texts).flat().length + words.length + problems.length;
      assertEquals(taken > 0 || args.every((one) => one === "--"), true);
    }),
    fuzzed(),
  );
});
