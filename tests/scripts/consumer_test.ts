/** Another project imports the library with its own settings, and only the permission to open sockets. */
import { assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { runProgram } from "../support/clients.ts";

const ROOT = new URL("../../", import.meta.url);

/** Test of that project: one mail, from start to assertion. */
const TEST = (library: string): string => `
import { mail, start } from "${library}";

Deno.test("a mail is captured", async () => {
  await using standin = await start({ plugins: [mail], ports: 0 });
  const response = await fetch(\`\${standin.ingress.url}/emails\`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.com", to: "b@example.org", subject: "x", text: "x" }),
  });
  await response.body?.cancel();
  const { payload } = await standin.waitFor("mail.message");
  const subject: string | undefined = payload.subject;
  if (subject !== "x") throw new Error(\`Captured \${subject}\`);
});
`;

const PROJECTS: readonly (readonly [title: string, library: string, config: object])[] = [
  ["linked", "@standin/standin", {
    links: [fileURLToPath(ROOT)],
    imports: { "@standin/standin": "jsr:@standin/standin@^0.1.0" },
    unstable: ["raw-imports"],
  }],
  ["by path", new URL("mod.ts", ROOT).href, {
    importMap: fileURLToPath(new URL("deno.json", ROOT)),
    unstable: ["raw-imports"],
  }],
];

for (const [title, library, config] of PROJECTS) {
  Deno.test(`a project imports the library ${title}, type-checks it and needs --allow-net alone`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
      await Deno.writeTextFile(`${folder}/mail_test.ts`, TEST(library));
      const { stdout, stderr } = await runProgram(
        Deno.execPath(),
        ["test", "--check", "--no-lock", "--no-prompt", "--allow-net=127.0.0.1,localhost"],
        { cwd: folder, env: { NO_COLOR: "1" }, timeoutMs: 180_000 },
      );
      assertStringIncludes(stdout, "1 passed", stderr);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
