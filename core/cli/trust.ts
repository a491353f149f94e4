/** How the clients of one language learn to trust a CA. */
export interface TrustRecipe {
  /** Language or library. */
  readonly client: string;
  /** Environment variables, or commands to run once. */
  readonly lines: readonly string[];
}

/** Password of the key store in the recipe for Java, which holds nothing secret. */
const STORE_PASSWORD = "changeit";

/** Ways to trust the CA in this file, on an operating system as Deno names it. */
export function trustRecipes(path: string, os: string): readonly TrustRecipe[] {
  const set = (...names: readonly string[]) => names.map((name) => `${name}=${quoted(path)}`);
  return [
    { client: "curl", lines: set("CURL_CA_BUNDLE") },
    { client: "Node", lines: set("NODE_EXTRA_CA_CERTS") },
    { client: "twilio for Node, which has its own variable", lines: set("TWILIO_CA_BUNDLE") },
    { client: "Deno", lines: set("DENO_CERT") },
    { client: "Python: requests, and SDKs built on it", lines: set("REQUESTS_CA_BUNDLE") },
    { client: "Python: ssl, urllib, httpx", lines: set("SSL_CERT_FILE") },
    { client: "Ruby, Rust", lines: set("SSL_CERT_FILE") },
    {
      client: "PHP",
      lines: [`php -d openssl.cafile=${quoted(path)} -d curl.cainfo=${quoted(path)} …`],
    },
    {
      client: "Java",
      lines: [
        `keytool -importcert -noprompt -alias standin -file ${quoted(path)} ` +
        `-keystore standin.p12 -storetype PKCS12 -storepass ${STORE_PASSWORD}`,
        `java -Djavax.net.ssl.trustStore=standin.p12 ` +
        `-Djavax.net.ssl.trustStorePassword=${STORE_PASSWORD} …`,
      ],
    },
    { client: systemClients(os), lines: systemLines(path, os) },
  ];
}

/** Variables that make clients use the proxy at this host and port. */
export function proxyLines(
  at: { readonly host: string; readonly port: number },
): readonly string[] {
  const proxy = `http://${at.host.includes(":") ? `[${at.host}]` : at.host}:${at.port}`;
  return [
    `HTTPS_PROXY=${proxy}`,
    `HTTP_PROXY=${proxy} (twilio for Node reads this one)`,
    "NODE_USE_ENV_PROXY=1 (fetch of Node 24 and later reads the others only with it)",
    `java -Dhttps.proxyHost=${at.host} -Dhttps.proxyPort=${at.port} …`,
  ];
}

/** Clients that use the trust store of the system. */
function systemClients(os: string): string {
  if (os === "darwin") return "Go, .NET, Swift: in the login keychain";
  return os === "windows" ? "Go, .NET: in the certificate store of your user" : "Go, .NET";
}

function systemLines(path: string, os: string): readonly string[] {
  if (os === "darwin") {
    return [
      `security add-trusted-cert -k ~/Library/Keychains/login.keychain-db ${quoted(path)}`,
    ];
  }
  return os === "windows"
    ? [`certutil -user -addstore Root ${quoted(path)}`]
    : [`SSL_CERT_FILE=${quoted(path)}`];
}

function quoted(path: string): string {
  return /[\s'$`]/.test(path) ? `"${path}"` : path;
}
