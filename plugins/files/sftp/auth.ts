import { createHash } from "node:crypto";
// @ts-types="./ssh2.d.ts"
import type { AuthContext } from "ssh2";
import { WireError } from "../../../core/bytes/decoder.ts";
import { ByteReader } from "../../../core/bytes/reader.ts";
import { ConfigError } from "../../../core/errors.ts";
import { matchesSecret } from "../../../core/http/auth.ts";
import { readIfThere } from "../../../core/tls/private_file.ts";

/** Admission of clients. Without any requirement, every login succeeds. */
export interface Gate {
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Fingerprints; `undefined` to accept any key. */
  readonly keys: ReadonlySet<string> | undefined;
  /** Whether the method `none` succeeds. */
  readonly offerNone: boolean;
}

/** Credentials of a client, for events and the journal of refusals. */
export interface Shown {
  readonly method: string;
  readonly user: string;
  readonly password?: string;
  readonly fingerprint?: string;
  readonly accepted: boolean;
}

/** Longest name of a key type: RFC 4250 section 4.6.1. */
const MAX_TYPE_BYTES = 64;
/** Keys that a client may sign with, by their largest size: RFC 4253 section 6.6, RFC 5656, RFC 8709. */
const KEY_BYTES: ReadonlyMap<string, number> = new Map([
  ["ssh-ed25519", 64],
  ["ecdsa-sha2-nistp256", 160],
  ["ecdsa-sha2-nistp384", 192],
  ["ecdsa-sha2-nistp521", 224],
  // 16 384 bits.
  ["ssh-rsa", 2200],
]);

/** Reads an `authorized_keys` file. Rejects with `ConfigError` that names the first line without a valid key. */
export async function readAuthorizedKeys(path: string): Promise<ReadonlySet<string>> {
  const text = await readIfThere(path).catch(() => undefined);
  if (text === undefined) {
    throw new ConfigError(
      `Cannot read the authorized keys "${path}": the file does not exist or cannot be read`,
    );
  }
  const { utils } = await import("./key_tools.ts");
  const keys = new Set<string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    // Options may precede the type of the key.
    const key = /(?:^|\s)((?:ssh|ecdsa|sk)-[\w@.-]+\s+[A-Za-z0-9+/=]+)/.exec(line)?.[1];
    if (line.trim() === "" || line.startsWith("#")) continue;
    const parsed = key === undefined ? new Error("it is not a public key") : utils.parseKey(key);
    if (parsed instanceof Error || !("getPublicSSH" in parsed)) {
      throw new ConfigError(`Cannot use line ${i + 1} of "${path}": expected a public key`);
    }
    keys.add(fingerprint(parsed.getPublicSSH()));
  }
  return keys;
}

/** Returns `SHA256:` and base64 without padding, as `ssh-keygen -l` prints it. */
export function fingerprint(publicKey: Uint8Array): string {
  const digest = createHash("sha256").update(publicKey).digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}

/** Answers one attempt. Returns `undefined` for a query whether a key is acceptable, and for an aborted attempt. */
export async function judge(gate: Gate, context: AuthContext): Promise<Shown | undefined> {
  const { method, username: user } = context;
  const passwords = gate.keys === undefined || gate.password !== undefined;
  const methods = [
    ...(passwords ? ["password", "keyboard-interactive"] : []),
    ...(gate.password === undefined || gate.keys !== undefined ? ["publickey"] : []),
  ];
  const userFits = gate.username === undefined || matchesSecret(user, gate.username);
  const settle = (accepted: boolean, more: Partial<Shown> = {}): Shown => {
    if (accepted) context.accept();
    else context.reject(methods);
    return { method, user, ...more, accepted };
  };
  switch (context.method) {
    case "none": {
      const open = gate.keys === undefined && gate.password === undefined &&
        gate.username === undefined;
      return settle(gate.offerNone && open);
    }
    case "password":
    case "keyboard-interactive": {
      if (!passwords) return settle(false);
      const password = context.method === "password" ? context.password : await prompt(context);
      // Aborted by another attempt.
      if (password === undefined) return undefined;
      const fits = gate.password === undefined || matchesSecret(password, gate.password);
      return settle(userFits && fits, { password });
    }
    case "publickey":
      return await judgeKey(gate, context, { userFits, settle });
    default:
      return settle(false);
  }
}

function prompt(
  context: Extract<AuthContext, { readonly method: "keyboard-interactive" }>,
): Promise<string | undefined> {
  return new Promise((resolve) =>
    context.prompt(
      [{ prompt: "Password: ", echo: false }],
      (answers) => resolve(answers instanceof Error ? undefined : answers[0] ?? ""),
    )
  );
}

async function judgeKey(
  gate: Gate,
  context: Extract<AuthContext, { readonly method: "publickey" }>,
  { userFits, settle }: {
    userFits: boolean;
    settle: (accepted: boolean, more?: Partial<Shown>) => Shown;
  },
): Promise<Shown | undefined> {
  const shown = { fingerprint: fingerprint(context.key.data) };
  const known = gate.keys === undefined
    ? gate.password === undefined
    : gate.keys.has(shown.fingerprint);
  if (!known || !userFits) return settle(false, shown);
  if (context.signature === undefined || context.blob === undefined) {
    context.accept();
    return undefined;
  }
  if (!mayVerify(context.key.data)) return settle(false, shown);
  const { utils } = await import("./key_tools.ts");
  const key = utils.parseKey(context.key.data);
  const signed = !(key instanceof Error) && "verify" in key &&
    key.verify(context.blob, context.signature, context.hashAlgo) === true;
  return settle(signed, shown);
}

/** A DSA key with numbers as long as a packet takes seconds to verify, which would block everything else. */
function mayVerify(publicKey: Uint8Array): boolean {
  const reader = new ByteReader(publicKey);
  try {
    const type = new TextDecoder().decode(reader.block(MAX_TYPE_BYTES));
    return publicKey.length <= (KEY_BYTES.get(type) ?? 0);
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}
