import { assertEquals } from "@std/assert";
import { createBrowserGuard } from "./browser_guard.ts";

const CHROME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";

/** Returns the refusal, if any, of a request with these header lines. */
function refusalOf(headers: string, options: { version?: "2"; url?: string } = {}) {
  const guard = createBrowserGuard({
    ownHost: "Standin.Example",
    vendorHosts: ["api.vendor.example", "*.push.example"],
    allowedOrigins: ["https://app.example.com"],
  });
  const pairs = headers.split("\n").filter((line) => line !== "").map((line) => {
    const colon = line.indexOf(": ");
    return [line.slice(0, colon), line.slice(colon + 2)] satisfies [string, string];
  });
  return guard({
    headers: new Headers(pairs),
    version: options.version ?? "1.1",
    request: new Request(options.url ?? "http://127.0.0.1/"),
  });
}

const LOCAL = "Host: localhost:8822\n";
/** Another container may know the service by a name that the service does not know. */
const UNKNOWN = "Host: standin:8822\n";

const SERVED: Readonly<Record<string, string>> = {
  "curl": `${LOCAL}User-Agent: curl/8.5.0\nAccept: */*`,
  "curl under an unknown name": `${UNKNOWN}User-Agent: curl/8.5.0`,
  "no User-Agent at all under an unknown name": UNKNOWN,
  "Node's fetch under an unknown name":
    `${UNKNOWN}User-Agent: node\nAccept: */*\nAccept-Language: *\nSec-Fetch-Mode: cors`,
  "Deno's fetch under an unknown name": `${UNKNOWN}User-Agent: Deno/2.9.6\nAccept-Language: *`,
  "axios under an unknown name": `${UNKNOWN}User-Agent: axios/1.7.2`,
  "Java's client under an unknown name": `${UNKNOWN}User-Agent: Java-http-client/21.0.2`,
  "boto3 under an unknown name":
    `${UNKNOWN}User-Agent: Boto3/1.34 md/Botocore#1.34 ua/2.0 os/linux#6.1 lang/python#3.12`,
  "PowerShell under an unknown name":
    `${UNKNOWN}User-Agent: Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0; en-US) PowerShell/7.4.1`,
  "HTTP/1.0 without a name": "User-Agent: Mozilla/5.0",
  "a vendor's own name": `Host: api.vendor.example\nUser-Agent: ${CHROME}`,
  "a vendor's name by its wildcard": `Host: eu.push.example:443\nUser-Agent: ${CHROME}`,
  "the configured name": `Host: standin.example:8822\nUser-Agent: ${CHROME}`,
  "an address of the network": `Host: 192.168.1.5:8822\nUser-Agent: ${CHROME}`,
  "a typed address":
    `${LOCAL}User-Agent: ${CHROME}\nSec-Fetch-Site: none\nSec-Fetch-Dest: document`,
  "a page of the same port": `${LOCAL}Sec-Fetch-Site: same-origin\nSec-Fetch-Dest: empty`,
  "an app on localhost": `${LOCAL}Origin: http://localhost:3000\nSec-Fetch-Site: same-site`,
  "an app on 127.0.0.1": `${LOCAL}Origin: http://127.0.0.1:5173\nSec-Fetch-Site: cross-site`,
  "an app on [::1]": `${LOCAL}Origin: http://[::1]:5173\nSec-Fetch-Site: cross-site`,
  "an app on a name under localhost":
    `${LOCAL}Origin: https://app.localhost\nSec-Fetch-Site: cross-site`,
  "an app in a shell of its own": `${LOCAL}Origin: capacitor://localhost\nUser-Agent: ${CHROME}`,
  "an app on localhost under an unknown name":
    `${UNKNOWN}Origin: http://localhost:3000\nUser-Agent: ${CHROME}`,
  "jsdom under an unknown name":
    `${UNKNOWN}Origin: http://localhost\nUser-Agent: Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.0.0`,
  "a picture for an app on this machine":
    `${LOCAL}Referer: http://127.0.0.1:3000/page\nSec-Fetch-Site: cross-site\nSec-Fetch-Dest: image`,
  "an allowed origin": `${LOCAL}Origin: https://app.example.com\nSec-Fetch-Site: cross-site`,
  "an allowed origin under an unknown name": `${UNKNOWN}Origin: https://app.example.com`,
  "a picture for an allowed origin":
    `${LOCAL}Referer: https://app.example.com/\nSec-Fetch-Site: cross-site\nSec-Fetch-Dest: image`,
};

