"""A trap of each version and an inform with pysnmp; prints what the inform was answered with."""
import asyncio
import json
import sys

from pysnmp.hlapi.v1arch.asyncio import (
    CommunityData,
    NotificationType,
    ObjectIdentity,
    SnmpDispatcher,
    UdpTransportTarget,
    send_notification,
)
from pysnmp.proto.rfc1902 import (
    Counter32,
    Counter64,
    Gauge32,
    Integer32,
    IpAddress,
    ObjectIdentifier,
    ObjectName,
    OctetString,
    Opaque,
    TimeTicks,
    Unsigned32,
)

PORT = int(sys.argv[1])
VALUES = [
    Integer32(-1),
    OctetString("Gr\u00fc\u00dfe".encode()),
    OctetString(hexValue="00ff"),
    ObjectIdentifier("1.3.6.1.4.1.20408.4294967295"),
    IpAddress("192.0.2.3"),
    Counter32(4294967295),
    Gauge32(4294967295),
    Unsigned32(9),
    TimeTicks(4294967295),
    Opaque(hexValue="9f780440490fdb"),
    Counter64(18446744073709551615),
]


async def notify(kind, version):
    dispatcher = SnmpDispatcher()
    target = await UdpTransportTarget.create(("127.0.0.1", PORT), timeout=5, retries=0)
    notification = NotificationType(ObjectIdentity("1.3.6.1.6.3.1.1.5.2"))
    name = ObjectName("1.3.6.1.4.1.20408.1")
    values = VALUES[:1] if version == 0 else VALUES
    notification.add_varbinds(*[(name, value) for value in values])
    community = CommunityData("py", mpModel=version)
    answer = await send_notification(dispatcher, community, target, kind, notification)
    dispatcher.transport_dispatcher.close_dispatcher()
    return answer


async def main():
    await notify("trap", 0)
    await notify("trap", 1)
    error, status, _, bindings = await notify("inform", 1)
    print(json.dumps([str(error), int(status), len(bindings)]))


asyncio.run(main())
