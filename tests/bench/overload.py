#!/usr/bin/env python3
"""What a server does under three times its capacity.

Finds the capacity by stepping (the most requests a second at which nothing is refused and the 99th
percentile stays under 10 ms), then loads the server at half of it, at three times as much, and at
half again at once. It fails where what is accepted takes more than three times as long as at half
load, where anything is lost or ends without a word, where memory passes the ceiling, or where the
server is not itself again within a second.

usage: overload.py SERVER CLI [--seconds 60]; one JSON object on standard output, a table on
standard error.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

SIDE = 512
BLOCKED = 0.25
MEMORY_MAX = 256 << 20
# Code, stacks and the allocator lie beside what --memory-max counts.
MEMORY_BESIDE = 64 << 20
P99_CAPACITY_US = 10_000
RATIO_MAX = 3.0
RECOVERY_MAX_S = 1.0


def write_map(folder):
    """Ground with a quarter of it blocked at random: ways wind, so searches take their time."""
    dice = random.Random(7600)
    rows = ["".join("@" if dice.random() < BLOCKED else "." for _ in range(SIDE))
            for _ in range(SIDE)]
    path = pathlib.Path(folder) / "noise.map"
    path.write_text(f"type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n" + "\n".join(rows) + "\n")
    return path


class Server:
    def __init__(self, program, map_file):
        # A small cache: it is searches that are measured.
        self.process = subprocess.Popen(
            [program, "--listen", "127.0.0.1:0", "--map", f"noise={map_file}", "--log-level",
             "error", "--memory-max", str(MEMORY_MAX), "--cache-bytes-max", "1000000"],
            stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().removeprefix("listening on ").strip()
        self.peak = 0
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status")
        try:
            while True:
                line = next(l for l in status.read_text().splitlines() if l.startswith("VmRSS"))
                self.peak = max(self.peak, int(line.split()[1]) * 1024)
                time.sleep(0.05)
        except (OSError, StopIteration):
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)


def load(cli, server, rate, seconds, seed):
    ran = subprocess.run(
        [cli, "load", "--server", server.address, "--map", "noise", "--rate", str(rate),
         "--seconds", str(seconds), "--units", "2000", "--group-share", "0", "--connections", "8",
         "--seed", str(seed), "--json"], capture_output=True, text=True, check=False)
    if not ran.stdout:
        sys.exit("overload.py: the load test failed: " + ran.stderr)
    return json.loads(ran.stdout)


def bearable(report):
    return report["refused"] == 0 and report["p99_us"] < P99_CAPACITY_US


def find_capacity(cli, server):
    """Doubles until it is too much, then halves the interval four times."""
    seed = 1
    good, bad = 0, None
    rate = 250
    while bad is None and rate < 200_000:
        seed += 1
        if bearable(load(cli, server, rate, 3, seed)):
            good, rate = rate, rate * 2
        else:
            bad = rate
    if good == 0:
        sys.exit("overload.py: not even 250 requests a second are bearable on this machine")
    for _ in range(4):
        middle = (good + (bad or rate)) // 2
        seed += 1
        if bearable(load(cli, server, middle, 3, seed)):
            good = middle
        else:
            bad = middle
    return good


def recovery_s(cli, server, rate, p99_us):
    """Half seconds at half load until one is as good as before: from the end of the storm."""
    begin = time.monotonic()
    for attempt in range(20):
        started = time.monotonic()
        report = load(cli, server, rate, 0.5, 900 + attempt)
        if report["refused"] == 0 and report["p99_us"] <= RATIO_MAX * p99_us:
            return started - begin
    return time.monotonic() - begin


def faults_of(result):
    half, storm = result["half"], result["storm"]
    faults = []
    if storm["p99_us"] > RATIO_MAX * half["p99_us"]:
        faults.append(f"accepted requests took {storm['p99_us'] / half['p99_us']:.1f} times as "
                      f"long as at half load; {RATIO_MAX} times is allowed")
    for name in ("half", "storm"):
        for kind in ("lost", "duplicate", "wrong"):
            if result[name][kind]:
                faults.append(f"{result[name][kind]} {kind} at {name} load")
    if half["refused"]:
        faults.append(f"{half['refused']} refused at half load")
    if storm["answered"] + storm["refused"] != storm["sent"]:
        faults.append("some requests ended without a word")
    if storm["refused"] == 0:
        faults.append("nothing was refused: the storm was none")
    if result["peak_bytes"] > MEMORY_MAX + MEMORY_BESIDE:
        faults.append(f"{result['peak_bytes']} bytes resident, above the ceiling")
    if result["recovery_s"] > RECOVERY_MAX_S:
        faults.append(f"back to itself after {result['recovery_s']:.2f} s only")
    if result["exit_code"] != 0:
        faults.append(f"the server ended with {result['exit_code']}")
    return faults


def table(result, faults):
    half, storm = result["half"], result["storm"]
    lines = [
        f"  capacity               {result['capacity']} requests a second",
        f"  at half of it          p50 {half['p50_us']:.0f} us, p99 {half['p99_us']:.0f} us",
        f"  at three times         p50 {storm['p50_us']:.0f} us, p99 {storm['p99_us']:.0f} us, "
        f"{storm['answered']} answered, {storm['refused']} refused, {storm['lost']} lost",
        f"  ratio of the p99s      {storm['p99_us'] / half['p99_us']:.2f}",
        f"  resident at most       {result['peak_bytes'] / (1 << 20):.0f} MiB",
        f"  itself again after     {result['recovery_s']:.2f} s",
    ]
    lines += [f"  FAULT                  {fault}" for fault in faults]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Three times the capacity")
    parser.add_argument("server")
    parser.add_argument("cli")
    parser.add_argument("--seconds", type=float, default=60, help="of the storm")
    parser.add_argument("--capacity", type=int, default=0,
                        help="requests a second, where it is known: no stepping")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, \
            Server(options.server, write_map(folder)) as server:
        capacity = options.capacity or find_capacity(options.cli, server)
        half = load(options.cli, server, capacity / 2, min(options.seconds, 20), 500)
        storm = load(options.cli, server, capacity * 3, options.seconds, 501)
        recovery = recovery_s(options.cli, server, capacity / 2, half["p99_us"])
        result = {"capacity": capacity, "half": half, "storm": storm, "recovery_s": recovery,
                  "peak_bytes": server.peak, "exit_code": server.stop()}
    faults = faults_of(result)
    print(table(result, faults), file=sys.stderr)
    print(json.dumps({**result, "passed": not faults, "faults": faults}))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
