"""Sends pushes with aioapns, which speaks TLS only, and prints what it saw as JSON.

Takes the port of the service and the file of its CA.
"""

import asyncio
import json
import ssl
import sys

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsProductionClientProtocol
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

port, ca = int(sys.argv[1]), sys.argv[2]

key = ec.generate_private_key(ec.SECP256R1()).private_bytes(
    serialization.Encoding.PEM,
    serialization.PrivateFormat.PKCS8,
    serialization.NoEncryption(),
)


# The vendor's address is built in.
APNsProductionClientProtocol.APNS_SERVER = "localhost"
APNsProductionClientProtocol.APNS_PORT = port


async def main():
    client = APNs(
        key=key.decode(),
        key_id="ABC123DEFG",
        team_id="TEAM123456",
        topic="com.example.app",
        ssl_context=ssl.create_default_context(cafile=ca),
        err_func=ignore,
    )
    requests = [
        NotificationRequest(
            device_token=f"py-{i}",
            message={"aps": {"alert": f"push {i}", "badge": i}},
            push_type=PushType.ALERT,
            time_to_live=3,
            collapse_key="c" * (65 if i == 49 else 8),
        )
        for i in range(50)
    ]
    results = await asyncio.gather(*map(client.send_notification, requests))
    client.pool.close()
    print(
        json.dumps(
            {
                "good": sum(result.is_successful for result in results),
                "bad": [
                    [result.status, result.description]
                    for result in results
                    if not result.is_successful
                ],
                "matched": all(
                    result.notification_id == request.notification_id
                    for request, result in zip(requests, results)
                ),
            }
        )
    )


async def ignore(_request, _result):
    """The results are looked at afterwards."""


asyncio.run(main())
