/** Standard servers for comparison, each started for one run. */
import { findProgram, runOk } from "../support/clients.ts";
import { freePort } from "../support/free_port.ts";

/** A server to upload files to and download them from. */
export interface Target extends AsyncDisposable {
  readonly name: string;
  /** Address of the server, with a final slash. */
  readonly url: string;
  readonly port: number;
  /** Writable folder; the root by default. */
  readonly folder?: string;
}

/** Called if a peer is missing. */
export function sayAbsent(peer: string): undefined {
  console.log(`${peer} is not installed: nothing to compare with`);
}

/** vsftpd with anonymous uploads. */
export async function startVsftpd(folder: string): Promise<Target | undefined> {
  const vsftpd = findProgram("vsftpd");
  if (vsftpd === undefined) return sayAbsent("vsftpd");
  const port = freePort();
  // The root of anonymous users may not be writable, so there is a folder in it that is.
  await Deno.mkdir(`${folder}/vsftpd/empty`, { recursive: true });
  await Deno.mkdir(`${folder}/vsftpd/root/up`, { recursive: true });
  await Deno.chmod(`${folder}/vsftpd/root/up`, 0o777);
  await Deno.writeTextFile(
    `${folder}/vsftpd/conf`,
    [
      ...["listen=YES", "background=NO", "listen_address=127.0.0.1", `listen_port=${port}`],
      ...["anonymous_enable=YES", "no_anon_password=YES", `anon_root=${folder}/vsftpd/root`],
      ...["write_enable=YES", "anon_upload_enable=YES", "anon_other_write_enable=YES"],
      ...["anon_umask=022", "seccomp_sandbox=NO", `secure_chroot_dir=${folder}/vsftpd/empty`],
      "",
    ].join("\n"),
  );
  const child = start(vsftpd, [`${folder}/vsftpd/conf`]);
  await untilListening(port);
  const url = `ftp://127.0.0.1:${port}/up/`;
  return { ...toTarget("vsftpd", child, { port, url }), folder: "/up" };
}

/** OpenSSH's sshd with its own sftp-server; `key` is the private key that it accepts. */
export async function startSshd(
  folder: string,
): Promise<Target & { readonly key: string } | undefined> {
  const [sshd, keygen] = ["sshd", "ssh-keygen"].map(findProgram);
  const server = "/usr/lib/openssh/sftp-server";
  if (sshd === undefined || keygen === undefined) return sayAbsent("sshd");
  const port = freePort();
  await Deno.mkdir(`${folder}/sshd/up`, { recursive: true });
  for (const key of ["host", "user"]) {
    await runOk(keygen, ["-q", "-t", "ed25519", "-N", "", "-f", `${folder}/sshd/${key}`]);
  }
  // It stores nothing there, but needs access to it.
  await Deno.mkdir("/run/sshd", { recursive: true, mode: 0o755 });
  await Deno.writeTextFile(
    `${folder}/sshd/conf`,
    [
      ...[`ListenAddress 127.0.0.1:${port}`, `HostKey ${folder}/sshd/host`, "PidFile none"],
      ...[`AuthorizedKeysFile ${folder}/sshd/user.pub`, "StrictModes no", "UsePAM no"],
      ...["PermitRootLogin yes", `Subsystem sftp ${server} -d ${folder}/sshd/up`, ""],
    ].join("\n"),
  );
  const child = start(sshd, ["-D", "-e", "-q", "-f", `${folder}/sshd/conf`]);
  await untilListening(port);
  const url = `sftp://127.0.0.1:${port}/`;
  return { ...toTarget("sshd", child, { port, url }), key: `${folder}/sshd/user` };
}

/** tftpd-hpa, which creates missing files. */
export async function startTftpd(folder: string): Promise<Target | undefined> {
  const tftpd = findProgram("in.tftpd");
  if (tftpd === undefined) return sayAbsent("tftpd-hpa");
  const port = freePort();
  await Deno.mkdir(`${folder}/tftpd`, { recursive: true, mode: 0o777 });
  const child = start(tftpd, [
    ...["--foreground", "--listen", "--address", `127.0.0.1:${port}`, "--create"],
    ...["--user", (await runOk("id", ["-un"])).stdout.trim(), "--secure", `${folder}/tftpd`],
  ]);
  // Datagrams to a port without a listener are lost silently.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return toTarget("tftpd-hpa", child, { port, url: `tftp://127.0.0.1:${port}/` });
}

function start(program: string, args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
}

function toTarget(
  name: string,
  child: Deno.ChildProcess,
  where: { port: number; url: string },
): Target {
  return {
    name,
    ...where,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
