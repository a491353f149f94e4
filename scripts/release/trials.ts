/** Trials of each file of a release. */
import config from "../../deno.json" with { type: "json" };
import { programName } from "../compile.ts";
import { tryCompiled } from "../try_compiled.ts";
import { SBOM, SOURCE, SUMS } from "./build.ts";
import { sbomFaults } from "./check_sbom.ts";
import { output, thisPlatform } from "./machine.ts";
import type { Plan } from "./try.ts";

const { version } = config;
const STRANGERS = new URL("strangers/", import.meta.url).pathname;
const PROGRAM = programName(thisPlatform());
const FOUND = "a script started the program and found its email";

/** Returns the trials of the files in the folder `release`. */
export function trialsOf(release: string): readonly Plan[] {
  return [
    tryProgram(release),
    tryInstallScript(release),
    tryLauncher(release),
    tryNode(release),
    tryPython(release, `standin_client-${version}-py3-none-any.whl`),
    tryPython(release, `standin_client-${version}.tar.gz`),
    tryJava(release),
    tryGo(release),
    trySbom(release),
    trySource(release),
  ];
}

/** Environment that points the packages to the program. */
function withProgram(release: string): Readonly<Record<string, string>> {
  return { STANDIN_PROGRAM: `${release}/${PROGRAM}`, STANDIN_URL: "", NO_PROXY: "*" };
}

function said(text: string, wanted: string): readonly string[] {
  return text.includes(wanted) ? [] : [`did not print "${wanted}" but:\n${text.trim()}`];
}

function tryProgram(release: string): Plan {
  return {
    what: PROGRAM,
    how: "started in an empty folder: pages, TLS, samples to every plugin, export and import",
    needs: [],
    files: [PROGRAM],
    async run(folder) {
      const copy = `${folder}/${PROGRAM}`;
      await Deno.copyFile(`${release}/${PROGRAM}`, copy);
      return await tryCompiled(copy, folder);
    },
  };
}

function tryInstallScript(release: string): Plan {
  return {
    what: "install.sh",
    how: "installed the program from a web server on this machine",
    needs: ["curl"],
    files: [PROGRAM, SUMS],
    async run(folder) {
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        async ({ url }) => {
          const name = new URL(url).pathname.slice(1);
          if (!/^[\w.-]+$/.test(name)) return new Response(null, { status: 404 });
          return new Response((await Deno.open(`${release}/${name}`)).readable);
        },
      );
      const script = new URL("install.sh", import.meta.url).pathname;
      const at = `http://127.0.0.1:${server.addr.port}`;
      const env = { HOME: folder, STANDIN_BASE_URL: at, STANDIN_DIR: "", NO_PROXY: "*" };
      await output("sh", [script], { cwd: folder, env });
      const installed = `${folder}/.local/bin/standin`;
      return said(await output(installed, ["version"], { cwd: folder }), `standin ${version}`);
    },
  };
}

/** The npm packages with the program: that of this platform, and the launcher. */
function npmPackages(): readonly string[] {
  const [os = "", cpu = ""] = thisPlatform().split("-");
  const names: Readonly<Record<string, string>> = { macos: "darwin", windows: "win32" };
  return [`npm/standin-${names[os] ?? os}-${cpu}-${version}.tgz`, `npm/standin-cli-${version}.tgz`];
}

async function npmInstall(folder: string, tarballs: readonly string[]): Promise<void> {
  await Deno.writeTextFile(`${folder}/package.json`, '{"private":true,"type":"module"}');
  const flags = ["--offline", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"];
  await output("npm", ["install", ...flags, ...tarballs], { cwd: folder });
}

function tryLauncher(release: string): Plan {
  return {
    what: `standin-cli-${version}.tgz`,
    how: "installed by npm with the program's package; passed the same trial as the program",
    needs: ["npm", "node"],
    files: npmPackages(),
    async run(folder) {
      await npmInstall(folder, npmPackages().map((name) => `${release}/${name}`));
      return await tryCompiled(`${folder}/node_modules/.bin/standin`, folder);
    },
  };
}

function tryNode(release: string): Plan {
  const files = [`standin-client-${version}.tgz`, ...npmPackages()];
  return {
    what: files[0]!,
    how: `installed by npm with the launcher; ${FOUND}`,
    needs: ["npm", "node"],
    files,
    async run(folder) {
      await npmInstall(folder, files.map((name) => `${release}/${name}`));
      await Deno.copyFile(`${STRANGERS}stranger.mjs`, `${folder}/stranger.mjs`);
      const env = { NO_PROXY: "*" };
      return said(await output("node", ["stranger.mjs"], { cwd: folder, env }), "Hello from Node");
    },
  };
}

function tryPython(release: string, file: string): Plan {
  return {
    what: file,
    how: `installed by pip; ${FOUND}`,
    needs: ["python3"],
    files: [file, PROGRAM],
    async run(cwd) {
      await output("python3", ["-m", "venv", "venv"], { cwd });
      const python = `${cwd}/venv/bin/python`;
      await output(python, ["-m", "pip", "install", "--quiet", `${release}/${file}`], { cwd });
      const env = withProgram(release);
      return said(await output(python, [`${STRANGERS}stranger.py`], { cwd, env }), "from Python");
    },
  };
}

function tryJava(release: string): Plan {
  const jar = `standin-junit-${version}.jar`;
  return {
    what: jar,
    how: `on the class path, without JUnit; ${FOUND}`,
    needs: ["java"],
    files: [jar, PROGRAM],
    async run(cwd) {
      const args = ["-cp", `${release}/${jar}`, `${STRANGERS}Stranger.java`];
      const env = withProgram(release);
      return said(await output("java", args, { cwd, env }), "Hello from Java");
    },
  };
}

function tryGo(release: string): Plan {
  const file = `standin-go-${version}.zip`;
  return {
    what: file,
    how: "got from it as from a module proxy; a test started the program and found its email",
    needs: ["go", "unzip"],
    files: [file, PROGRAM],
    async run(folder) {
      await output("unzip", ["-q", `${release}/${file}`, "-d", "proxy"], { cwd: folder });
      const cwd = `${folder}/shop`;
      await Deno.mkdir(cwd);
      await Deno.copyFile(`${STRANGERS}stranger_test.go`, `${cwd}/stranger_test.go`);
      const env = {
        ...withProgram(release),
        GOPROXY: `file://${folder}/proxy`,
        GONOSUMDB: "standin.test",
        GOFLAGS: "-mod=mod -modcacherw",
        GOMODCACHE: `${folder}/modules`,
      };
      await output("go", ["mod", "init", "shop.example/shop"], { cwd, env });
      await output("go", ["get", `standin.test/standintest@v${version}`], { cwd, env });
      return said(await output("go", ["test", "-v", "."], { cwd, env }), "Hello from Go");
    },
  };
}

function trySbom(release: string): Plan {
  return {
    what: SBOM,
    how: "valid by the schema of CycloneDX 1.6",
    needs: [],
    files: [SBOM],
    run: async () => await sbomFaults(await Deno.readTextFile(`${release}/${SBOM}`)),
  };
}

function trySource(release: string): Plan {
  return {
    what: SOURCE,
    how: "unpacked; the task of the README started the program from there",
    needs: ["tar"],
    files: [SOURCE],
    async run(folder) {
      await output("tar", ["xzf", `${release}/${SOURCE}`], { cwd: folder });
      const cwd = `${folder}/standin-${version}`;
      const args = ["task", "--quiet", "standin", "version"];
      return said(await output(Deno.execPath(), args, { cwd }), `standin ${version}`);
    },
  };
}
