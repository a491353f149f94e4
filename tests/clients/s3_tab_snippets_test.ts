import { assertEquals, assertStringIncludes } from "@std/assert";
import { requireClient, requireNode, requirePython, runOk } from "../support/clients.ts";
import { startStore, type Store } from "../support/s3.ts";
import { objectSnippets, prefixSnippets } from "../../ui/static/tabs/s3/snippets.js";

/** Normal and hostile keys: quotes, commands, line ends, reversed text. */
const KEYS = ["photos/a b.txt", 'it\'s "a" $(exit 7) `x`\n\u202ejs/{1..3}/ü😀\\n'];

const UTF_8 = { LC_ALL: "C.UTF-8", NO_PROXY: "*" };

interface Place {
  readonly bucket: string;
  readonly key: string;
}

/** Runs `check` for each key, with an object under it. */
async function withObjects(check: (place: Place, url: string, store: Store) => Promise<void>) {
  for (const key of KEYS) {
    await using store = await startStore();
    const place = { bucket: "box", key };
    const headers = { "x-amz-meta-customer": "Ada" };
    const init = { body: `content of ${key}`, headers };
    await store.text("PUT", `/box/${encodeURIComponent(key)}`, 200, init);
    await check(place, store.service.endpoint("http").url, store);
  }
}

/** Keys in the store, in order. */
async function keys({ service }: Store): Promise<string[]> {
  const page = await service.getJson<{ objects: { key: string }[] }>("/s3/buckets/box/objects");
  return page.objects.map(({ key }) => key);
}

const codeOf = (snippets: readonly { title: string; code: string }[], title: string): string =>
  snippets.find((snippet) => snippet.title === title)?.code ?? "";

for (const [title, program] of [["curl", "curl"], ["aws CLI", "aws"]] as const) {
  Deno.test(`the ${title} snippets of the tab get an object and fill a folder`, async (t) => {
    const bash = requireClient(t, "bash");
    if (bash === undefined || requireClient(t, program) === undefined) return;
    await withObjects(async (place, url, store) => {
      const cwd = await Deno.makeTempDir();
      try {
        const get = codeOf(objectSnippets(url, place), title);
        await runOk(bash, ["-ec", get], { cwd, env: UTF_8 });
        const [file] = await Array.fromAsync(Deno.readDir(cwd));
        assertEquals(
          await Deno.readTextFile(`${cwd}/${file?.name}`),
          `content of ${place.key}`,
        );
        const prefix = `${place.key}/`;
        const fill = codeOf(prefixSnippets(url, { bucket: "box", prefix }), title)
          .replace(/\n.*sync .*/, "");
        const { stdout } = await runOk(bash, ["-ec", fill], { cwd, env: UTF_8 });
        assertStringIncludes(stdout, "hello.txt");
        assertEquals(await keys(store), [place.key, `${prefix}hello.txt`]);
      } finally {
        await Deno.remove(cwd, { recursive: true });
      }
    });
  });
}

Deno.test("the Node snippets of the tab get an object and fill a folder", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await withObjects(async (place, url, store) => {
    const run = async (snippets: readonly { title: string; code: string }[]) => {
      const code = codeOf(snippets, "@aws-sdk/client-s3");
      const args = ["--input-type=module", "--eval", code];
      return (await runOk(project.node, args, { cwd: project.folder })).stdout;
    };
    const got = await run(objectSnippets(url, place));
    assertStringIncludes(got, `content of ${place.key}`);
    assertStringIncludes(got, "Ada");
    const prefix = `${place.key}/`;
    assertStringIncludes(await run(prefixSnippets(url, { bucket: "box", prefix })), "hello.txt 5");
    assertEquals(await keys(store), [place.key, `${prefix}hello.txt`]);
  });
});

Deno.test("the Python snippets of the tab get an object and fill a folder", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await withObjects(async (place, url, store) => {
    const run = async (snippets: readonly { title: string; code: string }[]) =>
      (await runOk(python, ["-c", codeOf(snippets, "boto3")], { env: UTF_8 })).stdout;
    const got = await run(objectSnippets(url, place));
    assertStringIncludes(got, "content of ");
    assertStringIncludes(got, "Ada");
    const prefix = `${place.key}/`;
    assertStringIncludes(await run(prefixSnippets(url, { bucket: "box", prefix })), "hello.txt 5");
    assertEquals(await keys(store), [place.key, `${prefix}hello.txt`]);
  });
});
