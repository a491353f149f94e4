/** Verbs of the session: login, features, parameters of data connections. */
import { formatPort, isIpv4, parseExtendedPort, parsePort } from "./codec/address.ts";
import { FACTS, parseFacts } from "./codec/listing.ts";
import { type Reply, toReply } from "./codec/reply.ts";
import type { Conversation, VerbTable } from "./conversation.ts";
import { DataConnectionError } from "./data_channel.ts";
import { SECURITY_FEATURES } from "./security_verbs.ts";

/** Failed logins before the session is closed. */
const MAX_LOGINS = 3;
const FEATURES = [
  "EPRT",
  "EPSV",
  "MDTM",
  "MFMT",
  `MLST ${FACTS.map((fact) => `${fact}${fact === "unix.mode" ? "" : "*"};`).join("")}`,
  "REST STREAM",
  "SIZE",
  "TVFS",
  "UTF8",
];

/** Verbs of the session. */
export const SESSION_VERBS: VerbTable = {
  USER: { open: true, argument: "name", run: user },
  PASS: { open: true, run: pass },
  ACCT: { open: true, run: () => toReply(202, "No account is needed") },
  QUIT: { open: true, run: quit },
  REIN: { open: true, run: reinitialize },
  NOOP: { open: true, run: () => toReply(200, "Still here") },
  SYST: { open: true, run: () => toReply(215, "UNIX Type: L8") },
  FEAT: { open: true, run: features },
  OPTS: { open: true, argument: "option [value]", run: options },
  CLNT: { open: true, argument: "name", run: () => toReply(200, "Noted") },
  HOST: { open: true, argument: "name", run: () => toReply(502, "There is only one host") },
  HELP: { open: true, run: () => toReply(214, "See RFC 959, RFC 2428 and RFC 3659") },
  ABOR: { run: () => toReply(226, "No transfer is running") },
  ALLO: { argument: "size", run: () => toReply(202, "No space needs to be reserved") },
  TYPE: { argument: "A | I | L 8", run: type },
  MODE: { argument: "S", run: (_, arg) => only("S", arg, "stream mode") },
  STRU: { argument: "F", run: (_, arg) => only("F", arg, "file structure") },
  SITE: { argument: "command", run: site },
  PASV: { run: passive },
  EPSV: { run: extendedPassive },
  PORT: { argument: "h1,h2,h3,h4,p1,p2", run: port },
  EPRT: { argument: "|family|address|port|", run: extendedPort },
};

function user(session: Conversation, name: string): Reply {
  session.user = name;
  session.credentials = undefined;
  return toReply(331, "Now the password");
}

function pass(session: Conversation, password: string): Reply {
  if (session.user === undefined) return toReply(503, "USER first");
  const credentials = { user: session.user, password };
  if (session.handler.admits(credentials)) {
    session.credentials = credentials;
    return toReply(230, "Logged in");
  }
  session.user = undefined;
  if (++session.failedLogins < MAX_LOGINS) return toReply(530, "User name or password is wrong");
  session.ended = true;
  return toReply(421, "User name or password is wrong, too often");
}

function quit(session: Conversation): Reply {
  session.ended = true;
  return toReply(221, "Goodbye");
}

async function reinitialize(session: Conversation): Promise<Reply> {
  // RFC 4217 section 13 would return the connection to the clear.
  if (session.tls === "active") return toReply(502, "Not within TLS: open a new connection");
  await session.data.close();
  session.user = undefined;
  session.credentials = undefined;
  session.cwd = "/";
  session.extendedOnly = false;
  return toReply(220, "Start again");
}

function features({ tls }: Conversation): Reply {
  const all = tls === "absent" ? FEATURES : [...FEATURES, ...SECURITY_FEATURES].sort();
  return toReply(211, "Features", ...all, "End");
}

