/**
 * The package for Node, Bun and Deno: `standin-client-VERSION.tgz`. It contains the client's
 * source, modules for test runners, and the types of the plugins' models, so that tests do not need
 * the program.
 *
 * @module
 */
import { decodeBase64, encodeBase64 } from "@std/encoding/base64";
import { dirname, join, normalize } from "node:path";
import ts from "npm:typescript@5.9.3";
import config from "../../deno.json" with { type: "json" };
import { bytesOf, type Entry, readEntries, tarGz } from "./archive.ts";

const NAME = "@standin/client";
const RUNNERS = "scripts/packages/node/";

/** Modules by import name. */
const EXPORTS: Readonly<Record<string, string>> = {
  ".": "plugins/client.ts",
  "./node": `${RUNNERS}start.ts`,
  "./matchers": `${RUNNERS}matchers.ts`,
  "./playwright": `${RUNNERS}playwright.ts`,
};

/**
 * Test runners whose `expect` is extended: its module, and the interface to augment. They import
 * the runner of the project, so they are not compiled here.
 */
const EXPECTS = [
  { name: "vitest", from: "vitest", module: "vitest", target: "Assertion<T = any>" },
  {
    name: "jest",
    from: "@jest/globals",
    module: "@jest/expect",
    target: "Matchers<R extends void | Promise<void>>",
  },
] as const;

/** Code that the client shares with the program. */
const SHARED: ReadonlySet<string> = new Set(["core/compact.ts", "core/options/suggest.ts"]);

/** Files included as a whole; other files contribute only types. */
const isWhole = (path: string): boolean =>
  path === EXPORTS["."] || SHARED.has(path) || path.startsWith("core/client/") ||
  path.startsWith(RUNNERS);

/** Writes the package's sources below `folder`, with their paths. */
async function collect(folder: string): Promise<void> {
  const queue = Object.values(EXPORTS);
  const done = new Set<string>();
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (done.has(path)) continue;
    done.add(path);
    const source = ts.createSourceFile(
      path,
      await Deno.readTextFile(path),
      ts.ScriptTarget.Latest,
      true,
    );
    const kept = source.statements.filter((one) => isWhole(path) || isType(one));
    const names = new Set(kept.flatMap((one) => isWhole(path) ? [] : namesIn(one)));
    const imports = source.statements.filter(ts.isImportDeclaration)
      .flatMap((one) => isWhole(path) ? [] : importOf(one, names));
    for (const specifier of [...kept.flatMap(specifierOf), ...imports.map(({ from }) => from)]) {
      queue.push(normalize(join(dirname(path), specifier)));
    }
    const text = [...imports.map(({ text }) => text), ...kept.map((one) => one.getFullText())];
    const target = join(folder, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, `${text.join("").trim()}\n`);
  }
}

/** A type, a re-export of types, or the list of words that a type is derived from. */
function isType(one: ts.Statement): boolean {
  return ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) ||
    (ts.isExportDeclaration(one) && one.isTypeOnly) || isWordList(one);
}

function isWordList(one: ts.Statement): boolean {
  return ts.isVariableStatement(one) &&
    one.declarationList.declarations.every(({ initializer }) =>
      initializer !== undefined && ts.isAsExpression(initializer) &&
      ts.isArrayLiteralExpression(initializer.expression)
    );
}

function namesIn(node: ts.Node): string[] {
  const names: string[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isIdentifier(child)) names.push(child.text);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return names;
}

/** Returns the part of an import that provides types named in `names`. */
function importOf(
  one: ts.ImportDeclaration,
  names: ReadonlySet<string>,
): { readonly from: string; readonly text: string }[] {
  const bindings = one.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
  const used = bindings.elements.filter(({ name }) => names.has(name.text));
  const [from] = specifierOf(one);
  if (used.length === 0 || from === undefined) return [];
  const list = used.map((element) => element.getText().replace(/^type /, "")).join(", ");
  return [{ from, text: `import type { ${list} } from "${from}";\n` }];
}

