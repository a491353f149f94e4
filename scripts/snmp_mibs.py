"""Writes plugins/snmp/checks/mibs.json from the compiled MIB modules of pysnmp and pysnmp-mibs (BSD).

    pip install pysnmp==7.1.30 pysnmp-mibs==0.1.6 && python scripts/snmp_mibs.py
"""

import importlib.metadata
import json
import os
import pathlib

import pysnmp_mibs
from pyasn1.type import constraint, univ
from pysnmp.proto import rfc1902
from pysnmp.smi import builder

OUT = pathlib.Path(__file__).parent.parent / "plugins/snmp/checks/mibs.json"

# Modules by the document that publishes them.
MODULES = {
    "SNMPv2-MIB": "rfc3418",
    "IF-MIB": "rfc2863",
    "IP-MIB": "rfc4293",
    "TCP-MIB": "rfc4022",
    "UDP-MIB": "rfc4113",
    "SNMP-COMMUNITY-MIB": "rfc3584",
    "ALARM-MIB": "rfc3877",
    "BGP4-MIB": "rfc4273",
    "BRIDGE-MIB": "rfc4188",
    "DISMAN-EVENT-MIB": "rfc2981",
    "DISMAN-PING-MIB": "rfc4560",
    "DISMAN-SCHEDULE-MIB": "rfc3231",
    "DISMAN-SCRIPT-MIB": "rfc3165",
    "DISMAN-TRACEROUTE-MIB": "rfc4560",
    "DOT3-OAM-MIB": "rfc4878",
    "ENTITY-MIB": "rfc4133",
    "ENTITY-SENSOR-MIB": "rfc3433",
    "ENTITY-STATE-MIB": "rfc4268",
    "HC-ALARM-MIB": "rfc3434",
    "HOST-RESOURCES-MIB": "rfc2790",
    "MAU-MIB": "rfc4836",
    "MPLS-L3VPN-STD-MIB": "rfc4382",
    "MPLS-LDP-STD-MIB": "rfc3815",
    "MPLS-LSR-STD-MIB": "rfc3813",
    "MPLS-TE-STD-MIB": "rfc3812",
    "OSPF-MIB": "rfc4750",
    "OSPF-TRAP-MIB": "rfc4750",
    "PIM-STD-MIB": "rfc5060",
    "Printer-MIB": "rfc3805",
    "RMON-MIB": "rfc2819",
    "UPS-MIB": "rfc1628",
    "VRRP-MIB": "rfc2787",
    "NET-SNMP-AGENT-MIB": "https://www.net-snmp.org/docs/mibs/NET-SNMP-AGENT-MIB.txt",
    "UCD-SNMP-MIB": "https://www.net-snmp.org/docs/mibs/UCD-SNMP-MIB.txt",
}

# Types as on the wire; Unsigned32 is Gauge32 there, and BITS is OctetString (RFC 2578 section 7.1).
TYPES = [
    (rfc1902.Counter64, "Counter64"),
    (rfc1902.Counter32, "Counter32"),
    (rfc1902.TimeTicks, "TimeTicks"),
    (rfc1902.Gauge32, "Gauge32"),
    (rfc1902.Unsigned32, "Gauge32"),
    (rfc1902.IpAddress, "IPAddress"),
    (rfc1902.Opaque, "Opaque"),
    (univ.ObjectIdentifier, "ObjectIdentifier"),
    (univ.OctetString, "OctetString"),
    (univ.Integer, "Integer"),
]
WHOLE = {"Integer": (-(2**31), 2**31 - 1), "Gauge32": (0, 2**32 - 1)}


def ranges(spec, whole):
    """Intervals that a constraint of numbers allows."""
    if isinstance(spec, constraint.SingleValueConstraint):
        return [(int(value), int(value)) for value in spec]
    if isinstance(spec, constraint.ValueRangeConstraint):
        return [(int(spec.start), int(spec.stop))]
    if isinstance(spec, constraint.ConstraintsUnion):
        return [one for part in spec for one in ranges(part, whole)] or [whole]
    allowed = [whole]
    for part in spec if isinstance(spec, constraint.ConstraintsIntersection) else []:
        allowed = [
            (max(a, c), min(b, d))
            for a, b in allowed
            for c, d in ranges(part, whole)
            if max(a, c) <= min(b, d)
        ]
    return allowed


def lengths(spec):
    """Numbers of octets that a constraint allows; None for any."""
    if isinstance(spec, constraint.ValueSizeConstraint):
        return {(int(spec.start), int(spec.stop))}
    if isinstance(spec, constraint.ConstraintsUnion):
        parts = [lengths(part) for part in spec]
        return None if not parts or None in parts else set().union(*parts)
    if not isinstance(spec, constraint.ConstraintsIntersection):
        return None
    allowed = None
    for part in map(lengths, spec):
        if part is not None:
            allowed = part if allowed is None else {
                (max(a, c), min(b, d))
                for a, b in allowed
                for c, d in part
                if max(a, c) <= min(b, d)
            }
    return allowed


