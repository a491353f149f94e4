/** Signed messages for tests. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** The message of RFC 8463 appendix A.3, which two keys sign. */
export const RFC8463_MESSAGE = [
  "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;",
  " d=football.example.com; i=@football.example.com;",
  " q=dns/txt; s=brisbane; t=1528637909; h=from : to :",
  " subject : date : message-id : from : subject : date;",
  " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;",
  " b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus",
  " Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==",
  "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;",
  " d=football.example.com; i=@football.example.com;",
  " q=dns/txt; s=test; t=1528637909; h=from : to : subject :",
  " date : message-id : from : subject : date;",
  " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;",
  " b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3",
  " DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz",
  " dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=",
  "From: Joe SixPack <joe@football.example.com>",
  "To: Suzie Q <suzie@shopping.example.net>",
  "Subject: Is dinner ready?",
  "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)",
  "Message-ID: <20030712040037.46341.5F8J@football.example.com>",
  "",
  "Hi.",
  "",
  "We lost the game.  Are you hungry yet?",
  "",
  "Joe.",
  "",
].join("\r\n");

/** Its keys: appendix A.2. */
export const RFC8463_KEYS = {
  "brisbane._domainkey.football.example.com":
    "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  "test._domainkey.football.example.com": "v=DKIM1; k=rsa; " +
    "p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2" +
    "jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9" +
    "PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB",
};

/** A key pair with its TXT record. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly type: "rsa" | "ed25519";
  readonly record: string;
}

/** A new key. */
export function newKey(type: "rsa" | "ed25519" = "rsa", bits = 2048): SigningKey {
  if (type === "rsa") {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: bits });
    const data = publicKey.export({ format: "der", type: "spki" }).toString("base64");
    return { privateKey, type, record: `v=DKIM1; k=rsa; p=${data}` };
  }
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
  return { privateKey, type, record: `v=DKIM1; k=ed25519; p=${raw}` };
}

const FROM = "From: ada@example.org";

/** A message with one signature in the form simple/simple: its header section, and its body. */
export function signedMessage(
  key: SigningKey,
  { tags = {}, body = "Hello\r\n", signedBody = body }: {
    /** In addition to or instead of the usual ones. */
    readonly tags?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** What is hashed. */
    readonly signedBody?: string;
  } = {},
): string {
  const all = {
    v: "1",
    a: `${key.type}-sha256`,
    d: "example.org",
    s: "s1",
    h: "from",
    bh: createHash("sha256").update(signedBody).digest("base64"),
    ...tags,
  };
  const list = Object.entries(all).map(([name, value]) => `${name}=${value}`).join("; ");
  const field = `DKIM-Signature: ${list}; b=`;
  const data = new TextEncoder().encode(`${FROM}\r\n${field}`);
  const signature = key.type === "rsa"
    ? sign("sha256", data, key.privateKey)
    : sign(null, createHash("sha256").update(data).digest(), key.privateKey);
  return `${field}${signature.toString("base64")}\r\n${FROM}\r\n\r\n${body}`;
}
