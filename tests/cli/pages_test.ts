import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { PluginInfoShape } from "../../core/api/describe.ts";
import { commandsOf } from "../../core/cli/commands.ts";
import { checkPlugins } from "../../core/app/registry.ts";
import { ConfigError } from "../../core/errors.ts";
import { VERSION } from "../../core/version.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { assertGolden } from "../support/golden.ts";
import { PLAIN_PLUGINS } from "../support/plain_plugins.ts";
import { Ajv2020 } from "npm:ajv@8.20.0/dist/2020.js";
import { runToEnd } from "./console.ts";

const golden = (name: string): URL => new URL(`golden/${name}.txt`, import.meta.url);

/** Standard output of a run that must succeed with empty standard error. */
async function outputOf(...[args, options]: Parameters<typeof runToEnd>): Promise<string> {
  const said = await runToEnd(args, options);
  assertEquals(said.stderr, "");
  assertEquals(said.code, 0);
  return said.stdout;
}

Deno.test("help of every command matches the golden files", async () => {
  await assertGolden(await outputOf(["help"]), golden("help"));
  for (const { name } of commandsOf(PLAIN_PLUGINS)) {
    await assertGolden(await outputOf(["help", name]), golden(`help_${name}`));
  }
  await assertGolden(await outputOf(["help", "mail"], { columns: 60 }), golden("help_mail_narrow"));
});

Deno.test("every usual way to ask for help works", async () => {
  const overview = await outputOf(["help"]);
  for (const args of [[], ["--help"], ["-h"], ["help", "help"], ["help", "--help"]]) {
    assertEquals(await outputOf(args), overview, args.join(" "));
  }
  const page = await outputOf(["help", "mail"]);
  for (const args of [["mail", "--help"], ["mail", "-h"], ["mail", "--bogus", "-h", "stray"]]) {
    assertEquals(await outputOf(args), page, args.join(" "));
  }
});

Deno.test("help wraps to the width of the terminal", async () => {
  for (const plugins of [PLAIN_PLUGINS, STANDARD_PLUGINS]) {
    for (const columns of [60, 80, 100]) {
      for (const { name } of commandsOf(plugins)) {
        const page = await outputOf(["help", name], { plugins, columns });
        // A flag whose value is a list of words gets its own line.
        const wide = page.split("\n").filter((line) =>
          line.length > columns && !/^ +--\S+ <\S+>$/.test(line)
        );
        assertEquals(wide, [], `${name} at ${columns}`);
      }
    }
  }
});

Deno.test("version prints the version of the manifest", async () => {
  assertEquals(await outputOf(["version"]), `standin ${VERSION}\n`);
  assertEquals(await outputOf(["--version"]), `standin ${VERSION}\n`);
  assertEquals(
    await outputOf(["version"], { env: { SERVICE_NO_UPDATE_CHECK: "1" } }),
    `standin ${VERSION}\n`,
  );
});

Deno.test("providers describes everything, one plugin or one provider", async () => {
  await assertGolden(await outputOf(["providers"]), golden("providers"));
  await assertGolden(await outputOf(["providers", "mail/mail1"]), golden("providers_mail1"));
});

Deno.test("providers finds a provider by its vendor", async () => {
  const plugins = STANDARD_PLUGINS;
  const page = await outputOf(["providers", "mail/mail2"], { plugins });
  for (const name of ["sendgrid", "SendGrid", "mail/sendgrid"]) {
    assertEquals(await outputOf(["providers", name], { plugins }), page);
  }
  assertStringIncludes(page, "mail/mail2: SendGrid v3 Mail Send");
  assertStringIncludes(await outputOf(["help", "mail"], { plugins }), "SendGrid (mail2)");
});

Deno.test("providers shows configured ports, and the default one in place of 0", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/standin.toml`;
    await Deno.writeTextFile(
      file,
      'host = "box"\n[ingress]\nport = 4711\n[plugins.snmp.providers.trap]\nport = 0\n',
    );
    const text = await outputOf(["providers", "-c", file]);
    assertStringIncludes(text, "http://box:4711/v3.1/send");
    assertStringIncludes(text, "any free udp port");
    assertStringIncludes(text, "snmptrap box:1162");
    const env = { SERVICE_INGRESS_PORT: "4712" };
    assertStringIncludes(await outputOf(["providers", "-c", file], { env }), ":4712/v3.1/send");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("providers leaves out what is disabled", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/standin.toml`;
    await Deno.writeTextFile(
      file,
      "[plugins.files]\nenabled = false\n[plugins.mail.providers.smtp]\nenabled = false\n",
    );
    const infos = JSON.parse(await outputOf(["providers", "--json", "-c", file]));
    const names = infos.flatMap((info: { name: string; providers: { name: string }[] }) =>
      info.providers.map((provider) => `${info.name}/${provider.name}`)
    );
    assertEquals(names, ["mail/mail1", "s3/http", "snmp/trap", "as2/http"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("providers --json matches the API's schema, without addresses", async () => {
  const validate = new Ajv2020({ strict: false }).compile({
    type: "array",
    items: JSON.parse(JSON.stringify(PluginInfoShape)),
  });
  for (const plugins of [PLAIN_PLUGINS, STANDARD_PLUGINS]) {
    const infos = JSON.parse(await outputOf(["providers", "--json"], { plugins }));
    assertEquals(validate(infos), true, JSON.stringify(validate.errors));
    for (const provider of infos.flatMap((info: { providers: object[] }) => info.providers)) {
      assertEquals("addr" in provider || "url" in provider, false);
    }
  }
});

Deno.test("openapi describes the events API or a plugin's, whatever the environment", async () => {
  const env = { SERVICE_UI_PORT: "nonsense" };
  const events = JSON.parse(await outputOf(["openapi"], { env }));
  assertEquals(events.openapi, "3.1.0");
  assertEquals("/api/v1/events" in events.paths, true);
  const mail = JSON.parse(await outputOf(["openapi", "mail"], { env }));
  assertEquals(Object.keys(mail.paths), ["/api/v1/mail/hello"]);
});

Deno.test("only a terminal gets colors", async () => {
  assertEquals((await outputOf(["providers"])).includes("\x1b"), false);
  assertStringIncludes(
    await outputOf(["providers"], { colour: true }),
    "\x1b[1mmail: Mail\x1b[22m",
  );
});

Deno.test("a plugin cannot be named like a command", () => {
  const own = commandsOf([]).map(({ name }) => name);
  for (const id of [...own, "help"]) {
    const plugins = [{ ...PLAIN_PLUGINS[0]!, id }];
    assertThrows(() => checkPlugins(plugins), ConfigError, `Cannot use plugin id "${id}": `);
  }
});
