import { type JavaProject, runOk } from "./clients.ts";
import type { TrustedService } from "./tls.ts";

/** The encoding is that of the sources, whatever the locale; the rest is what makes a short run short. */
const OPTIONS = ["-Dfile.encoding=UTF-8", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** Runs `Calls.java` of a project, and reads the JSON that it prints. */
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
 * Options of a Java that knows nothing about the service: the ingress as its proxy, and a trust store with the CA
 * alone. The store is made beside the CA, by the keytool that comes with every Java.
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