function options(session: Conversation, argument: string): Reply {
  const [name = "", ...rest] = argument.trim().split(/\s+/);
  const value = rest.join(" ");
  switch (name.toUpperCase()) {
    case "UTF8":
    case "UTF-8":
      return /^(on)?$/i.test(value)
        ? toReply(200, "Names are always UTF-8")
        : toReply(501, "Names are always UTF-8: only OPTS UTF8 ON is possible");
    case "MLST":
      session.facts = parseFacts(value);
      return toReply(200, `MLST OPTS ${session.facts.map((fact) => `${fact};`).join("")}`.trim());
    default:
      return toReply(501, `Option "${name}" is not known: UTF8 and MLST are`);
  }
}

/** Bytes are kept as sent, whatever the type: a capture must equal what was sent. */
function type(_session: Conversation, argument: string): Reply {
  return /^(A( N)?|I|L ?8)$/i.test(argument.trim())
    ? toReply(200, "Bytes are stored as received")
    : toReply(504, "Only TYPE A, A N, I and L 8 are possible");
}

function only(word: string, argument: string, name: string): Reply {
  return argument.trim().toUpperCase() === word
    ? toReply(200, "Done")
    : toReply(504, `Only ${word} (${name}) is possible`);
}

function site(_session: Conversation, argument: string): Reply {
  return /^(chmod|utime) /i.test(argument)
    ? toReply(200, "Accepted, without effect")
    : toReply(502, "Only SITE CHMOD and SITE UTIME are accepted, without effect");
}

async function passive(session: Conversation): Promise<Reply> {
  if (session.extendedOnly) return toReply(501, "Only EPSV, after EPSV ALL");
  const hostname = session.limits.passiveHost ?? session.data.local;
  if (!isIpv4(hostname)) return toReply(425, "PASV is for IPv4 only: use EPSV");
  return await listening(
    session,
    (port) => toReply(227, `Entering Passive Mode (${formatPort({ hostname, port })})`),
  );
}

async function extendedPassive(session: Conversation, argument: string): Promise<Reply> {
  const word = argument.trim().toUpperCase();
  if (word === "ALL") {
    session.extendedOnly = true;
    return toReply(200, "Only EPSV from now on");
  }
  const family = familyOf(session);
  if (word !== "" && word !== family) {
    return /^\d+$/.test(word)
      ? toReply(522, `Network protocol not supported, use (${family})`)
      : toReply(501, "Expected EPSV, EPSV 1, EPSV 2 or EPSV ALL");
  }
  return await listening(
    session,
    (port) => toReply(229, `Entering Extended Passive Mode (|||${port}|)`),
  );
}

async function listening(
  session: Conversation,
  reply: (port: number) => Reply,
): Promise<Reply> {
  try {
    return reply(await session.data.listen());
  } catch (error) {
    if (error instanceof DataConnectionError) return toReply(425, error.message);
    session.handler.fault(error);
    return toReply(425, "No port can be opened");
  }
}

async function port(session: Conversation, argument: string): Promise<Reply> {
  if (session.extendedOnly) return toReply(501, "Only EPSV, after EPSV ALL");
  const address = parsePort(argument);
  if (address === undefined) return toReply(501, "Expected PORT h1,h2,h3,h4,p1,p2");
  const refused = await session.data.connectTo(address);
  return refused === undefined ? toReply(200, "Ready to connect") : toReply(501, refused);
}

async function extendedPort(session: Conversation, argument: string): Promise<Reply> {
  if (session.extendedOnly) return toReply(501, "Only EPSV, after EPSV ALL");
  const address = parseExtendedPort(argument);
  if (address === "family") return toReply(522, "Network protocol not supported, use (1,2)");
  if (address === undefined) return toReply(501, "Expected EPRT |family|address|port|");
  const refused = await session.data.connectTo(address);
  return refused === undefined ? toReply(200, "Ready to connect") : toReply(501, refused);
}

function familyOf(session: Conversation): "1" | "2" {
  return isIpv4(session.data.local) ? "1" : "2";
}
