/** Tests a compiled program as after a download. */
import { STANDARD_PLUGINS } from "../plugins/standard.ts";
import { FREE_PORTS, startProgram } from "../tests/support/program.ts";

/** Parsed by a separate library, which the runtime of the compiled program must support. */
const CONFIG = "[storage]\ncapacity = 500\n\n[plugins.mail.providers.smtp]\nmax_recipients = 50\n";

/** Runs the program `compiled` in the folder `cwd`. Returns its faults. */
export async function tryCompiled(compiled: string, cwd: string): Promise<readonly string[]> {
  const faults: string[] = [];
  await Deno.writeTextFile(`${cwd}/standin.toml`, CONFIG);
  await using program = await startProgram({
    ...{ compiled, cwd },
    args: ["serve", "--config", "standin.toml", ...FREE_PORTS],
  });
  const { ui, ingress } = program.urls;
  for (const path of ["/ui/", "/ui/assets/app.js", "/api/v1/openapi.json", "/api/v1/tls/ca.pem"]) {
    const response = await fetch(`${ui}${path}`);
    await response.body?.cancel();
    if (response.status !== 200) faults.push(`answers ${response.status} to ${path}`);
  }
  faults.push(...await tryTls(ui!, ingress!));
  faults.push(...await tryMuch(ingress!));
  faults.push(...await tryDemo({ compiled, cwd, greeting: program.greeting, ui: ui! }));
  faults.push(...await tryBundle(ui!));
  const { code, stderr } = await program.stop();
  const error = /^\S+ ERROR .*/m.exec(stderr);
  if (error !== null) faults.push(`logs an error: ${error[0]}`);
  // Windows has no signal that asks a program to stop, so it is killed.
  if (code !== 0 && Deno.build.os !== "windows") {
    faults.push(`ends with status ${code} when asked to stop`);
  }
  return faults;
}

/** Sends one email over TLS, with a client that trusts only the program's CA. */
async function tryTls(ui: string, ingress: string): Promise<readonly string[]> {
  const ca = await (await fetch(`${ui}/api/v1/tls/ca.pem`)).text();
  using client = Deno.createHttpClient({ caCerts: [ca] });
  const status = await sendEmail(ingress.replace("http:", "https:"), { text: "x", client });
  return status === 200 ? [] : [`answers ${status} to an email over TLS`];
}

/** Sends more than what the program captures before it begins to measure its memory. */
async function tryMuch(ingress: string): Promise<readonly string[]> {
  const text = "x".repeat(1_000_000);
  for (let i = 0; i < 8; i++) {
    const status = await sendEmail(ingress, { text });
    if (status !== 200) return [`answers ${status} to an email of 1 MB`];
  }
  return [];
}

/** Sends an email through Resend's API. Returns the status of the response. */
async function sendEmail(
  ingress: string,
  { text, client }: { readonly text: string; readonly client?: Deno.HttpClient },
): Promise<number> {
  const response = await fetch(`${ingress}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.com", to: "b@example.com", subject: "x", text }),
    ...(client && { client }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Sends samples to every plugin with the program's `demo`. */
async function tryDemo(
  { compiled, cwd, greeting, ui }: {
    compiled: string;
    cwd: string;
    greeting: string;
    ui: string;
  },
): Promise<readonly string[]> {
  const { success, stderr } = await new Deno.Command(compiled, {
    args: ["demo", ...portFlags(greeting)],
    cwd,
    stdin: "null",
  }).output();
  if (!success) return [`cannot send its samples: ${new TextDecoder().decode(stderr).trim()}`];
  const faults: string[] = [];
  for (const { id } of STANDARD_PLUGINS) {
    const events = await (await fetch(`${ui}/api/v1/events?plugin=${id}`)).json() as unknown[];
    if (events.length === 0) faults.push(`holds no event of ${id} after its samples were sent`);
  }
  return faults;
}

/** Exports the captures, clears them, and imports them again. */
async function tryBundle(ui: string): Promise<readonly string[]> {
  const body = await (await fetch(`${ui}/api/v1/export`)).bytes();
  await (await fetch(`${ui}/api/v1/reset`, { method: "POST" })).body?.cancel();
  const response = await fetch(`${ui}/api/v1/import`, { method: "POST", body });
  const text = await response.text();
  return /"imported":[1-9]/.test(text) ? [] : [`answers ${response.status} to an import: ${text}`];
}

/** Turns the ports of a greeting into flags; a listener called `http` uses the plugin's name. */
function portFlags(greeting: string): readonly string[] {
  const lines = greeting.matchAll(/^ {2}(?:(\w+)\/)?(\w+) +\w+:\/\/[^\s:]+:(\d+)/gm);
  return [...lines].map(([, plugin = "", name = "", port = ""]) =>
    `--${name === "http" ? plugin : name}-port=${port}`
  );
}