def in_words(intervals):
    return ",".join(str(low) if low == high else f"{low}..{high}" for low, high in intervals)


# What every OCTET STRING of SNMP may have (RFC 2578 section 7.1.2).
ANY_LENGTH = (0, 65535)


def values_of(name, syntax, kind):
    if kind == "OctetString":
        sizes = sorted(lengths(syntax.subtypeSpec) or {ANY_LENGTH})
        return "" if ANY_LENGTH in sizes else f" #{in_words(sizes)}"
    # IANA adds values to its lists at any time: also to those of printers (RFC 3805 section 5).
    is_open = name == "Printer-MIB" or IANA.intersection(type(syntax).__mro__)
    if kind not in WHOLE or is_open:
        return ""
    merged = []
    for low, high in sorted(set(ranges(syntax.subtypeSpec, WHOLE[kind]))):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    if merged == [WHOLE[kind]]:
        return ""
    return f" {in_words(merged)}"


def parent_of(oid):
    return ".".join(map(str, oid[:-1]))


# Corrections, by the documents: the package has a vendor's IF-MIB, and an older ENTITY-MIB.
NOTIFICATIONS = {
    # RFC 2863 section 6
    "linkDown": ["ifIndex", "ifAdminStatus", "ifOperStatus"],
    "linkUp": ["ifIndex", "ifAdminStatus", "ifOperStatus"],
}
# RFC 2863 section 6
OBJECTS = {"ifAlias": "ifAlias OctetString #0..64"}
# RFC 1215 section 2.1 and RFC 6933 section 3.2
MORE_NOTIFICATIONS = {("SNMPv2-MIB", (1, 3, 6, 1, 6, 3, 1, 1, 5, 6)): "egpNeighborLoss"}
MORE_COLUMNS = {"1.3.6.1.2.1.47.1.1.1.1": {"19": "entPhysicalUUID OctetString"}}

mibs = builder.MibBuilder()
mibs.add_mib_sources(builder.DirMibSource(os.path.dirname(pysnmp_mibs.__file__)))
mibs.load_modules(*MODULES)
IANA = {
    symbol
    for name, symbols in mibs.mibSymbols.items()
    if name.startswith("IANA")
    for symbol in symbols.values()
    if isinstance(symbol, type)
}

notifications, tables, groups = {}, {}, {}
for (name, oid), label in MORE_NOTIFICATIONS.items():
    notifications.setdefault(parent_of(oid), {})[str(oid[-1])] = f"{name} {label}"
for name in MODULES:
    for label, symbol in mibs.mibSymbols[name].items():
        kind = type(symbol).__name__
        if kind == "NotificationType":
            members = NOTIFICATIONS.get(label, [member for _, member in symbol.getObjects()])
            text = " ".join([name, label, *members])
            notifications.setdefault(parent_of(symbol.name), {})[str(symbol.name[-1])] = text
        elif kind in ("MibScalar", "MibTableColumn"):
            syntax = symbol.getSyntax()
            on_wire = next(type_ for base, type_ in TYPES if isinstance(syntax, base))
            into = tables if kind == "MibTableColumn" else groups
            members = into.setdefault(parent_of(symbol.name), {"module": name, "objects": {}})
            text = f"{label} {on_wire}{values_of(name, syntax, on_wire)}"
            members["objects"][str(symbol.name[-1])] = OBJECTS.get(label, text)
for entry, columns in MORE_COLUMNS.items():
    tables[entry]["objects"].update(columns)


def in_order(objects):
    return dict(sorted(objects.items(), key=lambda item: [int(arc) for arc in item[0].split(".")]))


packages = {name: importlib.metadata.distribution(name) for name in ("pysnmp", "pysnmp-mibs")}
licence = next(file for file in packages["pysnmp"].files if file.name.startswith("LICENSE"))
data = {
    "source": "https://pypi.org/project/pysnmp-mibs, version "
    + f"{packages['pysnmp-mibs'].version}, and https://github.com/lextudio/pysnmp, version "
    + packages["pysnmp"].version,
    "licence": licence.read_text(),
    "documents": MODULES,
    "notifications": in_order({parent: in_order(texts) for parent, texts in notifications.items()}),
    "tables": in_order(
        {entry: {**table, "objects": in_order(table["objects"])} for entry, table in tables.items()}
    ),
    "groups": in_order(
        {parent: {**group, "objects": in_order(group["objects"])} for parent, group in groups.items()}
    ),
}
OUT.write_text(f"{json.dumps(data, indent=1, ensure_ascii=False)}\n")
