/** sftp: SSH file transfer, version 3, with the extensions of OpenSSH, over the virtual tree. */
import { join } from "../../../core/bytes/concat.ts";
import { shellWord } from "../../../core/bytes/text.ts";
import { disturb } from "../../../core/net/network_fault.ts";
import type { Transport } from "../../../core/net/transport.ts";
import {
  type Client,
  type Endpoint,
  type ProviderEnv,
  type Snippet,
  tcpProvider,
} from "../../../core/plugin.ts";
import { toSubject } from "../faults.ts";
import type { FilesState } from "../record.ts";
import { type Gate, readAuthorizedKeys, type Shown } from "./auth.ts";
import type { SftpHandler } from "./conversation.ts";
import { DISCONNECT, encodeDisconnect, encodePlainPacket } from "./codec/disconnect.ts";
import { FAULTS } from "./faults.ts";
import { openHostKey } from "./host_key.ts";
import { OPTIONS } from "./options.ts";
import { serveSftp } from "./session.ts";

type SftpEnv = ProviderEnv<typeof OPTIONS, FilesState>;

/** The SFTP provider. */
export const sftp = tcpProvider<FilesState, typeof OPTIONS>({
  id: "sftp",
  title: "SFTP",
  about: "An SSH server for files only: sftp, scp and sshfs work on the virtual tree",
  scheme: "sftp",
  options: OPTIONS,
  portOption: "port",
  maxConnections: (values) => values.max_connections,
  busyReply: (values) =>
    join([
      new TextEncoder().encode(`SSH-2.0-${identOf(values.server_version)}\r\n`),
      encodePlainPacket(
        encodeDisconnect(DISCONNECT.tooManyConnections, "Too many connections, try again later"),
      ),
    ]),
  logsIn: true,
  faults: FAULTS,
  snippets: (at, values) => snippets(at, values.username),
  async open(env) {
    const { values, ctx } = env;
    const hostKey = await openHostKey({
      path: values.host_key_path,
      folder: ctx.configFolder,
      log: ctx.log,
    });
    const gate: Gate = {
      username: values.username,
      password: values.password,
      offerNone: values.offer_none,
      keys: values.authorized_keys === undefined
        ? undefined
        : await readAuthorizedKeys(values.authorized_keys),
    };
    return {
      async serve(wire, { place }) {
        // With ssh2 this is a quarter of the program's memory, and most runs have no SSH connection.
        const { serveSsh } = await import("./ssh.ts");
        await serveSsh(wire, {
          hostKey,
          ident: identOf(values.server_version),
          gate,
          handshakeMs: values.handshake_timeout * 1000,
          idleMs: values.idle_timeout * 1000,
          memory: ctx.memory,
          maxAuthTries: values.max_auth_tries,
          signal: ctx.signal,
          place,
          sftp: (channel, about) => serveSftp(channel, toHandler(env, wire, { ...about, channel })),
          refuse: (reason) => env.reject({ reason, peer: wire.peer }),
          fault: (error) => report(env, wire, error),
        });
      },
    };
  },
});

/** Software version in the identification line. */
function identOf(version: string): string {
  return version.replace(/^SSH-2\.0-/, "");
}

function toHandler(
  env: SftpEnv,
  wire: Transport,
  { shown, clientVersion, channel }: { shown: Shown; clientVersion: string; channel: Client },
): SftpHandler {
  const { peer } = wire;
  return {
    vfs: env.state.vfs,
    actor: {
      provider: "sftp",
      transport: "ssh",
      peer,
      user: shown.user,
      meta: { auth: shown, client_version: clientVersion },
      capture: (event) => env.settled(env.capture(event)),
    },
    refuse: (note) => env.reject({ ...note, peer }),
    fault: (error) => report(env, { peer }, error),
    ask: (phase, about) =>
      env.fault(phase, () => [toSubject(about(), { transport: "ssh", peer })], channel),
    disturb: (fault) => disturb(wire, fault),
    now: () => env.ctx.now(),
  };
}

function report(env: SftpEnv, { peer }: Pick<Transport, "peer">, error: unknown): void {
  env.ctx.log.error("Cannot carry out a request", { provider: "sftp", peer, error });
}

function snippets({ hostname, port }: Endpoint, username: string | undefined): readonly Snippet[] {
  const login = shellWord(`${username ?? "user"}@${hostname}`);
  // The host key is new to every user, so it is neither checked nor remembered.
  const trust = "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR";
  return [
    {
      title: "sftp",
      lang: "sh",
      code: `printf 'Hello Ada' >hello.txt
echo 'put hello.txt' | sftp -q -b - -P ${port} ${trust} \\
  ${login}`,
    },
    {
      title: "scp",
      lang: "sh",
      code: `printf 'Hello Ada' >hello.txt
scp -q -P ${port} ${trust} hello.txt ${login}:/hello.txt`,
    },
  ];
}
