/**
 * `deno task pack`: the client as an npm package, `dist/standin-client-VERSION.tgz`. It consists of the client's source
 * and of the types of the plugins' models, because a reader of captured items does not need the program.
 *
 * @module
 */
import { dirname, join, normalize } from "node:path";
import ts from "npm:typescript@5.9.3";
import config from "../deno.json" with { type: "json" };

const ENTRY = "plugins/client.ts";
const NAME = "@standin/client";

/** Code that the client shares with the program. */
const SHARED: ReadonlySet<string> = new Set(["core/compact.ts", "core/options/suggest.ts"]);

/** Files included as a whole; other files contribute only types. */
const isWhole = (path: string): boolean =>
  path === ENTRY || SHARED.has(path) || path.startsWith("core/client/");

/** Writes the package's sources below `folder`, with their paths. */
async function collect(folder: string): Promise<void> {
  const queue = [ENTRY];
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

/** The part of an import that provides types named in `names`. */
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

/** The relative specifier of an import or re-export. */
function specifierOf(one: ts.Statement): string[] {
  if (!ts.isImportDeclaration(one) && !ts.isExportDeclaration(one)) return [];
  const { moduleSpecifier } = one;
  return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
    ? [moduleSpecifier.text]
    : [];
}

/** Packs into the folder `output`. Returns the path of the package. */
export async function packClient(output: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    await collect(folder);
    const { version, license } = config;
    await Deno.writeTextFile(
      join(folder, "deno.json"),
      JSON.stringify({ name: NAME, version, license, exports: `./${ENTRY}` }),
    );
    await Deno.copyFile("LICENSE", join(folder, "LICENSE"));
    const tarball = join(output, `standin-client-${version}.tgz`);
    const result = await new Deno.Command(Deno.execPath(), {
      args: ["pack", "--quiet", "--allow-dirty", "--output", tarball],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    if (!result.success) throw new Error(new TextDecoder().decode(result.stderr));
    return tarball;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  await Deno.mkdir("dist", { recursive: true });
  console.log(`Wrote ${await packClient(await Deno.realPath("dist"))}`);
}
