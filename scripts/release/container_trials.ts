/** Trials of the image and the compose example, built and started from the files of a release. */
import { parse } from "npm:yaml@2.9.1";
import { programName } from "../compile.ts";
import { type Engine, findEngine } from "./container.ts";
import { isInstalled, output, thisPlatform } from "./machine.ts";
import { NOTICES } from "./notices.ts";
import { type Plan, UnavailableError } from "./try.ts";

const HERE = new URL("./", import.meta.url).pathname;
const PROGRAM = programName(`linux-${thisPlatform().split("-")[1]}`);
/** Names that do not clash with existing images and projects. */
const IMAGE = "localhost/standin-trial";
const CONTAINER = "standin-trial";
/** As strict as the Deployment of docs/team.md. */
const STRICT = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"];
/** Longest time until a container ends that is asked to; after 10 seconds it is killed. */
const STOP_MS = 5_000;

/** Returns the trials of the files in the folder `release`. */
export function containerTrials(release: string): readonly Plan[] {
  return [
    {
      what: "Dockerfile",
      how:
        "built from the program; ran as user 10001 with a read-only root, captured, exited with 0",
      needs: [],
      files: [PROGRAM, NOTICES],
      run: async (folder) => await withImage(release, folder, tryImage),
    },
    {
      what: "compose.yaml",
      how: "started with that image; its ports answered on this machine",
      needs: [],
      files: [PROGRAM, NOTICES],
      run: async (folder) => await withImage(release, folder, tryCompose),
    },
  ];
}

/** Builds the image from a folder with only its files. */
async function withImage(
  release: string,
  folder: string,
  run: (engine: Engine, folder: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const engine = await findEngine(folder);
  const context = `${folder}/context`;
  await Deno.mkdir(`${context}/dist`, { recursive: true });
  for (const name of [PROGRAM, NOTICES]) {
    await Deno.copyFile(`${release}/${name}`, `${context}/dist/${name}`);
  }
  for (const name of ["Dockerfile", "Dockerfile.dockerignore"]) {
    await Deno.copyFile(`${HERE}${name}`, `${context}/${name}`);
  }
  // Podman's default format has no health check; without `--rm`, layers would remain as images.
  const format = engine.name === "podman" ? ["--format=docker", "--layers=false"] : [];
  const base = `BASE=${engine.base}`;
  await engine.run(
    ...["build", "--quiet", ...format, "--build-arg", base, "--tag", IMAGE],
    ...["--file", `${context}/Dockerfile`, context],
  );
  try {
    return await run(engine, folder);
  } finally {
    await engine.run("image", "rm", "--force", IMAGE);
  }
}

const SUBJECT = "from-outside";
const EMAIL = {
  method: "POST",
  headers: { authorization: "Bearer re_x", "content-type": "application/json" },
  body: JSON.stringify({ from: "a@x.org", to: "b@x.org", subject: SUBJECT, text: "Hello" }),
};

async function tryImage(engine: Engine): Promise<readonly string[]> {
  const faults: string[] = [];
  const ports = ["--publish=127.0.0.1::8811", "--publish=127.0.0.1::8822"];
  await engine.run("run", "--detach", "--name", CONTAINER, ...STRICT, ...ports, IMAGE);
  try {
    await engine.run("exec", CONTAINER, "standin", "ready", "--wait");
    const user = (await engine.run("exec", CONTAINER, "id", "-u")).trim();
    if (user !== "10001") faults.push(`runs as user ${user}`);
    const licences = `/usr/share/doc/standin/${NOTICES}`;
    await engine.run("exec", CONTAINER, "test", "-s", licences);
    await engine.run("exec", CONTAINER, "standin", "demo");
    const at = async (port: string): Promise<string> =>
      `http://${(await engine.run("port", CONTAINER, port)).trim().split("\n")[0]}`;
    const api = `${await at("8811")}/api/v1`;
    const healthy = await fetch(`${api}/health`);
    await healthy.body?.cancel();
    if (!healthy.ok) faults.push(`answers ${healthy.status} to /health`);
    const sent = await fetch(`${await at("8822")}/emails`, EMAIL);
    await sent.body?.cancel();
    const found = await fetch(`${api}/events?provider=mail3`);
    if (!(await found.text()).includes(SUBJECT)) {
      faults.push(
        `does not hold an email sent from outside, which it answered with ${sent.status}`,
      );
    }
    const asked = performance.now();
    await engine.run("stop", CONTAINER);
    const ms = performance.now() - asked;
    if (ms > STOP_MS) faults.push(`takes ${Math.round(ms)} ms to end when asked to stop`);
    const code = (await engine.run("inspect", "--format={{.State.ExitCode}}", CONTAINER)).trim();
    if (code !== "0") faults.push(`ends with status ${code} when asked to stop`);
  } finally {
    await engine.run("rm", "--force", CONTAINER);
  }
  return faults;
}

async function tryCompose(engine: Engine, folder: string): Promise<readonly string[]> {
  const place = `${folder}/standin-trial`;
  await Deno.mkdir(place);
  const file = `${place}/compose.yaml`;
  await Deno.copyFile(`${HERE}compose.yaml`, file);
  for (const port of publishedPorts(await Deno.readTextFile(file))) checkFree(port);
  const [program, ...first] = await composeOf(engine);
  const env = { ...engine.env, STANDIN_IMAGE: IMAGE, NO_PROXY: "*" };
  const compose = (...args: readonly string[]): Promise<string> =>
    output(program!, [...first, ...args], { cwd: place, env });
  try {
    await compose("up", "--detach", "--no-build");
    return await askUntilReady("http://127.0.0.1:8811/api/v1/ready");
  } finally {
    await compose("down", "--volumes");
  }
}

/** The compose command of an engine. */
async function composeOf({ name, run }: Engine): Promise<readonly string[]> {
  if (name === "docker") {
    await run("compose", "version").catch(() => {
      throw new UnavailableError("this docker has no compose");
    });
    return ["docker", "compose"];
  }
  if (await isInstalled("podman-compose")) return ["podman-compose"];
  throw new UnavailableError("podman-compose is not installed");
}

/** Returns the published TCP ports in a compose file. */
function publishedPorts(text: string): readonly number[] {
  const { services } = parse(text) as {
    services: { standin: { ports: readonly string[] } };
  };
  return services.standin.ports.map((one) => Number(/^127\.0\.0\.1:(\d+):\d+$/.exec(one)?.[1]))
    .filter((port) => !Number.isNaN(port));
}

function checkFree(port: number): void {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new UnavailableError(`port ${port} of this machine is in use`);
  }
}

/** Number and interval of readiness checks. */
const TRIES = 60;
const PAUSE_MS = 500;

async function askUntilReady(url: string): Promise<readonly string[]> {
  for (let i = 0; i < TRIES; i++) {
    const status = await fetch(url).then(
      async (response) => (await response.text(), response.status),
      () => undefined,
    );
    if (status === 200) return [];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return [`is not ready after ${TRIES * PAUSE_MS / 1000} s`];
}
