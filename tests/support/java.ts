import { type JavaProject, runOk } from "./clients.ts";
import type { TrustedService } from "./tls.ts";

/**
 * The encoding is that of the sources, whatever the locale; the other options shorten the start.
 */
const OPTIONS = ["-Dfile.encoding=UTF-8", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** Runs `Calls.java` of a project, and returns its JSON output. */
export async function javaCalls<T>(
  { java, classPath, folder }: JavaProject,
  args: readonly string[],
  options: readonly string[] = [],
): Promise<T> {
  const source = ["-cp", classPath, `${folder}Calls.java`];
  const { stdout } = await runOk(java, [...OPTIONS, ...options, ...source, ...args], {
    timeoutMs: 60_000,
  });
  return JSON.parse(stdout) as T;
}

/**
 * Java options for clients without configuration: the ingress as the proxy, and a trust store with
 * only the CA, created next to the CA with Java's keytool.
 */
export async function proxyOptions(
  { java }: JavaProject,
  { service, caFile }: TrustedService,
): Promise<readonly string[]> {
  const store = `${caFile}.p12`;
  const keytool = (await Deno.realPath(java)).replace(/java$/, "keytool");
  const source = ["-importcert", "-noprompt", "-alias", "standin", "-file", caFile];
  const target = ["-storetype", "PKCS12", "-keystore", store, "-storepass", "secret"];
  await runOk(keytool, [...source, ...target]);
  const { hostname, port } = service.ingress;
  return [
    `-Dhttps.proxyHost=${hostname}`,
    `-Dhttps.proxyPort=${port}`,
    `-Djavax.net.ssl.trustStore=${store}`,
    "-Djavax.net.ssl.trustStorePassword=secret",
  ];
}
