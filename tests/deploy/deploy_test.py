#!/usr/bin/env python3
"""What stands in deploy/ and docker/, checked without a cluster, a container engine or systemd
running. usage: deploy_test.py SERVER_PROGRAM [UNITTEST-ARG]..."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SERVER = ""
MEBIBYTE = 1 << 20


def documents(name):
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


def of_kind(docs, kind):
    found = [doc for doc in docs if doc["kind"] == kind]
    assert len(found) == 1, f"{len(found)} of kind {kind}"
    return found[0]


def options_of(container):
    return dict(arg.removeprefix("--").split("=", 1) for arg in container["args"])


def bytes_of(text):
    units = {"Mi": MEBIBYTE, "Gi": 1 << 30, "M": MEBIBYTE, "G": 1 << 30}
    number, unit = re.fullmatch(r"(\d+)(\w+)", text).groups()
    return int(number) * units[unit]


def refusal_of(arguments, environment=None):
    """How the server ends with these arguments, which must not be good enough to serve."""
    ended = subprocess.run([SERVER, *arguments], capture_output=True, text=True, timeout=60,
                           env=environment or {}, check=False)
    return ended.returncode, ended.stderr


class Pods(unittest.TestCase):
    """If these failed, a cluster would run the server with rights it does not need, kill it amid
    its answers, or send players to one that is not ready."""

    def check_container(self, container):
        context = container["securityContext"]
        self.assertFalse(context["allowPrivilegeEscalation"])
        self.assertTrue(context["readOnlyRootFilesystem"])
        self.assertEqual(context["capabilities"], {"drop": ["ALL"]})
        self.assertIn("memory", container["resources"]["limits"])

    def check_pod(self, pod):
        self.assertTrue(pod["securityContext"]["runAsNonRoot"])
        self.assertGreater(pod["securityContext"]["runAsUser"], 0)
        self.assertEqual(pod["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"})
        for container in pod["containers"]:
            self.check_container(container)
        server = pod["containers"][0]
        self.check_server(pod, server)
        return server

    def check_server(self, pod, server):
        options = options_of(server)
        self.assertIn("token-file", options, "a public server without tokens does not start")
        mounts = {mount["mountPath"]: mount for mount in server["volumeMounts"]}
        mount = mounts[str(pathlib.PurePosixPath(options["token-file"]).parent)]
        self.assertTrue(mount["readOnly"])
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        self.assertEqual(volumes[mount["name"]]["secret"]["secretName"], "outrider-tokens")
        drain = int(options["drain-timeout-ms"]) / 1000
        pause = server.get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command")
        drain += int(pause[-1]) if pause else 0
        self.assertGreater(pod["terminationGracePeriodSeconds"], drain)
        limit = bytes_of(server["resources"]["limits"]["memory"])
        self.assertGreaterEqual(limit - int(options["memory-max"]), 64 * MEBIBYTE)

    def test_kubernetes(self):
        docs = documents("kubernetes.yaml")
        state = of_kind(docs, "StatefulSet")
        pod = state["spec"]["template"]["spec"]
        server = self.check_pod(pod)
        self.assertFalse(pod["automountServiceAccountToken"])
        self.assertEqual(state["spec"]["replicas"], 1, "two replicas are two worlds")
        ports = {port["name"]: port["containerPort"] for port in server["ports"]}
        options = options_of(server)
        self.assertEqual(options["listen"], f"0.0.0.0:{ports['outrider']}")
        self.assertEqual(options["http"], f"0.0.0.0:{ports['http']}")
        for probe, path in (("startupProbe", "/readyz"), ("readinessProbe", "/readyz"),
                            ("livenessProbe", "/healthz")):
            self.assertEqual(server[probe]["httpGet"], {"path": path, "port": "http"})
        labels = state["spec"]["template"]["metadata"]["labels"]
        service = of_kind(docs, "Service")["spec"]
        policy = of_kind(docs, "NetworkPolicy")["spec"]
        for selector in (state["spec"]["selector"]["matchLabels"], service["selector"],
                         policy["podSelector"]["matchLabels"]):
            self.assertLessEqual(selector.items(), labels.items())
        self.assertEqual(state["spec"]["serviceName"], "outrider")
        self.assertEqual(policy["policyTypes"], ["Ingress", "Egress"])
        self.assertEqual(policy["egress"], [])
        self.assertTrue(all("from" in rule for rule in policy["ingress"]), "open to everybody")

    def test_agones(self):
        fleet = of_kind(documents("agones-fleet.yaml"), "Fleet")
        self.assertEqual(fleet["apiVersion"], "agones.dev/v1")
        game = fleet["spec"]["template"]["spec"]
        self.check_pod(game["template"]["spec"])
        self.assertEqual(game["container"], "outrider")
        self.assertEqual(game["ports"][0]["containerPort"], 7600)
        self.assertEqual(game["ports"][0]["protocol"], "TCP")
        side_door = game["template"]["spec"]["containers"][1]
        script = side_door["args"][0]
        # Fault kind K12#125: a side door that dies first leaves a dead server in the lists.
        self.assertTrue(script.startswith("trap '' TERM\n"))
        self.assertTrue(script.rstrip().endswith("tell shutdown"))
        parsed = subprocess.run(["sh", "-n"], input=script, text=True, check=False)
        self.assertEqual(parsed.returncode, 0)

    def test_the_server_takes_the_manifests_options(self):
        for name, kind in (("kubernetes.yaml", "StatefulSet"), ("agones-fleet.yaml", "Fleet")):
            spec = of_kind(documents(name), kind)["spec"]["template"]["spec"]
            pod = spec if "containers" in spec else spec["template"]["spec"]
            code, error = refusal_of(pod["containers"][0]["args"])
            # It gets as far as the token file, which is not there: every option was understood.
            self.assertEqual(code, 1, error)
            self.assertIn("/run/outrider/tokens", error)

    def test_the_secret_wants_tokens_and_is_good_with_them(self):
        secret = of_kind(documents("kubernetes.yaml"), "Secret")["stringData"]["tokens"]
        replaced = re.sub(r"REPLACE-ME-(\d)", r"\1" * 64, secret)
        for text, named in ((secret, "shorter than 16 bytes"), (replaced, "/nowhere.map")):
            with tempfile.NamedTemporaryFile("w") as tokens:
                tokens.write(text)
                tokens.flush()
                code, error = refusal_of(["--token-file", tokens.name, "--map", "a=/nowhere.map"])
            self.assertEqual(code, 1)
            self.assertIn(named, error, "placeholders are no tokens; with tokens it wants the map")


class Unit(unittest.TestCase):
    """If these failed, a server under systemd would not start, or not be shut in."""

    def make_unit(self, folder):
        text = (DEPLOY / "outrider.service").read_text()
        text = text.replace("/usr/local/bin/outrider-server", SERVER)
        unit = pathlib.Path(folder) / "outrider.service"
        unit.write_text(text)
        return unit

    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd-analyze here")
    def test_systemd_takes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            checked = subprocess.run(["systemd-analyze", "verify", "--man=no",
                                      self.make_unit(folder)],
                                     capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertNotIn("outrider.service", checked.stderr)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd-analyze here")
    def test_it_is_shut_in(self):
        with tempfile.TemporaryDirectory() as folder:
            rated = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager",
                                    "--threshold=20", self.make_unit(folder)],
                                   capture_output=True, text=True, check=False)
        self.assertEqual(rated.returncode, 0, rated.stdout[-600:] + rated.stderr)

    def test_its_limits_fit_the_server(self):
        unit = dict(line.split("=", 1) for line in
                    (DEPLOY / "outrider.service").read_text().splitlines()
                    if "=" in line and not line.startswith("#"))
        config = (DEPLOY / "outrider.toml").read_text()
        ceiling = int(re.search(r"memory-max = (\d+)", config).group(1))
        drain = int(re.search(r"drain-timeout-ms = (\d+)", config).group(1)) / 1000
        self.assertGreaterEqual(bytes_of(unit["MemoryMax"]) - ceiling, 64 * MEBIBYTE)
        self.assertGreater(int(unit["TimeoutStopSec"]), drain)
        self.assertGreater(int(unit["LimitNOFILE"]), 4096)
        self.assertIn("-HUP", unit["ExecReload"])

    def test_the_server_takes_its_configuration(self):
        code, error = refusal_of(["--config", str(DEPLOY / "outrider.toml")])
        self.assertEqual(code, 1, error)
        self.assertIn("/etc/outrider/tokens", error)


class Image(unittest.TestCase):
    """If these failed, a container in a hurry would be everybody's."""

    def environment(self):
        text = (ROOT / "docker" / "Dockerfile").read_text()
        line = re.search(r"^ENV (.*)$", text, re.MULTILINE).group(1)
        return dict(word.split("=", 1) for word in line.split())

    def test_it_listens_where_others_reach_it_and_wants_tokens(self):
        environment = self.environment()
        self.assertEqual(environment["OUTRIDER_LISTEN"], "0.0.0.0:7600")
        environment["OUTRIDER_LISTEN"] = "0.0.0.0:0"
        code, error = refusal_of([], environment)
        self.assertEqual(code, 1)
        self.assertIn("--token-file", error)

    def test_the_compose_file_says_so_where_it_is_open(self):
        compose = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text())
        server = compose["services"]["server"]
        self.assertEqual(server["environment"]["OUTRIDER_INSECURE_PUBLIC"], "true")
        for port in server["ports"]:
            self.assertTrue(port.startswith("127.0.0.1:"), port)
        self.assertTrue(server["read_only"])
        self.assertEqual(server["cap_drop"], ["ALL"])


