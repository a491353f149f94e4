import { startService, type TestService, type TestServiceOptions } from "./service.ts";

/** A service whose CA is in a file, for clients that read its path from a variable. */
export interface TrustedService extends AsyncDisposable {
  readonly service: TestService;
  /** Folder of the CA, and for other files of the test. */
  readonly folder: string;
  /** PEM file of the CA. */
  readonly caFile: string;
  /** Base address of the ingress over TLS, by a name in the certificate. */
  readonly url: string;
  /**
   * Environment of an unmodified client: the CA, and the ingress as its proxy. Proxy exceptions of
   * this machine are cleared.
   */
  readonly proxied: Readonly<Record<string, string>>;
}

/** Starts a service, as `startService` does, with its CA in a separate folder. */
export async function startTrusted(options: TestServiceOptions = {}): Promise<TrustedService> {
  const folder = await Deno.makeTempDir();
  const service = await startService({
    ...options,
    config: { ...options.config, ingress: { tls_dir: folder } },
  });
  const response = await fetch(`${service.api.url}/api/v1/tls/ca.pem`);
  await response.body?.cancel();
  const caFile = `${folder}/ca.pem`;
  return {
    service,
    folder,
    caFile,
    url: `https://localhost:${service.ingress.port}`,
    proxied: {
      ...proxyVariables(service.ingress.url),
      NODE_EXTRA_CA_CERTS: caFile,
      SSL_CERT_FILE: caFile,
      REQUESTS_CA_BUNDLE: caFile,
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Both spellings, because clients differ in which one they read first. */
function proxyVariables(proxy: string): Record<string, string> {
  const names = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, ALL_PROXY: "", NO_PROXY: "" };
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, value]) => [[name, value], [name.toLowerCase(), value]]),
  );
}
