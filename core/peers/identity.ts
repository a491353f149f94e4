/** The certificate of the port for other instances. */
import type { Certificate } from "../tls/identity.ts";

/** The name that every such certificate is for: which one is the right one is known from NATS. */
export const PEER_NAME = "instance.standin.internal";

/** A clock that is wrong must not keep instances apart: the certificate ends with the process that made it. */
const SINCE = new Date("2000-01-01T00:00:00Z");
/** To 2048: from 2050 on, times are written in another form (RFC 5280 section 4.1.2.5). */
const DAYS = 17_800;

/** Makes a certificate, and the authority that others are told to trust for it alone. */
export async function createPeerIdentity(): Promise<Required<Certificate>> {
  // Loaded on first use: the libraries take much of the memory.
  const { createAuthority, issueCertificate } = await import("../tls/generate.ts");
  const about = { name: "Standin instance", now: SINCE, days: DAYS };
  const authority = await createAuthority(about);
  const { cert, key } = await issueCertificate(authority, { ...about, hosts: [PEER_NAME] });
  return { cert: cert + authority.cert, key, ca: authority.cert };
}
