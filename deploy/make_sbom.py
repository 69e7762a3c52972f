#!/usr/bin/env python3
"""The software bill of materials as SPDX 2.3 JSON on standard output.

It names Outrider, the packages of the named sections of docker/packages.txt, and all that those
need, in the versions that dpkg knows on this machine. What is not installed is an error: a list
that leaves something out is worse than none. SOURCE_DATE_EPOCH fixes the date.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = ["Package", "Version", "Architecture", "source:Package", "source:Version", "Homepage"]


def wanted_packages(sections):
    script = ROOT / "docker" / "list_packages.sh"
    listed = subprocess.run([script, *sections], check=True, capture_output=True, text=True)
    return listed.stdout.split()


def installed_packages():
    """All installed packages by name, and by what they provide."""
    form = "\t".join("${%s}" % field for field in [*FIELDS, "Depends", "Pre-Depends", "Provides"])
    form = "${db:Status-Status}\t" + form + "\n"
    shown = subprocess.run(["dpkg-query", "-W", "-f", form], check=True, capture_output=True,
                           text=True)
    packages, provided = {}, {}
    for line in shown.stdout.splitlines():
        status, *values, depends, pre_depends, provides = line.split("\t")
        if status != "installed":
            continue
        package = dict(zip(FIELDS, values))
        package["needs"] = alternatives_of(depends) + alternatives_of(pre_depends)
        packages[package["Package"]] = package
        for choice in alternatives_of(provides):
            provided.setdefault(choice[0], package["Package"])
    return packages, provided


def alternatives_of(field):
    """'a (>= 1) | b, c:any' as [['a', 'b'], ['c']]."""
    groups = [group for group in field.split(",") if group.strip()]
    return [[re.split(r"[\s(:\[]", choice.strip())[0] for choice in group.split("|")]
            for group in groups]


def closure(names, packages, provided):
    """The named packages and all they need; each with the packages that it needs itself."""
    missing = [name for name in names if name not in packages and name not in provided]
    if missing:
        sys.exit("make_sbom.py: not installed: " + ", ".join(missing) +
                 "; install them with ./dev.sh packages SECTION, or run this in the image's build")
    todo = [name if name in packages else provided[name] for name in names]
    found = {}
    while todo:
        name = todo.pop()
        if name in found:
            continue
        needs = []
        for choices in packages[name]["needs"]:
            known = [c if c in packages else provided.get(c) for c in choices]
            needs += [choice for choice in known if choice][:1]
        found[name] = sorted(set(needs))
        todo += found[name]
    return found


def distribution():
    """'debian' or 'ubuntu', as /etc/os-release says."""
    release = pathlib.Path("/etc/os-release")
    text = release.read_text() if release.exists() else ""
    named = re.search(r'^ID="?([a-z0-9.-]+)', text, re.MULTILINE)
    return named.group(1) if named else "debian"


def identifier(name):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def entry(package, system):
    version, arch = package["Version"], package["Architecture"]
    return {
        "SPDXID": identifier(package["Package"]),
        "name": package["Package"],
        "versionInfo": version,
        "supplier": "Organization: " + system.capitalize(),
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "homepage": package["Homepage"] or "NOASSERTION",
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
        "sourceInfo": "source package %s %s; licence in /usr/share/doc/%s/copyright"
                      % (package["source:Package"], package["source:Version"],
                         package["Package"]),
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": "pkg:deb/%s/%s@%s?arch=%s"
                                % (system, package["Package"], version.replace("+", "%2B"), arch),
        }],
    }


def outrider():
    text = (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r"project\(outrider\s+VERSION\s+([0-9.]+)", text, re.IGNORECASE)
    return {
        "SPDXID": "SPDXRef-Package-outrider",
        "name": "outrider",
        "versionInfo": version.group(1) if version else "NOASSERTION",
        "supplier": "NOASSERTION",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "MIT",
        "licenseDeclared": "MIT",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION",
    }


def created():
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = (datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch
           else datetime.datetime.now(datetime.timezone.utc))
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def document(sections):
    packages, provided = installed_packages()
    direct = wanted_packages(sections)
    found = closure(direct, packages, provided)
    product = outrider()
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", product["SPDXID"])]
    relationships += [(product["SPDXID"], "DEPENDS_ON",
                       identifier(name if name in packages else provided[name]))
                      for name in direct]
    relationships += [(identifier(name), "DEPENDS_ON", identifier(need))
                      for name in sorted(found) for need in found[name]]
    entries = [product] + [entry(packages[name], distribution()) for name in sorted(found)]
    digest = hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": "outrider-" + "-".join(sections),
        "documentNamespace": "https://spdx.org/spdxdocs/outrider-" + digest,
        "creationInfo": {"created": created(), "creators": ["Tool: outrider-make_sbom"]},
        "packages": entries,
        "relationships": [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
            for a, kind, b in relationships
        ],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sections", nargs="+", default=["runtime"],
                        help="sections of docker/packages.txt (default: runtime)")
    json.dump(document(parser.parse_args().sections), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