/** Returns the relative specifier of an import or re-export. */
function specifierOf(one: ts.Statement): string[] {
  if (!ts.isImportDeclaration(one) && !ts.isExportDeclaration(one)) return [];
  const { moduleSpecifier } = one;
  const text = moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
    ? moduleSpecifier.text
    : "";
  // Node modules stay unchanged.
  return text.startsWith(".") ? [text] : [];
}

/** Packs into the folder `output`. Returns the path of the package. */
export async function packClient(output: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    await collect(`${folder}/source`);
    const { version, license } = config;
    const exports = Object.fromEntries(
      Object.entries(EXPORTS).map(([name, path]) => [name, `./${path}`]),
    );
    await Deno.writeTextFile(
      `${folder}/source/deno.json`,
      JSON.stringify({ name: NAME, version, license, exports }),
    );
    await Deno.copyFile("LICENSE", `${folder}/source/LICENSE`);
    await run(Deno.execPath(), [
      ...["pack", "--quiet", "--allow-dirty", "--output", `${folder}/packed.tgz`],
    ], `${folder}/source`);
    await run("tar", ["xzf", `${folder}/packed.tgz`, "-C", folder], folder);
    await Deno.writeTextFile(
      `${folder}/package/package.json`,
      manifest(await Deno.readTextFile(`${folder}/package/package.json`)),
    );
    await Deno.copyFile(`${RUNNERS}README.md`, `${folder}/package/README.md`);
    const tarball = join(output, `standin-client-${version}.tgz`);
    const packed = (await readEntries(`${folder}/package`)).map(withPlainMap);
    const entries = [...packed, ...EXPECTS.flatMap(expectFiles)];
    await Deno.writeFile(
      tarball,
      await tarGz(entries.map((one) => ({ ...one, name: `package/${one.name}` }))),
    );
    return tarball;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const SOURCE_MAP = /(?<=\/\/# sourceMappingURL=data:application\/json;base64,)\S+/;

/** Makes the source path in a source map relative to the module, instead of the build folder. */
function withPlainMap(entry: Entry): Entry {
  if (!entry.name.endsWith(".js")) return entry;
  const text = new TextDecoder().decode(bytesOf(entry));
  const content = text.replace(SOURCE_MAP, (encoded) => {
    const map = JSON.parse(new TextDecoder().decode(decodeBase64(encoded))) as {
      readonly sources: readonly string[];
    };
    const sources = map.sources.map((source) => source.replace(/^.*\//, ""));
    return encodeBase64(JSON.stringify({ ...map, sources }));
  });
  return { ...entry, content };
}

/**
 * Adds what `deno pack` does not support: the modules for test runners, as optional peer
 * dependencies.
 */
function manifest(packed: string): string {
  const { exports, ...rest } = JSON.parse(packed);
  const expects = EXPECTS.map(({ name }) => [
    `./${name}`,
    { types: `./${name}.d.ts`, default: `./${name}.js` },
  ]);
  const peers = EXPECTS.map(({ from }) => from);
  return `${
    JSON.stringify(
      {
        ...rest,
        description: "Reads and asserts on what a running standin has captured",
        engines: { node: ">=20" },
        sideEffects: EXPECTS.map(({ name }) => `./${name}.js`),
        exports: { ...exports, ...Object.fromEntries(expects) },
        peerDependencies: Object.fromEntries(peers.map((name) => [name, "*"])),
        peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
      },
      null,
      2,
    )
  }\n`;
}

/** The module that registers the matchers with one runner, and its types. */
function expectFiles(
  { name, from, module, target }: typeof EXPECTS[number],
): readonly Entry[] {
  const matchers = JSON.stringify(`./${RUNNERS}matchers.js`);
  return [
    {
      name: `${name}.js`,
      content: `import { expect } from "${from}";\nimport { matchers } from ${matchers};\n` +
        "expect.extend(matchers);\n",
    },
    {
      name: `${name}.d.ts`,
      content: `import "${from}";\nimport type { StandinMatchers } from ${matchers};\n` +
        `declare module "${module}" {\n  interface ${target} extends StandinMatchers {}\n}\n`,
    },
  ];
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) {
    throw new Error(`Cannot pack for Node: ${new TextDecoder().decode(stderr).trim()}`);
  }
}
