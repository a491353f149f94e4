import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import { clientTest, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

const ENV = {
  AWS_ACCESS_KEY_ID: "any",
  AWS_SECRET_ACCESS_KEY: "any",
  AWS_DEFAULT_REGION: "us-east-1",
  AWS_CONFIG_FILE: "/dev/null",
  AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  NO_PROXY: "*",
};

clientTest("the aws CLI copies, moves, lists and removes", ["aws"], async ({ aws }) => {
  await using service = await startService({ plugins: [s3] });
  const folder = await Deno.makeTempDir();
  try {
    const run = async (...args: string[]): Promise<string> => {
      const all = ["--endpoint-url", service.endpoint("http").url, "s3", ...args];
      return (await runOk(aws, all, { env: ENV, cwd: folder })).stdout;
    };
    const bytes = new Uint8Array(9_000_000).map((_, i) => i * 31 >> 3);
    await Deno.writeFile(`${folder}/big`, bytes);
    await run("mb", "s3://uploads");
    await run("cp", "big", "s3://uploads/dir/big", "--no-progress");
    await run("mv", "s3://uploads/dir/big", "s3://uploads/moved", "--no-progress");
    assertStringIncludes(await run("ls", "s3://uploads"), "9000000 moved");
    await run("cp", "s3://uploads/moved", "back", "--no-progress");
    assertEquals(await Deno.readFile(`${folder}/back`), bytes);
    await run("rb", "s3://uploads", "--force");
    assertEquals(await run("ls"), "");
    const types = service.events.list({ plugin: "s3" }).map(({ type }) => type);
    assertEquals(types.at(0), "s3.bucket.delete");
    assertEquals(types.at(-1), "s3.bucket.create");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

clientTest(
  "curl signs, sends from standard input and reads a range",
  ["curl"],
  async ({ curl }) => {
    await using service = await startService({ plugins: [s3] });
    const { url } = service.endpoint("http");
    const sign = ["--aws-sigv4", "aws:amz:eu-west-1:s3", "--user", "any:any"];
    const run = async (args: string[], stdin?: string): Promise<string> =>
      (await runOk(curl, ["-sS", "--fail", ...args], stdin === undefined ? {} : { stdin })).stdout;
    await run([...sign, "-X", "PUT", `${url}/box`]);
    await run([...sign, "-T", "-", `${url}/box/a`], "Hello");
    assertEquals(await run(["-r", "1-3", `${url}/box/a`]), "ell");
    const [event] = service.events.list({ type: "s3.object.put" });
    assertEquals([event!.meta.access_key, event!.meta.region], ["any", "eu-west-1"]);
  },
);

clientTest(
  "the snippets of the shell do what they say",
  ["curl", "bash", "aws"],
  async ({ bash }) => {
    await using service = await startService({ plugins: [s3] });
    const about = await service.getJson<
      { name: string; providers: { snippets: { lang: string; code: string }[] }[] }[]
    >("/plugins");
    const snippets = about.flatMap(({ providers }) => providers).flatMap(({ snippets }) =>
      snippets
    );
    const shell = snippets.filter(({ lang }) => lang === "sh");
    assertEquals(shell.length, 2);
    for (const { code } of shell) {
      const { stdout } = await runOk(bash, ["-e", "-c", code], { env: ENV });
      assert(stdout.includes("Hello") || stdout.includes("hello.txt"), stdout);
    }
  },
);
