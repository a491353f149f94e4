/** A private Postfix that relays to a service, as a queueing client. */
import { findProgram, runOk } from "./clients.ts";
import { scratch } from "./files.ts";

/** A running Postfix. */
export interface Postfix extends AsyncDisposable {
  /** Queues a mail. */
  queue(mail: { readonly from: string; readonly to: string; readonly text: string }): Promise<void>;
  /** Its log so far. */
  log(): Promise<string>;
}

const SERVICES = [
  "pickup unix n - n 60 1 pickup",
  "cleanup unix n - n - 0 cleanup",
  // Wakes up each second: a mail that a run of the queue meets while it is still being delivered waits in `incoming`
  // for the next wake-up.
  "qmgr unix n - n 1 1 qmgr",
  "rewrite unix - - n - - trivial-rewrite",
  ...["bounce", "defer", "trace"].map((name) => `${name} unix - - n - 0 bounce`),
  ...["error", "retry"].map((name) => `${name} unix - - n - - error`),
  "flush unix n - n 1000? 0 flush",
  "smtp unix - - n - - smtp",
  "showq unix n - n - - showq",
  "scache unix - - n - 1 scache",
  "postlog unix-dgram n - n - 1 postlogd",
];

/** Starts one that sends to a port; requires root. */
export async function startPostfix(port: number): Promise<Postfix> {
  const [postfix, sendmail] = ["postfix", "sendmail"].map((name) => findProgram(name));
  if (postfix === undefined || sendmail === undefined) throw new Error("Postfix is not installed");
  const folder = await scratch();
  const { path } = folder;
  await Deno.chmod(path, 0o755);
  for (const name of ["spool", "data"]) await Deno.mkdir(`${path}/${name}`);
  await runOk("chown", ["postfix", `${path}/data`]);
  const main = {
    compatibility_level: "3.6",
    queue_directory: `${path}/spool`,
    data_directory: `${path}/data`,
    maillog_file: `${path}/log`,
    maillog_file_prefixes: path,
    myhostname: "app.example.com",
    mydestination: "",
    inet_interfaces: "loopback-only",
    inet_protocols: "ipv4",
    alias_maps: "",
    relayhost: `[127.0.0.1]:${port}`,
    smtp_tls_security_level: "none",
    minimal_backoff_time: "1s",
    maximal_backoff_time: "1s",
    queue_run_delay: "1s",
  };
  const lines = Object.entries(main).map(([name, value]) => `${name} = ${value}\n`);
  await Deno.writeTextFile(`${path}/main.cf`, lines.join(""));
  await Deno.writeTextFile(`${path}/master.cf`, `${SERVICES.join("\n")}\n`);
  await runOk(postfix, ["-c", path, "start"]);
  return {
    async queue({ from, to, text }) {
      const stdin = `From: ${from}\nTo: ${to}\nSubject: Hi\n\n${text}\n`;
      await runOk(sendmail, ["-C", path, "-f", from, to], { stdin });
    },
    log: () => Deno.readTextFile(`${path}/log`),
    async [Symbol.asyncDispose]() {
      await runOk(postfix, ["-c", path, "stop"]);
      await folder[Symbol.asyncDispose]();
    },
  };
}
