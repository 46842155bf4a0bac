"""Makes a bill of materials (CycloneDX) of what pip says that it would install for one wheel."""

import json
import os
import sys
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

parts, needs = {}, {}
for item in json.load(sys.stdin)["install"]:
    about = item["metadata"]
    name = canonicalize_name(about["name"])
    kind = ComponentType.APPLICATION if item["requested"] else ComponentType.LIBRARY
    url = PackageURL("pypi", name=name, version=about["version"])
    parts[name] = Component(name=name, version=about["version"], type=kind, purl=url, bom_ref=str(url))
    wanted = [Requirement(text) for text in about.get("requires_dist", ())]
    without_extras = [one for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]
    needs[name] = [canonicalize_name(one.name) for one in without_extras]
program = next(part for part in parts.values() if part.type is ComponentType.APPLICATION)
bom = Bom(components=set(parts.values()) - {program}, serial_number=uuid5(NAMESPACE_URL, str(program.purl)))
bom.metadata.component = program
bom.metadata.timestamp = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
for name, part in parts.items():
    bom.register_dependency(part, [parts[need] for need in needs[name]])
print(JsonV1Dot6(bom).output_as_string(indent=2))