const REFUSED: Readonly<Record<string, readonly [headers: string, reason: RegExp]>> = {
  "a foreign origin": [`${LOCAL}Origin: https://evil.example`, /page of origin "https:\/\/evil/],
  "a foreign origin on an SDK's words": [
    `${LOCAL}Origin: http://evil.example\nUser-Agent: x`,
    /origin/,
  ],
  "an opaque origin": [`${LOCAL}Origin: null\nSec-Fetch-Site: cross-site`, /origin "null"/],
  "an opaque origin that says no more": [`${LOCAL}Origin: null`, /origin "null"/],
  "an origin that begins like ours": [`${LOCAL}Origin: http://localhost.evil.example`, /origin/],
  "an origin that ends like ours": [`${LOCAL}Origin: http://evil-localhost`, /origin/],
  "an origin with a name of digits": [`${LOCAL}Origin: http://127.0.0.1.evil.example`, /origin/],
  "an origin with a user": [`${LOCAL}Origin: http://localhost@evil.example`, /origin/],
  "an allowed origin within another scheme": [`${LOCAL}Origin: http://app.example.com`, /origin/],
  "a request for another site": [`${LOCAL}Sec-Fetch-Site: cross-site`, /from another site/],
  "a link on another site": [
    `${LOCAL}Referer: https://evil.example/\nSec-Fetch-Site: cross-site\nSec-Fetch-Dest: document`,
    /from another site/,
  ],
  "a site that only says it is ours": [
    `${LOCAL}Referer: localhost\nSec-Fetch-Site: cross-site`,
    /from another site/,
  ],
  "a rebound name": [`Host: evil.example:8822\nUser-Agent: ${CHROME}`, /host "evil\.example:8822"/],
  "a rebound name within TLS": [
    `Host: evil.example\nSec-Fetch-Site: same-origin\nSec-Fetch-Dest: empty`,
    /host "evil\.example"/,
  ],
  "a rebound name that was typed": [
    `Host: evil.example\nSec-Fetch-Site: none\nSec-Fetch-Dest: document`,
    /host/,
  ],
  "the origin of a rebound name": [
    `Host: evil.example:8822\nOrigin: http://evil.example:8822`,
    /origin/,
  ],
  "the referrer of a rebound name": [
    `Host: evil.example:8822\nReferer: http://evil.example:8822/\nUser-Agent: ${CHROME}`,
    /host/,
  ],
  "two labels for the one of a wildcard": [`Host: a.b.push.example\nUser-Agent: ${CHROME}`, /host/],
};

for (const [what, headers] of Object.entries(SERVED)) {
  Deno.test(`ports for clients serve ${what}`, () => {
    assertEquals(refusalOf(headers), undefined);
  });
}

for (const [what, [headers, reason]] of Object.entries(REFUSED)) {
  Deno.test(`ports for clients refuse ${what}`, () => {
    assertEquals(reason.test(refusalOf(headers) ?? "served"), true, refusalOf(headers));
  });
}

Deno.test("over HTTP/2 the host is that of the address", () => {
  const agent = `User-Agent: ${CHROME}`;
  const url = "https://evil.example:8822/v3/mail/send";
  assertEquals(refusalOf(agent, { version: "2", url })?.includes('"evil.example:8822"'), true);
  assertEquals(refusalOf(agent, { version: "2", url: "https://localhost:8822/" }), undefined);
});
