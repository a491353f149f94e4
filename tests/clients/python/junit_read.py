"""Reads a JUnit report as the actions that publish test results do, and prints what they would show."""

import json
import sys

from junitparser import Failure, JUnitXml

report = JUnitXml.fromfile(sys.argv[1])
suites = [
    {
        "name": suite.name,
        "tests": suite.tests,
        "failures": suite.failures,
        "cases": [
            {
                "name": case.name,
                "classname": case.classname,
                "time": case.time,
                "failed": any(isinstance(one, Failure) for one in case.result),
                "message": next((one.message for one in case.result), None),
                "text": next((one.text for one in case.result), None),
            }
            for case in suite
        ],
    }
    for suite in report
]
before = (report.tests, report.failures, report.errors, report.skipped)
report.update_statistics()
after = (report.tests, report.failures, report.errors, report.skipped)
print(json.dumps({"told": before, "counted": after, "suites": suites}))