class Sbom(unittest.TestCase):
    """If this failed, nobody could tell whether a weak library is inside."""

    def test_it_is_whole(self):
        environment = dict(os.environ, SOURCE_DATE_EPOCH="0")
        made = [subprocess.run([DEPLOY / "make_sbom.py", "--sections", "build"], text=True,
                               capture_output=True, check=True, env=environment).stdout
                for _ in range(2)]
        self.assertEqual(made[0], made[1], "the same machine, the same list")
        sbom = json.loads(made[0])
        self.assertEqual(sbom["spdxVersion"], "SPDX-2.3")
        self.assertEqual(sbom["creationInfo"]["created"], "1970-01-01T00:00:00Z")
        ids = [package["SPDXID"] for package in sbom["packages"]]
        self.assertEqual(len(ids), len(set(ids)))
        for package in sbom["packages"]:
            self.assertRegex(package["SPDXID"], r"^SPDXRef-[A-Za-z0-9.-]+$")
            self.assertTrue(package["name"] and package["versionInfo"])
            self.assertIn("downloadLocation", package)
        known = {*ids, "SPDXRef-DOCUMENT"}
        for relation in sbom["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]},
                                 known)
        names = {package["name"] for package in sbom["packages"]}
        self.assertIn("outrider", names)
        listed = subprocess.run([ROOT / "docker" / "list_packages.sh", "build"], text=True,
                                capture_output=True, check=True).stdout.split()
        self.assertLessEqual({name for name in listed if "-dev" in name}, names)
        self.assertIn("libc6", names, "what the packages need is named, too")
        purls = [reference["referenceLocator"] for package in sbom["packages"]
                 for reference in package.get("externalRefs", [])]
        self.assertEqual(len(purls), len(ids) - 1)
        for purl in purls:
            self.assertRegex(purl, r"^pkg:deb/\w+/[a-z0-9.+-]+@[^ ]+\?arch=\w+$")

    def test_a_package_that_is_not_there_is_an_error(self):
        sys.path.insert(0, str(DEPLOY))
        import make_sbom  # pylint: disable=import-outside-toplevel
        with self.assertRaises(SystemExit) as ended:
            make_sbom.closure(["no-such-package"], {}, {})
        self.assertIn("no-such-package", str(ended.exception))


if __name__ == "__main__":
    SERVER = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
