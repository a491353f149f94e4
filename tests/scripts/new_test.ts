/** The output of `deno task new` passes format, lint, types and its own tests in a copy of the tree. */
import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { vendorOf } from "../../core/provider_names.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { addElement, addImport, readState } from "../../scripts/scaffold/edit.ts";
import { addChange, addRow } from "../../scripts/scaffold/pages.ts";
import { readVendor, VENDOR_FLAGS } from "../../scripts/scaffold/vendor.ts";
import { runOk, runProgram } from "../support/clients.ts";

const ROOT = new URL("../../", import.meta.url);
const COPIED = ["core", "docs", "plugins", "scripts", "tests/support", "ui"];
const COPIED_FILES = [
  ".ci/clients.txt",
  "CHANGELOG.md",
  "README.md",
  "deno.json",
  "deno.lock",
  "main.ts",
  "mod.ts",
  "tests/architecture_test.ts",
  "tests/provider_shape_test.ts",
  "tests/cli/console.ts",
  "tests/cli/demo_test.ts",
  "tests/clients/snippets_test.ts",
  "tests/scripts/first_load_test.ts",
];

async function copyTree(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    if (entry.isDirectory) await copyTree(new URL(`${entry.name}/`, from), `${to}/${entry.name}`);
    else await Deno.copyFile(new URL(entry.name, from), `${to}/${entry.name}`);
  }
}

