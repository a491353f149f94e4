import {
  boolean,
  defineOptions,
  integer,
  optionalText,
  type OptionExtra,
  port,
  seconds,
} from "../../../core/options/spec.ts";
import type { OptionSpec } from "../../../core/options/spec.ts";
import { isIpv4 } from "./codec/address.ts";
import type { PortRange } from "./data_channel.ts";

const FILE = { only: "file" } as const;

/** Settings of the FTP listener. */
export const OPTIONS = defineOptions({
  port: port("TCP port of the FTP listener", 2121),
  passive_host: checked(
    "IPv4 address in replies to PASV; by default the one that the client connected to",
    (text) => {
      if (!isIpv4(text)) throw new TypeError("expected an IPv4 address such as 192.0.2.1");
    },
    { example: "127.0.0.1" },
  ),
  passive_ports: checked(
    "Ports for data connections, such as 50000-50100; by default any free port",
    (text) => void parseRange(text),
    { example: "50000-50100" },
  ),
  username: optionalText("User name that clients must use; by default any is accepted"),
  password: optionalText("Password that clients must use; by default any is accepted", {
    secret: true,
  }),
  tls: boolean("Offer TLS (AUTH TLS) with the service's certificate", false),
  idle_timeout: seconds("Maximum wait for a command, in seconds", 900, FILE),
  connection_timeout: seconds("Maximum wait for a data connection, in seconds", 30, FILE),
  max_connections: integer("Maximum number of simultaneous connections", 256, { min: 1, ...FILE }),
});

/** Parses `50000-50100`, or a single port. Throws `RangeError`. */
export function parseRange(text: string): PortRange {
  const match = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(text);
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (match === null || first < 1 || last > 65_535 || last < first) {
    throw new RangeError("expected a range of ports such as 50000-50100");
  }
  return { first, last };
}

function checked(
  about: string,
  check: (text: string) => void,
  extra: OptionExtra,
): OptionSpec<string | undefined> {
  const base = optionalText(about, extra);
  const verify = (text: string | undefined): string | undefined => {
    if (text !== undefined) check(text);
    return text;
  };
  return {
    ...base,
    parse: (text) => verify(base.parse(text)),
    check: (value) => verify(base.check(value)),
  };
}
