/**
 * Time of a new connection within TLS, compared with a bare server on OpenSSL, and of a small file over FTP within TLS,
 * compared with one in the clear. The clients are those of Python, which combine small segments (RFC 9293 section 3.7.4).
 */
import { createTlsIdentity } from "../../core/tls/identity.ts";
import { findProgram, runOk } from "../support/clients.ts";
import { freePort } from "../support/free_port.ts";
import { FREE_PORTS, listening, startProgram } from "../support/program.ts";
import { report } from "./measure.ts";

/** Ratios to reach: a connection passes two more sockets than that of the bare server, and a file needs a handshake. */
const AIMS = { connection: 0.2, file: 0.1 };

const NAMES = {
  https: "HTTPS",
  starttls: "SMTP with STARTTLS",
  smtps: "SMTP on tls_port",
} as const;
const FILES = { Up: "1 KiB up over FTP", Down: "1 KiB down over FTP" } as const;

/** Milliseconds by name. */
type Times = Readonly<
  Record<"bare" | keyof typeof NAMES | `${"clear" | "tls"}${keyof typeof FILES}`, number>
>;

function compare(what: string, ratio: number, aim: number): void {
  report(what, ratio.toFixed(2), { text: `>= ${aim}`, met: ratio >= aim });
}

async function measure(python: string, folder: string): Promise<Times> {
  const tlsPort = freePort();
  await Deno.writeTextFile(
    `${folder}/standin.toml`,
    `[plugins.files.providers.ftp]\ntls = true\n\n` +
      `[plugins.mail.providers.smtp]\nstarttls = true\ntls_port = ${tlsPort}\n`,
  );
  const args = ["serve", "--config", `${folder}/standin.toml`, ...FREE_PORTS];
  await using program = await startProgram({ args });
  const { endpoint } = await listening(program);
  const { cert, key } = await createTlsIdentity().certificate();
  await Deno.writeTextFile(`${folder}/cert.pem`, cert);
  await Deno.writeTextFile(`${folder}/key.pem`, key);
  const ports = [
    new URL(program.urls.ingress!).port,
    endpoint("smtp").port,
    tlsPort,
    endpoint("ftp").port,
  ];
  const script = new URL("tls_load.py", import.meta.url).pathname;
  const { stdout } = await runOk(
    python,
    [script, `${folder}/cert.pem`, `${folder}/key.pem`, ...ports.map(String)],
  );
  return JSON.parse(stdout);
}

const python = findProgram("python3");
if (python === undefined) console.log("SKIP client: python3 is not installed");
else {
  const folder = await Deno.makeTempDir();
  try {
    const times = await measure(python, folder);
    report("bare OpenSSL server, new connection", `${times.bare.toFixed(1)} ms`);
    for (const name of ["https", "starttls", "smtps"] as const) {
      report(`${NAMES[name]}, new connection`, `${times[name].toFixed(1)} ms`);
      compare(`${NAMES[name]} against a bare server`, times.bare / times[name], AIMS.connection);
    }
    for (const way of ["Up", "Down"] as const) {
      const [clear, tls] = [times[`clear${way}`], times[`tls${way}`]];
      report(
        `${FILES[way]}, in the clear and within TLS`,
        `${clear.toFixed(1)}, ${tls.toFixed(1)} ms`,
      );
      // An upload waits for an acknowledgement, because its session tickets are held back (core/net/ticket_hold.ts).
      if (way === "Down") {
        compare(`${FILES[way]}: within TLS against in the clear`, clear / tls, AIMS.file);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
