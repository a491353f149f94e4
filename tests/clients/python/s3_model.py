"""Prints, for each operation of botocore's model of S3, the header fields and parameters it has."""

import json

import botocore.session

model = botocore.session.get_session().get_service_model("s3")
operations = {}
for name in model.operation_names:
    shape = model.operation_model(name).input_shape
    found = {"header": [], "querystring": []}
    for member in (shape.members if shape else {}).values():
        place = member.serialization.get("location")
        if place in found:
            found[place].append(member.serialization["name"])
    operations[name] = found
print(json.dumps(operations))
