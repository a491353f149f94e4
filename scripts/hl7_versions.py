"""Writes plugins/hl7/checks/versions.json from the tables of hl7apy (MIT): what each version of HL7 v2 requires.

    pip install hl7apy==1.3.5 && python scripts/hl7_versions.py
"""

import importlib
import importlib.metadata
import json
import pathlib

VERSIONS = ["2.3", "2.3.1", "2.4", "2.5", "2.5.1"]
OUT = pathlib.Path(__file__).parent.parent / "plugins/hl7/checks/versions.json"


def required_segments(children):
    """Segments that must be there, those of required groups included; of a choice, none."""
    for name, reference, (least, _), kind in children:
        if least < 1 or name == "MSH":
            continue
        if kind == "SEG":
            yield name
        elif reference[0] == "sequence":
            yield from required_segments(reference[1])


def required_fields(fields):
    return [int(name.split("_")[1]) for name, _, (least, _), _ in fields if least > 0]


def version(number):
    module = f"hl7apy.v{number.replace('.', '_')}"
    messages = importlib.import_module(f"{module}.messages").MESSAGES
    segments = importlib.import_module(f"{module}.segments").SEGMENTS
    structures = {
        name: " ".join(dict.fromkeys(required_segments(reference[1])))
        for name, reference in sorted(messages.items())
    }
    fields = {
        name: required_fields(reference[1])
        for name, reference in sorted(segments.items())
        # The first two fields of a header are its separators.
        if name not in ("MSH", "BHS", "FHS")
    }
    return {
        "structures": structures,
        "fields": {name: positions for name, positions in fields.items() if positions},
    }


package = importlib.metadata.distribution("hl7apy")
licence = next(file for file in package.files if file.name == "LICENSE")
data = {
    "source": f"https://github.com/crs4/hl7apy, version {package.version}",
    "licence": licence.read_text(),
    "versions": {number: version(number) for number in VERSIONS},
}
lines = json.dumps(data, indent=1, ensure_ascii=False)
OUT.write_text(f"{lines}\n")
