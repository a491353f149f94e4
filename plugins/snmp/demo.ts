/** Traps of a small network, sent by the `net-snmp` package as an agent would. */
import { Buffer } from "node:buffer";
// @ts-types="./net_snmp.d.ts"
import {
  createSession,
  ObjectType,
  type Session,
  TrapType,
  type Varbind,
  Version1,
  Version2c,
} from "net-snmp";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";

const INFORM_MS = 3000;
const INFORM_RETRIES = 2;

const IF = "1.3.6.1.2.1.2.2.1";
const IF_X = "1.3.6.1.2.1.31.1.1.1";
/** An enterprise number reserved for examples (RFC 5612). */
const EXAMPLE = "1.3.6.1.4.1.32473";

const PORT_2: readonly Varbind[] = [
  { oid: `${IF}.1.2`, type: ObjectType.Integer, value: 2 },
  { oid: `${IF}.2.2`, type: ObjectType.OctetString, value: "GigabitEthernet0/2" },
  { oid: `${IF_X}.18.2`, type: ObjectType.OctetString, value: "Uplink to Zürich" },
];

/** Traps of both versions and informs, with every common type of value. */
export const SAMPLES: readonly DemoSample[] = [
  {
    provider: "trap",
    what: "A v1 trap: a router has cold-started",
    send: (to) =>
      sending(
        to,
        Version1,
        (session, done) => session.trap(TrapType.ColdStart, [], { agentAddr: "192.0.2.1" }, done),
      ),
  },
  {
    provider: "trap",
    what: "A v2c trap: a link went down, with its counters and hardware address",
    send: (to) =>
      sending(to, Version2c, (session, done) =>
        session.trap(TrapType.LinkDown, [
          ...PORT_2,
          { oid: `${IF}.8.2`, type: ObjectType.Integer, value: 2 },
          { oid: `${IF}.10.2`, type: ObjectType.Counter, value: 4_294_967_295 },
          {
            oid: `${IF_X}.6.2`,
            type: ObjectType.Counter64,
            value: Buffer.from("000001b64f5a2c10", "hex"),
          },
          {
            oid: `${IF}.6.2`,
            type: ObjectType.OctetString,
            value: Buffer.from("00005e0053af", "hex"),
          },
        ], done)),
  },
  {
    provider: "trap",
    what: "A v2c inform and its response: the link is up again",
    send: (to) =>
      sending(to, Version2c, (session, done) =>
        session.inform(TrapType.LinkUp, [
          ...PORT_2,
          { oid: `${IF}.8.2`, type: ObjectType.Integer, value: 1 },
          { oid: `${IF}.9.2`, type: ObjectType.TimeTicks, value: 8_640_000 },
        ], done)),
  },
  {
    provider: "trap",
    what: "An enterprise-specific v2c inform: the battery of a UPS is low",
    send: (to) =>
      sending(to, Version2c, (session, done) =>
        session.inform(`${EXAMPLE}.1.0.7`, [
          { oid: `${EXAMPLE}.1.1.1.0`, type: ObjectType.OctetString, value: "ups-2.example.com" },
          { oid: `${EXAMPLE}.1.1.2.0`, type: ObjectType.IpAddress, value: "192.0.2.17" },
          { oid: `${EXAMPLE}.1.1.3.0`, type: ObjectType.Gauge, value: 11 },
          { oid: `${EXAMPLE}.1.1.4.0`, type: ObjectType.OID, value: `${EXAMPLE}.1.2.9` },
          // A float wrapped in an Opaque, as the net-snmp programs write it: 10.875 volts.
          {
            oid: `${EXAMPLE}.1.1.5.0`,
            type: ObjectType.Opaque,
            value: Buffer.from("9f7804412e0000", "hex"),
          },
        ], done)),
  },
  {
    provider: "trap",
    what: "An enterprise-specific v1 trap: a disk is nearly full",
    send: (to) =>
      sending(to, Version1, (session, done) =>
        session.trap(
          `${EXAMPLE}.2.17`,
          [
            { oid: "1.3.6.1.2.1.25.2.3.1.3.1", type: ObjectType.OctetString, value: "/var" },
            { oid: "1.3.6.1.2.1.25.2.3.1.5.1", type: ObjectType.Integer, value: 262_144 },
            { oid: "1.3.6.1.2.1.25.2.3.1.6.1", type: ObjectType.Integer, value: 258_007 },
          ],
          { agentAddr: "192.0.2.30" },
          done,
        )),
  },
  {
    provider: "trap",
    what: "A v2c trap: an SNMP request with a wrong community",
    send: (to) =>
      sending(to, Version2c, (session, done) =>
        session.trap(TrapType.AuthenticationFailure, [
          { oid: "1.3.6.1.6.3.18.1.3.0", type: ObjectType.IpAddress, value: "198.51.100.23" },
        ], done)),
  },
];

async function sending(
  { at }: DemoTarget,
  version: number,
  send: (session: Session, done: (error: Error | null) => void) => void,
): Promise<void> {
  const session = createSession(at.hostname, "public", {
    trapPort: at.port,
    version,
    retries: INFORM_RETRIES,
    timeout: INFORM_MS,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  session.on("error", reject);
  send(session, (error) => error ? reject(error) : resolve());
  try {
    await promise;
  } finally {
    session.close();
  }
}
