/** Follows the advice of `standin ca`: each client reaches a vendor's host here, and no other. */
import { assert, assertEquals } from "@std/assert";
import { proxyLines, trustRecipes } from "../../core/cli/trust.ts";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import { startTrusted, type TrustedService } from "../support/tls.ts";

/** No provider has this path: the response is 404, and it is ours. */
const VENDOR = "https://api.twilio.com/no/such/path";

function linesFor(client: RegExp, { caFile }: TrustedService): readonly string[] {
  const found = trustRecipes(caFile, Deno.build.os).find((recipe) => client.test(recipe.client));
  assert(found !== undefined, `no recipe for ${client}`);
  return found.lines;
}

function proxyOf({ service }: TrustedService): readonly string[] {
  const { hostname, port } = service.ingress;
  return proxyLines({ host: hostname, port });
}

/** The variables among the lines; proxy exceptions of this machine are cleared. */
function variables(lines: readonly string[]): Record<string, string> {
  const found = lines.flatMap((line) => {
    const [, name, value] = /^([A-Z_]+)=(\S+)/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value!], [name.toLowerCase(), value!]];
  });
  return { NO_PROXY: "", no_proxy: "", ...Object.fromEntries(found) };
}

interface Case {
  readonly program: string;
  readonly recipe: RegExp;
  readonly args: (url: string) => readonly string[];
  readonly printed: string;
}

const PYTHON = "import sys, urllib.request, urllib.error\n" +
  "try:\n  urllib.request.urlopen(sys.argv[1])\n" +
  "except urllib.error.HTTPError as error:\n  print(error.code)";

const CASES: readonly Case[] = [
  {
    program: "curl",
    recipe: /^curl$/,
    args: (url) => ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}\n", url],
    printed: "404",
  },
  {
    program: "deno",
    recipe: /^Deno$/,
    args: (url) => ["eval", `console.log((await fetch("${url}")).status)`],
    printed: "404",
  },
  {
    program: "python3",
    recipe: /^Python: ssl/,
    args: (url) => ["-c", PYTHON, url],
    printed: "404",
  },
  {
    program: "go",
    recipe: /^Go/,
    args: (url) => ["run", new URL("../fixtures/go/get.go", import.meta.url).pathname, url],
    printed: "404 HTTP/2.0",
  },
];

for (const { program, recipe, args, printed } of CASES) {
  clientTest(
    `${program} set up as documented reaches a vendor's host here`,
    [program],
    async (programs) => {
      await using trusted = await startTrusted();
      const env = variables([...linesFor(recipe, trusted), ...proxyOf(trusted)]);
      const run = { env, timeoutMs: 80_000 };
      const { stdout } = await runOk(programs[program]!, args(VENDOR), run);
      assertEquals(stdout.trim(), printed);
      assertEquals(trusted.service.rejected.list().map(({ status, path }) => [status, path]), [
        [404, "/no/such/path"],
      ]);
      const other = await runProgram(programs[program]!, args("https://example.com/"), run);
      assertEquals(other.stdout.includes("200"), false);
      assertEquals(trusted.service.rejected.list()[0]?.path, "example.com:443");
    },
  );
}

clientTest("Java set up as documented reaches a vendor's host here", ["java", "keytool"], async (
  { java, keytool },
) => {
  await using trusted = await startTrusted();
  const [store, flags] = linesFor(/^Java$/, trusted);
  const cwd = trusted.caFile.slice(0, trusted.caFile.lastIndexOf("/"));
  await runOk(keytool, store!.split(" ").slice(1), { cwd });
  const words = [flags!, proxyOf(trusted).find((line) => line.startsWith("java "))!]
    .flatMap((line) => line.split(" ").filter((word) => word.startsWith("-D")));
  const source = new URL("../fixtures/jdk/Get.java", import.meta.url).pathname;
  const { stdout } = await runOk(java, [...words, source, VENDOR], { cwd, timeoutMs: 80_000 });
  assertEquals(stdout.trim(), "404 HTTP_2");
});

clientTest("Node set up as documented trusts the ingress", ["node"], async ({ node }) => {
  await using trusted = await startTrusted();
  const env = variables(linesFor(/^Node$/, trusted));
  const script = `console.log((await fetch("${trusted.url}/no/such/path")).status)`;
  const args = ["--input-type=module", "--eval", script];
  assertEquals((await runOk(node, args, { env })).stdout.trim(), "404");
});
