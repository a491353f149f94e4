/** Verbs that use a data connection, or prepare one. */
import { VfsError } from "../vfs/errors.ts";
import { inOrder, type Node, pathOf } from "../vfs/node.ts";
import { baseName, parentPath, resolvePath } from "../vfs/path.ts";
import { formatLong } from "../codec/long_line.ts";
import { formatFacts, hasWildcard, toWildcard } from "./codec/listing.ts";
import { type Reply, toReply } from "./codec/reply.ts";
import type { Conversation, VerbTable } from "./conversation.ts";
import { receiveFile, sendBytes } from "./transfer.ts";
import { toListed } from "./tree_verbs.ts";

/** Verbs with a data connection. */
export const TRANSFER_VERBS: VerbTable = {
  REST: { argument: "offset", run: restart },
  RETR: { argument: "file", run: retrieve },
  STOR: { argument: "file", run: (session, argument) => store(session, argument) },
  APPE: { argument: "file", run: append },
  STOU: { run: storeUnique },
  LIST: { run: listLong },
  NLST: { run: listNames },
  MLSD: { run: listFacts },
  STAT: { open: true, run: status },
};

/** Up to this size a file is sent in one write: a stream would cost more than its bytes. */
const SMALL_BYTES = 65_536;
/** Bytes of a listing per write. */
const LISTING_CHUNK = 65_536;
const encoder = new TextEncoder();

function resolve(session: Conversation, path: string): string {
  return resolvePath(path, session.cwd);
}

function restart(session: Conversation, argument: string): Reply {
  const offset = /^\d{1,15}$/.test(argument.trim()) ? Number(argument) : undefined;
  if (offset === undefined) return toReply(501, "Expected REST with a number of bytes");
  session.restart = offset;
  return toReply(350, `The next transfer starts at ${offset}`);
}

async function retrieve(session: Conversation, argument: string): Promise<Reply | undefined> {
  const path = resolve(session, argument);
  const file = session.handler.vfs.tree.getFile(path);
  const start = session.restart;
  if (start > file.size) {
    return toReply(554, `Cannot start at ${start}: the file has ${file.size} bytes`);
  }
  const about = { command: `RETR ${path}`, opening: `Sending ${file.size - start} bytes` };
  const { vfs } = session.handler;
  if (file.size - start > SMALL_BYTES) {
    // Each chunk has been sent when the next is requested.
    using loan = vfs.lend(file, start);
    return await sendBytes(session, about, loan ?? await vfs.read(file, start));
  }
  using reader = await vfs.reader(file);
  return await sendBytes(session, about, [reader.read(start, SMALL_BYTES)]);
}

async function store(session: Conversation, argument: string): Promise<Reply | undefined> {
  const path = resolve(session, argument);
  const offset = session.restart;
  const { vfs } = session.handler;
  using draft = offset === 0 ? vfs.draft(path) : await vfs.draftFrom(path);
  const command = `STOR ${path}`;
  return await receiveFile(session, { path, command, draft, offset, opening: "Send the file" });
}

async function append(session: Conversation, argument: string): Promise<Reply | undefined> {
  const path = resolve(session, argument);
  using draft = await session.handler.vfs.draftFrom(path);
  return await receiveFile(session, {
    path,
    command: `APPE ${path}`,
    draft,
    offset: draft.size,
    opening: "Send the data to append",
  });
}

async function storeUnique(session: Conversation, argument: string): Promise<Reply | undefined> {
  const { vfs } = session.handler;
  const wanted = resolve(session, argument.trim() === "" ? "file" : argument);
  let path = wanted;
  for (let i = 1; vfs.tree.find(path) !== undefined; i++) path = `${wanted}.${i}`;
  path = resolvePath(path);
  using draft = vfs.draft(path);
  return await receiveFile(session, {
    path,
    command: `STOU ${path}`,
    draft,
    offset: 0,
    // RFC 1123 section 4.1.2.9 prescribes this text.
    opening: `FILE: ${baseName(path)}`,
  });
}

/** Returns the entries that LIST and NLST show, each with its displayed name. */
interface Named {
  readonly node: Node;
  readonly shown: string;
}

/** Resolves the argument of LIST or NLST: the entries of a directory, those that match a pattern, or one file. */
function select(session: Conversation, argument: string): readonly Named[] {
  const path = argument.replace(/^(-\S*\s*)+/, "");
  const { tree } = session.handler.vfs;
  const node = tree.find(resolve(session, path));
  if (node === undefined && hasWildcard(path)) return expand(session, path);
  const found = node ?? tree.get(resolve(session, path));
  if (!found.dir) return [{ node: found, shown: path }];
  const prefix = path === "" || path === "." ? "" : path.endsWith("/") ? path : `${path}/`;
  return inOrder(found).map((entry) => ({ node: entry, shown: `${prefix}${entry.name}` }));
}

/** Only the last name may be a pattern: `mget` of classic clients needs no more. */
function expand(session: Conversation, pattern: string): readonly Named[] {
  const path = resolve(session, pattern);
  const fits = toWildcard(baseName(path));
  const prefix = pattern.slice(0, pattern.lastIndexOf("/") + 1);
  const dir = session.handler.vfs.tree.getDir(parentPath(path));
  const found = inOrder(dir).filter(({ name }) => fits(name));
  if (found.length === 0) throw new VfsError("not_found", `Cannot find a match for "${path}"`);
  return found.map((node) => ({ node, shown: `${prefix}${node.name}` }));
}

async function listLong(session: Conversation, argument: string): Promise<Reply | undefined> {
  const nowMs = session.handler.now().getTime();
  const lines = select(session, argument).map(({ node }) => formatLong(toListed(node), nowMs));
  return await sendLines(session, `LIST ${argument}`, lines);
}

async function listNames(session: Conversation, argument: string): Promise<Reply | undefined> {
  const lines = select(session, argument).map(({ shown }) => shown);
  return await sendLines(session, `NLST ${argument}`, lines);
}

async function listFacts(session: Conversation, argument: string): Promise<Reply | undefined> {
  const node = session.handler.vfs.tree.get(resolve(session, argument));
  if (!node.dir) return toReply(501, `Cannot list "${pathOf(node)}": it is a file, use MLST`);
  const lines = inOrder(node).map((entry) =>
    `${formatFacts(toListed(entry), session.facts)} ${entry.name}`
  );
  return await sendLines(session, `MLSD ${argument}`, lines);
}

async function sendLines(
  session: Conversation,
  command: string,
  lines: readonly string[],
): Promise<Reply | undefined> {
  const about = { command, opening: `Sending a listing of ${lines.length} entries` };
  return await sendBytes(session, about, chunks(lines));
}

async function* chunks(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(lines.map((line) => `${line}\r\n`).join(""));
  for (let at = 0; at < bytes.length; at += LISTING_CHUNK) {
    yield await Promise.resolve(bytes.subarray(at, at + LISTING_CHUNK));
  }
}

/** With a path, the listing is sent over the control connection. */
function status(session: Conversation, argument: string): Reply {
  if (argument === "") {
    const who = session.credentials === undefined ? "Not logged in" : "Logged in";
    return toReply(211, `${who}, everything is kept and nothing delivered`);
  }
  if (session.credentials === undefined) return toReply(530, "USER and PASS first");
  const nowMs = session.handler.now().getTime();
  const lines = select(session, argument).map(({ node }) => formatLong(toListed(node), nowMs));
  return toReply(213, "Status", ...lines, "End");
}
