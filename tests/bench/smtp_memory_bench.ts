/** Memory after 500 mails of 100 KB and 12 000 of 1 KB at default settings, beside Mailpit's. */
import { findProgram } from "../support/clients.ts";
import { startMailpit } from "../support/mailpit.ts";
import { startProgram } from "../support/program.ts";
import { sayAbsent } from "./files_peers.ts";
import { busySeconds, peakMb, report, residentMb } from "./measure.ts";
import { MEDIUM, sendMails, SMALL, smtpPort } from "./smtp_mails.ts";

const MEDIUM_COUNT = 500;
const SMALL_COUNT = 12_000;
const SECONDS = 120;
/** Time for a garbage collection at rest. */
const REST_MS = 10_000;
const AIM_MB = 200;

async function measure(name: string, { pid, port }: { pid: number; port: number }): Promise<void> {
  const mb = async () => `${(await residentMb(pid))?.toFixed(0) ?? "?"} MB`;
  report(`${name}, at start`, await mb());
  for (
    const [data, count, size] of [[MEDIUM, MEDIUM_COUNT, "100 KB"], [
      SMALL,
      SMALL_COUNT,
      "1 KB",
    ]] as const
  ) {
    const { sent } = await sendMails({ port, data, count, seconds: SECONDS });
    if (sent !== count) throw new Error(`Sent ${count} mails to ${name}: it took ${sent}`);
    report(`${name}, after ${count} of ${size}`, await mb());
  }
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const now = await residentMb(pid);
  const aim = name === "standin" && now !== undefined
    ? { text: `< ${AIM_MB} MB`, met: now < AIM_MB }
    : undefined;
  report(`${name}, after ${REST_MS / 1000} s at rest`, await mb(), aim);
  report(`${name}, at most`, `${(await peakMb(pid))?.toFixed(0) ?? "?"} MB`);
  report(`${name}, seconds busy`, (await busySeconds(pid)).toFixed(1));
}

{
  await using program = await startProgram();
  await measure("standin", { pid: program.pid, port: await smtpPort(program.urls.api ?? "") });
}
const mailpit = findProgram("mailpit");
if (mailpit === undefined) sayAbsent("mailpit");
else {
  await using rival = await startMailpit(mailpit);
  await measure("mailpit", { pid: rival.pid, port: rival.smtpPort });
}
