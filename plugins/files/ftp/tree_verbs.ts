/** Verbs that read or change the tree without a data connection. */
import { mkdir, remove, rename, touch } from "../record.ts";
import { VfsError } from "../vfs/errors.ts";
import type { Node } from "../vfs/node.ts";
import { pathOf } from "../vfs/node.ts";
import { resolvePath } from "../vfs/path.ts";
import type { ListedEntry } from "../codec/long_line.ts";
import { formatFacts, formatTime, parseTime } from "./codec/listing.ts";
import { quotePath, type Reply, toReply } from "./codec/reply.ts";
import type { Conversation, VerbTable } from "./conversation.ts";

/** Verbs without a data connection. */
export const TREE_VERBS: VerbTable = {
  PWD: { run: printDirectory },
  XPWD: { run: printDirectory },
  CWD: { argument: "directory", run: changeDirectory },
  XCWD: { argument: "directory", run: changeDirectory },
  CDUP: { run: (session) => changeDirectory(session, "..") },
  XCUP: { run: (session) => changeDirectory(session, "..") },
  MKD: { argument: "directory", run: makeDirectory },
  XMKD: { argument: "directory", run: makeDirectory },
  RMD: { argument: "directory", run: removeDirectory },
  XRMD: { argument: "directory", run: removeDirectory },
  DELE: { argument: "file", run: removeFile },
  RNFR: { argument: "path", run: renameFrom },
  RNTO: { argument: "path", run: renameTo },
  SIZE: { argument: "file", run: size },
  MDTM: { argument: "path", run: modified },
  MFMT: { argument: "time path", run: modify },
  MLST: { run: list },
};

/** Returns a node as in listings. */
export function toListed(node: Node): ListedEntry {
  return {
    id: node.id,
    name: node.name,
    dir: node.dir,
    size: node.dir ? 0 : node.size,
    mtimeMs: node.mtimeMs,
  };
}

function resolve(session: Conversation, path: string): string {
  return resolvePath(path, session.cwd);
}

function printDirectory(session: Conversation): Reply {
  return toReply(257, `${quotePath(session.cwd)} is the current directory`);
}

function changeDirectory(session: Conversation, argument: string): Reply {
  const path = resolve(session, argument);
  session.handler.vfs.tree.getDir(path);
  session.cwd = path;
  return toReply(250, `Now in ${quotePath(path)}`);
}

async function makeDirectory(session: Conversation, argument: string): Promise<Reply> {
  const path = resolve(session, argument);
  await mkdir(session.handler.vfs, session.actor, { path, command: `MKD ${path}` });
  return toReply(257, `${quotePath(path)} created`);
}

async function removeDirectory(session: Conversation, argument: string): Promise<Reply> {
  const path = resolve(session, argument);
  session.handler.vfs.tree.getDir(path);
  return await removeNode(session, path, "RMD");
}

async function removeFile(session: Conversation, argument: string): Promise<Reply> {
  const path = resolve(session, argument);
  if (session.handler.vfs.tree.get(path).dir) {
    throw new VfsError("is_a_directory", `Cannot delete "${path}": it is a directory, use RMD`);
  }
  return await removeNode(session, path, "DELE");
}

async function removeNode(session: Conversation, path: string, verb: string): Promise<Reply> {
  await remove(session.handler.vfs, session.actor, { path, command: `${verb} ${path}` });
  return toReply(250, `${quotePath(path)} deleted`);
}

function renameFrom(session: Conversation, argument: string): Reply {
  const path = resolve(session, argument);
  session.handler.vfs.tree.get(path);
  session.renameFrom = path;
  return toReply(350, "Now the new name");
}

async function renameTo(session: Conversation, argument: string): Promise<Reply> {
  const from = session.renameFrom;
  if (from === undefined) return toReply(503, "RNFR first");
  const to = resolve(session, argument);
  const command = `RNFR ${from}; RNTO ${to}`;
  await rename(session.handler.vfs, session.actor, { from, to, command, replace: true });
  return toReply(250, `Renamed to ${quotePath(to)}`);
}

function size(session: Conversation, argument: string): Reply {
  const file = session.handler.vfs.tree.getFile(resolve(session, argument));
  return toReply(213, String(file.size));
}

/** `MDTM time path` sets the time; it is older than MFMT. */
async function modified(session: Conversation, argument: string): Promise<Reply> {
  const { tree } = session.handler.vfs;
  const node = tree.find(resolve(session, argument));
  if (node === undefined && /^\d{14} ./.test(argument)) return await modify(session, argument);
  return toReply(213, formatTime((node ?? tree.get(resolve(session, argument))).mtimeMs));
}

async function modify(session: Conversation, argument: string): Promise<Reply> {
  const space = argument.indexOf(" ");
  const timeMs = parseTime(argument.slice(0, Math.max(0, space)));
  if (timeMs === undefined) return toReply(501, "Expected MFMT YYYYMMDDHHMMSS path");
  const path = resolve(session, argument.slice(space + 1));
  await touch(session.handler.vfs, path, timeMs);
  return toReply(213, `Modify=${formatTime(timeMs)}; ${path}`);
}

function list(session: Conversation, argument: string): Reply {
  const node = session.handler.vfs.tree.get(resolve(session, argument));
  const facts = formatFacts(toListed(node), session.facts);
  return toReply(250, "Listing", `${facts} ${pathOf(node)}`, "End");
}
