/** Vendors reached at their own hosts, through a proxy that ends here. */
import type { AnyPlugin } from "../../core/plugin.ts";
import { startService } from "./service.ts";

/** A service, and the environment that redirects clients to it. */
export async function startTunnel(plugins: readonly AnyPlugin[]) {
  const service = await startService({
    plugins,
    config: { ingress: { tls_in_memory: true } },
  });
  const folder = await Deno.makeTempDir();
  const ca = `${folder}/ca.pem`;
  const response = await fetch(`${service.api.url}/api/v1/tls/ca.pem`);
  await Deno.writeTextFile(ca, await response.text());
  const env = {
    HTTP_PROXY: service.ingress.url,
    HTTPS_PROXY: service.ingress.url,
    NO_PROXY: "",
    REQUESTS_CA_BUNDLE: ca,
    SSL_CERT_FILE: ca,
    CURL_CA_BUNDLE: ca,
    // The Twilio package forgets its own TWILIO_CA_BUNDLE when it goes through a proxy.
    NODE_EXTRA_CA_CERTS: ca,
  };
  return {
    service,
    env,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
