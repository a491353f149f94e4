/** The snippets of the object store in the command line, the API and the user interface. */
import { assert, assertEquals } from "@std/assert";
import { http } from "../../plugins/s3/http/mod.ts";
import { clientTest, requireNode, requirePython, runOk } from "../support/clients.ts";
import { startStore, type Store } from "../support/s3.ts";

/** Without buckets, as by default. */
const BARE = { buckets: [] };
const ENV = {
  AWS_CONFIG_FILE: "/dev/null",
  AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  NO_PROXY: "*",
};

function codeOf({ service }: Store, title: string): string {
  const values = {} as Parameters<NonNullable<typeof http.snippets>>[1];
  const found = http.snippets?.(service.endpoint("http"), values).find((item) =>
    item.title === title
  );
  assert(found !== undefined, title);
  return found.code;
}

async function assertStored(store: Store): Promise<void> {
  assertEquals((await store.text("GET", "/uploads/hello.txt", 200)).trim(), "Hello");
}

for (const [title, program] of [["curl", "curl"], ["aws CLI", "aws"]] as const) {
  clientTest(`the ${title} snippet stores an object`, ["bash", program], async ({ bash }) => {
    await using store = await startStore(BARE);
    const { stdout } = await runOk(bash, ["-ec", codeOf(store, title)], { env: ENV });
    assert(stdout.includes("Hello") || stdout.includes("hello.txt"), stdout);
    await assertStored(store);
  });
}

Deno.test("the Node snippet stores an object", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using store = await startStore(BARE);
  const args = ["--input-type=module", "--eval", codeOf(store, "@aws-sdk/client-s3")];
  await runOk(project.node, args, { cwd: project.folder });
  await assertStored(store);
});

Deno.test("the Python snippet stores an object", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using store = await startStore(BARE);
  await runOk(python, ["-c", codeOf(store, "boto3")], { env: ENV });
  await assertStored(store);
});
