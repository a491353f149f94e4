/** The output of `deno task new` passes format, lint, types and its own tests in a copy of the tree. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { addElement, addImport, readState } from "../../scripts/scaffold/edit.ts";
import { runOk, runProgram } from "../support/clients.ts";

const ROOT = new URL("../../", import.meta.url);
const COPIED = ["core", "plugins", "scripts", "tests/support", "ui"];
const COPIED_FILES = [
  ".ci/clients.txt",
  "deno.json",
  "deno.lock",
  "main.ts",
  "mod.ts",
  "tests/architecture_test.ts",
  "tests/provider_shape_test.ts",
  "tests/clients/snippets_test.ts",
  ...["README.md", "CHANGELOG.md", "docs/sms.md"],
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
  for (const folder of [".ci", "docs", "tests/clients"]) await Deno.mkdir(`${cwd}/${folder}`);
  for (const file of COPIED_FILES) await Deno.copyFile(new URL(file, ROOT), `${cwd}/${file}`);

  const deno = (...args: readonly string[]) =>
    runOk(Deno.execPath(), args, { cwd, env: { NO_COLOR: "1" }, timeoutMs: 180_000 });
  await deno("task", "new", "plugin", "fax");
  for (const kind of ["http", "tcp", "udp"]) {
    await deno("task", "new", "provider", `fax${kind}`, "--plugin", "fax", "--kind", kind);
  }
  const known = ["mail", "sms", "chat", "push"];
  for (const plugin of known) {
    await deno("task", "new", "provider", `${plugin}x`, "--plugin", plugin, "--kind", "ingress");
  }
  const named = ["--vendor", "Acme Mobile", "--path", "/v3/messages"];
  await deno("task", "new", "provider", "sms99", "--plugin", "sms", ...named);
  const pages = ["README.md", "CHANGELOG.md", "docs/sms.md"];
  for (const page of pages) {
    assertStringIncludes(await Deno.readTextFile(`${cwd}/${page}`), "Acme Mobile", page);
  }
  await deno("fmt", "--check", ...pages, "plugins/sms/demo.ts");
  await deno("task", "new", "provider", "smstcp", "--plugin", "sms", "--kind", "tcp");

  const written = [
    "plugins/fax",
    "tests/wire",
    ...["plugins/sms/smstcp", "plugins/sms/sms99", "plugins/sms/demo.ts"],
    ...known.flatMap((plugin) => [`plugins/${plugin}/${plugin}x`, `plugins/${plugin}/mod.ts`]),
  ];
  await deno("fmt", "--check", ...written, "plugins/standard.ts");
  await deno("lint", ...written);
  await deno("check", ...written);
  await Deno.writeTextFile(`${cwd}/tests/wire/sample_test.ts`, SAMPLE_TEST);
  const tests = [
    "plugins/fax",
    "tests/wire",
    "plugins/sms/sms99",
    ...known.map((plugin) => `plugins/${plugin}/${plugin}x`),
    // The tests of all providers cover the new ones, too.
    "tests/provider_shape_test.ts",
    "tests/clients/snippets_test.ts",
  ];
  const { stdout } = await deno("test", "--no-check", "--allow-all", ...tests);
  assertStringIncludes(stdout, "fax1 captures text and says so ... ok");
  assertStringIncludes(stdout, "faxtcp captures text and says so ... ok");
  assertStringIncludes(stdout, "smstcp captures text and says so ... ok");
  assertStringIncludes(stdout, "sms99 captures text and says so ... ok");
  assertStringIncludes(stdout, "the sample of sms99 is captured ... ok");
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

  const rules = [
    "tests/architecture_test.ts",
    "--filter",
    "/every answer with a body|turns a check|in a cycle|a start loads/",
  ];
  const { stdout: kept } = await deno("test", "--no-check", "--allow-all", ...rules);
  assertStringIncludes(kept, "7 passed");

  const again = await runProgram(Deno.execPath(), ["task", "-q", "new", "plugin", "fax"], { cwd });
  assertEquals(again.code, 1);
  const misspelt = ["task", "-q", "new", "provider", "sms8", "--plugin", "sms", "--vendro", "Acme"];
  const refused = await runProgram(Deno.execPath(), misspelt, { cwd });
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stderr, "Cannot use --vendro");
  assertStringIncludes(again.stderr, "Cannot write plugins/fax/model.ts: it already exists");
});

/** Sends the sample of the provider that was written with its vendor. */
const SAMPLE_TEST = `import { assertEquals } from "@std/assert";
import { SAMPLES } from "../../plugins/sms/demo.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { startService } from "../support/service.ts";

Deno.test("the sample of sms99 is captured", async () => {
  await using service = await startService({ plugins: [sms] });
  const at = service.endpoint("sms99");
  const sample = SAMPLES.find(({ provider }) => provider === "sms99")!;
  assertEquals(sample.what, "A message sent with Acme Mobile");
  await sample.send({
    ...{ at, values: {}, net: undefined!, now: new Date() },
    async request(path, { headers, body }) {
      assertEquals(path, "/v3/messages");
      const response = await fetch(at.url + path, { method: "POST", headers, body } as RequestInit);
      return { status: response.status, headers: {}, body: await response.bytes() };
    },
  });
  const { payload } = await service.waitFor("sms.message", { provider: "sms99" });
  assertEquals(payload.body, "Hello");
});
`;

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
