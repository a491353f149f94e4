/** State of Terraform in a bucket, with its lock. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { clientTest, runOk, type RunOptions, runProgram } from "../support/clients.ts";
import { scratch } from "../support/files.ts";
import { startStore } from "../support/s3.ts";

/** A resource built into Terraform, so that no provider has to be downloaded. */
const configuration = (url: string, value: string): string => `
terraform {
  backend "s3" {
    bucket                      = "box"
    key                         = "live/terraform.tfstate"
    region                      = "us-east-1"
    endpoints                   = { s3 = "${url}" }
    use_path_style              = true
    use_lockfile                = true
    skip_credentials_validation = true
    skip_requesting_account_id  = true
  }
}
resource "terraform_data" "one" {
  input = "${value}"
}
`;

clientTest("terraform keeps and locks its state", ["terraform"], async ({ terraform }) => {
  await using store = await startStore();
  await using folder = await scratch();
  const { url } = store.service.endpoint("http");
  const options: RunOptions = {
    cwd: folder.path,
    timeoutMs: 60_000,
    env: {
      AWS_ACCESS_KEY_ID: "any",
      AWS_SECRET_ACCESS_KEY: "any",
      AWS_EC2_METADATA_DISABLED: "true",
      CHECKPOINT_DISABLE: "1",
      NO_PROXY: "*",
      TF_CLI_CONFIG_FILE: "/dev/null",
      TF_IN_AUTOMATION: "1",
    },
  };
  const run = async (...args: string[]): Promise<string> =>
    (await runOk(terraform, [...args, "-no-color"], options)).stdout;
  const write = (value: string) =>
    Deno.writeTextFile(`${folder.path}/main.tf`, configuration(url, value));
  await write("first");
  await run("init");
  await run("apply", "-auto-approve");
  await write("second");
  await run("apply", "-auto-approve");
  assertStringIncludes(await run("state", "pull"), '"second"');

  const lock = { body: '{"ID":"x","Who":"somebody"}', headers: { "if-none-match": "*" } };
  await store.text("PUT", "/box/live/terraform.tfstate.tflock", 200, lock);
  const refused = await runProgram(terraform, ["plan", "-no-color"], options);
  assertMatch(refused.stderr, /Error acquiring the state lock[^]*PreconditionFailed[^]*somebody/);
  await store.text("DELETE", "/box/live/terraform.tfstate.tflock", 204);
  await run("destroy", "-auto-approve");

  const told = store.service.events.list({ plugin: "s3" }).reverse()
    .filter(({ meta }) => String(meta.user_agent).includes("APN/1.0 HashiCorp"))
    .map(({ payload }) => payload as S3Operation)
    .map(({ operation, key }) => `${operation} ${key?.replace("live/terraform.", "")}`);
  const change = [
    "object.put tfstate.tflock",
    "object.put tfstate",
    "object.delete tfstate.tflock",
  ];
  assertEquals(told, [...change, ...change, ...change]);
});
