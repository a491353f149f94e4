"""Prints, for each operation of botocore's model of S3, its request line, header fields and parameters."""

import json

import botocore.session

model = botocore.session.get_session().get_service_model("s3")
operations = {}
for name in model.operation_names:
    operation = model.operation_model(name)
    shape = operation.input_shape
    found = {"header": [], "querystring": [], "method": operation.http["method"], "uri": operation.http["requestUri"]}
    for member in (shape.members if shape else {}).values():
        place = member.serialization.get("location")
        if place in ("header", "querystring"):
            found[place].append(member.serialization["name"])
    operations[name] = found
print(json.dumps(operations))