Deno.test("new plugins and providers of every kind pass everything at once", async () => {
  const cwd = await Deno.makeTempDir();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => Deno.remove(cwd, { recursive: true }));
  for (const folder of COPIED) await copyTree(new URL(`${folder}/`, ROOT), `${cwd}/${folder}`);
  for (const folder of [".ci", "tests/clients", "tests/cli", "tests/scripts"]) {
    await Deno.mkdir(`${cwd}/${folder}`);
  }
  for (const file of COPIED_FILES) await Deno.copyFile(new URL(file, ROOT), `${cwd}/${file}`);

  const deno = (...args: readonly string[]) =>
    runOk(Deno.execPath(), args, { cwd, env: { NO_COLOR: "1" }, timeoutMs: 180_000 });
  await deno("task", "new", "plugin", "fax");
  for (const kind of ["http", "tcp", "udp"]) {
    await deno("task", "new", "provider", `fax${kind}`, "--plugin", "fax", "--kind", kind);
  }
  // Each way to send a key, with and without a parameter in the path. `default` is no name of a variable.
  const vendors = {
    mail: ["--auth", "bearer", "--path", "/acme/v1/{kind}/mail"],
    sms: ["--auth", "basic", "--path", "/acme/{acme_id}/sms", "--keys", "acme_id,acme_token"],
    chat: ["--auth", "X-Acme-Key", "--keys", "default"],
    push: [],
  };
  const known = Object.keys(vendors);
  for (const [plugin, flags] of Object.entries(vendors)) {
    const of = ["--plugin", plugin, "--vendor", `Acme ${plugin}`, "--host", "api.acme.example"];
    const docs = ["--docs", "https://acme.example/api"];
    await deno("task", "new", "provider", `${plugin}x`, ...of, ...docs, ...flags);
  }
  await deno("task", "new", "provider", "smstcp", "--plugin", "sms", "--kind", "tcp");

  const written = [
    "plugins/fax",
    "tests/wire",
    "plugins/sms/smstcp",
    ...known.flatMap((plugin) => [`plugins/${plugin}/${plugin}x`, `plugins/${plugin}/mod.ts`]),
  ];
  await deno(
    "fmt",
    "--check",
    ...written,
    "plugins/standard.ts",
    "README.md",
    "CHANGELOG.md",
    "docs",
  );
  await deno("lint", ...written);
  await deno("check", ...written);
  const tests = [
    "plugins/fax",
    "tests/wire",
    ...known.map((plugin) => `plugins/${plugin}/${plugin}x`),
    // The tests of all providers cover the new ones, too.
    "tests/provider_shape_test.ts",
    "tests/clients/snippets_test.ts",
    // A start loads none of the code that answers calls, and no code of a single command.
    "tests/scripts/first_load_test.ts",
  ];
  const { stdout } = await deno("test", "--no-check", "--allow-all", ...tests);
  assertStringIncludes(stdout, "fax1 captures text and says so ... ok");
  assertStringIncludes(stdout, "faxtcp captures text and says so ... ok");
  assertStringIncludes(stdout, "smstcp captures text and says so ... ok");
  for (const plugin of known) {
    assertStringIncludes(stdout, `${plugin}x captures text and says so ... ok`);
    assertStringIncludes(
      stdout,
      `a fault rule of ${plugin}x applies to the messages that it names ... ok`,
    );
    assertStringIncludes(
      stdout,
      `plugins/${plugin}/${plugin}x has the shape of every provider ... ok`,
    );
  }

  const demo = ["tests/cli/demo_test.ts", "--filter", "demo fills an instance"];
  const { stdout: sent } = await deno("test", "--no-check", "--allow-all", ...demo);
  assertStringIncludes(sent, "1 passed");
  const code = `import { samplesOf } from "./core/cli/instance/demo.ts";
    import { STANDARD_PLUGINS } from "./plugins/standard.ts";
    for (const plugin of STANDARD_PLUGINS) {
      for (const { provider, what } of await samplesOf(plugin)) console.log(provider, what);
    }`;
  const { stdout: samples } = await deno("eval", code);
  assertStringIncludes(samples, "fax1 The example of Fax1\n");
  for (const id of known) {
    assertStringIncludes(samples, `${id}x The example of Acme ${id}\n`);
  }

  const read = (path: string) => Deno.readTextFile(`${cwd}/${path}`);
  const last = sms.providers.findLast(({ kind }) => kind === "ingress")!;
  const call = RegExp.escape("`POST /acme/{acme_id}/sms`");
  const rows = [
    [
      "README.md",
      `\\| ${last.id} .*\n\\| smsx +\\| Acme sms API +\\| \`POST http://localhost:8822/acme`,
    ],
    ["README.md", `\\| ${vendorOf(last)} .*\n\\| Acme sms +\\| ${call} +\\| all other`],
    ["docs/sms.md", `\\| ${last.id} .*\n\\| smsx \\(Acme sms\\) +\\| ${call}`],
    ["CHANGELOG.md", `#### SMS\n(?:.*\n)*?- Acme sms \\(smsx\\): messages sent with ${call}`],
  ] as const;
  for (const [path, row] of rows) assertMatch(await read(path), new RegExp(`\n${row}`));
  assertEquals((await read("README.md")).includes("fax"), false, "it has no vendor yet");
  assertStringIncludes(
    await read("plugins/sms/smsx/mod.ts"),
    'shortTitle: "Acme sms",\n  about: "Messages sent through the API of Acme sms",\n' +
      '  vendorHosts: ["api.acme.example"],',
  );

  const rules = [
    "tests/architecture_test.ts",
    "--filter",
    "/every answer with a body|turns a check|in a cycle|a start loads/",
  ];
  const { stdout: kept } = await deno("test", "--no-check", "--allow-all", ...rules);
  assertStringIncludes(kept, "7 passed");

  const again = await runProgram(Deno.execPath(), ["task", "-q", "new", "plugin", "fax"], { cwd });
  assertEquals(again.code, 1);
  assertStringIncludes(again.stderr, "Cannot write plugins/fax/model.ts: it already exists");
  const refusals = [
    ["provider", ["--vendro", "Acme"], "Cannot use --vendro"],
    ["provider", ["--kind", "tcp", "--vendor", "Acme"], "Cannot use --vendor with --kind tcp"],
    ["plugin", [], "Cannot use --plugin with a new plugin"],
  ] as const;
  for (const [what, flags, message] of refusals) {
    const args = ["task", "-q", "new", what, "sms8", "--plugin", "sms", ...flags];
    const refused = await runProgram(Deno.execPath(), args, { cwd });
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, message);
  }
});

Deno.test("an element is added to an empty, a filled and a multi-line list", () => {
  assertEquals(addElement("a: [],", "a:", "x"), "a: [x],");
  assertEquals(addElement("a: [\n  y,\n],", "a:", "x"), "a: [y, x],");
  assertEquals(addElement("readonly A[] = [y];", "readonly A[] =", "x"), "readonly A[] = [y, x];");
});

