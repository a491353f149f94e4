/** State of Terraform in a bucket, with its lock; and buckets that its AWS provider makes and removes. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { clientTest, runOk, type RunOptions, runProgram, skipTest } from "../support/clients.ts";
import { scratch } from "../support/files.ts";
import { pick, startStore } from "../support/s3.ts";

const ENV: NonNullable<RunOptions["env"]> = {
  AWS_ACCESS_KEY_ID: "any",
  AWS_SECRET_ACCESS_KEY: "any",
  AWS_EC2_METADATA_DISABLED: "true",
  CHECKPOINT_DISABLE: "1",
  NO_PROXY: "*",
  TF_CLI_CONFIG_FILE: "/dev/null",
  TF_IN_AUTOMATION: "1",
};

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
  const options: RunOptions = { cwd: folder.path, timeoutMs: 60_000, env: ENV };
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

/** Folders in which Terraform, and images with providers of their own, look for providers. */
const PLUGIN_FOLDERS = [
  `${Deno.env.get("HOME")}/.terraform.d/plugins`,
  "/usr/local/share/terraform/plugins",
  "/usr/share/terraform/plugins",
  "/opt/tf-plugins",
];

async function findProviders(): Promise<string | undefined> {
  for (const folder of PLUGIN_FOLDERS) {
    try {
      await Deno.stat(`${folder}/registry.terraform.io/hashicorp/aws`);
      return folder;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}

/** What each setting in `terraform/buckets.tf` leaves in the store: the text of one element. */
const SETTINGS: readonly (readonly [query: string, element: string, texts: readonly string[]])[] = [
  ["accelerate", "Status", ["Enabled"]],
  ["acl", "Permission", ["FULL_CONTROL"]],
  ["cors", "AllowedMethod", ["POST", "PUT"]],
  ["encryption", "KMSMasterKeyID", ["arn:aws:kms:us-east-1:123456789012:key/one"]],
  ["lifecycle", "ID", ["old", "cold"]],
  ["logging", "URI", ["http://acs.amazonaws.com/groups/s3/LogDelivery"]],
  ["notification", "Queue", ["arn:aws:sqs:us-east-1:123456789012:images"]],
  ["object-lock", "Mode", ["GOVERNANCE"]],
  ["ownershipControls", "ObjectOwnership", ["BucketOwnerPreferred"]],
  ["publicAccessBlock", "IgnorePublicAcls", ["true"]],
  ["requestPayment", "Payer", ["Requester"]],
  ["tagging", "Value", ["a b"]],
  ["versioning", "Status", ["Enabled"]],
  ["website", "KeyPrefixEquals", ["docs/"]],
];

clientTest(
  "the AWS provider of terraform makes buckets with every setting, finds them unchanged and removes them",
  ["terraform"],
  async ({ terraform }, t) => {
    const providers = await findProviders();
    if (providers === undefined) return skipTest(t, "terraform-provider-aws", "is not installed");
    await using store = await startStore({ buckets: [] });
    await using folder = await scratch();
    await Deno.copyFile(
      new URL("terraform/buckets.tf", import.meta.url),
      `${folder.path}/buckets.tf`,
    );
    // For 50 s, the provider looks again and again whether the lifecycle rules are there.
    const options: RunOptions = { cwd: folder.path, timeoutMs: 240_000, env: ENV };
    const run = async (...args: string[]): Promise<string> =>
      (await runOk(terraform, [...args, "-no-color"], options)).stdout;
    const url = `-var=url=${store.service.endpoint("http").url}`;
    await run("init", `-plugin-dir=${providers}`);
    assertStringIncludes(await run("apply", "-auto-approve", url), "18 added, 0 changed");
    assertEquals(JSON.parse(await run("output", "-json", "seen")), {
      body: "Hello",
      keys: ["dir/one"],
      region: "us-east-1",
    });
    for (const [query, element, texts] of SETTINGS) {
      const text = await store.text("GET", `/provided?${query}`, 200);
      assertEquals(pick(text, element).sort(), [...texts].sort(), `${query}: ${text}`);
    }
    assertStringIncludes(await store.text("GET", "/provided?policy", 200), '"Sid":"read"');
    // Exit status 2 would mean that something differs from what the provider put.
    await run("plan", "-detailed-exitcode", url);
    await run("destroy", "-auto-approve", url);
    assertEquals(pick(await store.text("GET", "/", 200), "Name"), []);

    const told = store.service.events.list({ plugin: "s3" }).map(({ payload, meta }) => {
      const { operation, bucket, key, tags, delete_marker } = payload as S3Operation;
      assertStringIncludes(String(meta.user_agent), "terraform-provider-aws");
      return [operation, bucket, key, JSON.stringify(tags), delete_marker]
        .filter((part) => part !== undefined).join(" ");
    });
    assertEquals(told.sort(), [
      "bucket.create provided",
      "bucket.create provided-logs",
      "bucket.delete provided",
      "bucket.delete provided-logs",
      "object.delete provided locked",
      'object.delete provided-logs dir/one {"colour":"dark blue"}',
      "object.put provided locked",
      'object.put provided-logs dir/one {"colour":"dark blue"}',
    ]);
  },
);
