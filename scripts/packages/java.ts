/**
 * The package for Java: a JAR, its sources and its POM, laid out as in a Maven repository. It is
 * compiled with `javac`; Maven only fetches the API of JUnit.
 *
 * @module
 */
import { join } from "@std/path/join";
import config from "../../deno.json" with { type: "json" };
import { type Entry, readEntries, zip } from "./archive.ts";

const SOURCE = new URL("java/", import.meta.url);
/** Name of the artifact. */
const NAME = "standin-junit";
const COPY_DEPENDENCIES =
  "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/** Options of the compilation. */
export interface JavaTools {
  /** Class path with the API of JUnit; fetched by Maven unless given. */
  readonly classPath?: string;
}

/** Writes the files into the folder `output`. Returns their paths. */
export async function packJava(
  output: string,
  { classPath }: JavaTools = {},
): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir();
  try {
    const path = classPath ?? await fetchJunit(`${folder}/junit`);
    const sources = await readEntries(new URL("src/main/java/", SOURCE));
    const root = new URL("src/main/java/", SOURCE).pathname;
    await run("javac", [
      ...["-Xlint:all", "-Werror", "--release", "17", "-encoding", "UTF-8", "-parameters"],
      ...["-cp", path, "-d", `${folder}/classes`],
      ...sources.map(({ name }) => root + name),
    ]);
    const pom = (await Deno.readTextFile(new URL("pom.xml", SOURCE)))
      .replace(
        /\n +<!-- [^\n]*deno task pack[^\n]* -->\n( +)<version>0</,
        `\n$1<version>${config.version}<`,
      );
    const meta: Entry[] = [
      {
        name: "META-INF/MANIFEST.MF",
        content: "Manifest-Version: 1.0\r\nAutomatic-Module-Name: standin.junit\r\n" +
          `Implementation-Title: ${NAME}\r\nImplementation-Version: ${config.version}\r\n\r\n`,
      },
      { name: "META-INF/LICENSE", content: await Deno.readTextFile("LICENSE") },
    ];
    const stem = `${NAME}-${config.version}`;
    const files: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
      [`${stem}.jar`, await zip([...meta, ...await readEntries(`${folder}/classes`)])],
      [`${stem}-sources.jar`, await zip([...meta, ...sources])],
      [`${stem}.pom`, new TextEncoder().encode(pom)],
    ];
    for (const [file, bytes] of files) await Deno.writeFile(join(output, file), bytes);
    return files.map(([file]) => join(output, file));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function fetchJunit(folder: string): Promise<string> {
  const pom = new URL("pom.xml", SOURCE).pathname;
  await run("mvn", ["-q", "-B", "-f", pom, `-DoutputDirectory=${folder}`, COPY_DEPENDENCIES]);
  return `${folder}/*`;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    stdin: "null",
  }).output();
  if (success) return;
  const decoder = new TextDecoder();
  throw new Error(
    `Cannot pack for Java: ${program} failed\n${decoder.decode(stdout)}${decoder.decode(stderr)}`,
  );
}