Deno.test("an import is added after the last one, which may span lines", () => {
  assertEquals(
    addImport('import {\n  a,\n} from "a";\nconst b = 1;\n', 'import "c";'),
    'import {\n  a,\n} from "a";\nimport "c";\nconst b = 1;\n',
  );
});

Deno.test("the state of a plugin is read with the file that declares it", () => {
  const source = 'import type { Tree } from "./tree.ts";\nexport const f = definePlugin<Tree>({});';
  assertEquals(readState(source), { type: "Tree", from: "./tree.ts" });
});

Deno.test("a row follows those of its plugin, or ends the table but for a closing row", () => {
  const page = "# A\n\n| P | S |\n| - | - |\n| a1 | x |\n| b1 | y |\n\nText\n";
  const row = { head: ["P", "S"], cells: ["a2", "z"] };
  assertEquals(
    addRow(page, { ...row, after: ["a1"] }),
    page.replace("| b1", "| a2 | z |\n| b1"),
  );
  assertEquals(addRow(page, row), page.replace("| b1 | y |", "| b1 | y |\n| a2 | z |"));
  assertEquals(addRow(page, { ...row, before: "b1" }), page.replace("| b1", "| a2 | z |\n| b1"));
  assertEquals(addRow(page, { ...row, before: "a1" }), addRow(page, row));
  assertThrows(() => addRow(page, { ...row, head: ["P", "T"] }), Error, "no table begins");
});

Deno.test("a change is listed under its group of the next version, which may be empty", () => {
  const old = "## [0.1.0]\n\n### Added\n\n#### SMS\n\n- a\n";
  const head = "# Changelog\n\n## [Unreleased]\n";
  const added = `${head}\n### Added\n\n#### SMS\n\n- x\n`;
  assertEquals(addChange(`${head}\n${old}`, "SMS", "x"), `${added}\n${old}`);
  assertEquals(addChange(`${added}\n${old}`, "SMS", "y"), `${added}- y\n\n${old}`);
  assertEquals(
    addChange(`${added}\n### Fixed\n\n- b\n`, "Chat", "y"),
    `${added}\n#### Chat\n\n- y\n\n### Fixed\n\n- b\n`,
  );
});

const EXAMPLE = { kind: "ingress", name: "Fax1", path: "/fax1/send" } as const;

Deno.test("flags that describe a vendor are refused unless their values can stand in code", () => {
  const bad = [
    { vendor: 'A"' },
    { vendor: "A */" },
    { vendor: "" },
    { docs: "ftp://acme.example" },
    { docs: "https://acme.example/*/" },
    { path: "acme" },
    { path: "/v1/{a b}" },
    { path: "/v1//send" },
    { host: "a b" },
    { auth: "a key" },
    { keys: "Key" },
    { keys: "a,b" },
    { auth: "basic", keys: "a" },
    { auth: "basic", keys: "a,a" },
  ];
  for (const flags of bad) {
    const [name, value] = Object.entries(flags).at(-1)!;
    assertThrows(
      () => readVendor(flags, EXAMPLE),
      TypeError,
      `Cannot use --${name} "${value}": expected `,
    );
  }
  const given = { vendor: "Crédit & Co.", path: "/bot{token}/send:now/", host: "**.a.example" };
  const { name, path, host, isNamed } = readVendor(given, EXAMPLE);
  assertEquals({ vendor: name, path, host }, given);
  assertEquals([isNamed, readVendor({}, EXAMPLE).isNamed], [true, false]);
});

Deno.test("flags that describe a vendor are refused by name for providers with a port", () => {
  for (const kind of ["http", "tcp", "udp"] as const) {
    assertEquals(readVendor({}, { ...EXAMPLE, kind }).name, "Fax1");
    for (const flag of VENDOR_FLAGS) {
      assertThrows(
        () => readVendor({ [flag]: "a" }, { ...EXAMPLE, kind }),
        TypeError,
        `Cannot use --${flag} with --kind ${kind}: valid are --kind and --plugin`,
      );
    }
  }
  assertThrows(
    () => readVendor({ vendor: "Acme", path: "/v1" }, { ...EXAMPLE, kind: "tcp" }),
    TypeError,
    "Cannot use --vendor, --path with --kind tcp",
  );
});
