#!/usr/bin/env python3
"""Runs the recipes of docs/scale.md that need no cluster: pieces by xargs, and by GNU parallel where it is installed. What
they give together must be what a single run gives.

    test_batch_scale.py ULLAGE"""
from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile

LINES = 3001


def scenarios() -> str:
    models = ["llama-3.1-8b", "70B", "glm-5.3-flash"]
    devices = ["trainium2", "h100-sxm", "l40s", "nowhere"]
    rows = ["id,model,on,bits,devices"]
    rows += [f"{i},{models[i % 3]},{devices[i % 4] if i % 97 == 3 else devices[i % 3]},8,{i % 50 + 1}" for i in range(LINES)]
    return "\n".join(rows) + "\n"


def shell(command: str, folder: pathlib.Path) -> None:
    done = subprocess.run(["bash", "-c", command], cwd=folder, stderr=subprocess.PIPE, check=False)
    # 123 and the number of failed jobs are what xargs and parallel make of pieces with a bad line.
    if done.returncode > 123:
        raise SystemExit(f"{command}: status {done.returncode}: {done.stderr.decode()}")


def main() -> int:
    ullage = str(pathlib.Path(sys.argv[1]).resolve())
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "s.csv").write_text(scenarios(), encoding="utf-8")
        columns = "--columns id,line,device,devices_min,headroom_per_device"
        shell(f"{ullage} batch s.csv {columns} > whole.csv", folder)
        recipes = {
            "xargs": f"seq 1 7 | xargs -P 3 -I{{}} {ullage} batch s.csv {columns} --threads 1 --shard {{}}/7 "
                     "--output-file rows.{}.csv; cat rows.[1-7].csv > xargs.csv",
            "gzip": f"gzip -k s.csv; for k in 1 2 3; do {ullage} batch s.csv.gz {columns} --shard $k/3; done > gzip.csv",
        }
        if shutil.which("parallel"):
            recipes["parallel"] = (f"seq 1 7 | parallel -k {ullage} batch s.csv {columns} --threads 1 --shard {{}}/7 "
                                   "> parallel.csv")
        whole = (folder / "whole.csv").read_bytes()
        for label, command in recipes.items():
            shell(command, folder)
            text = (folder / f"{label}.csv").read_bytes().replace(b"s.csv.gz:", b"s.csv:")
            same = text == whole and whole.count(b"\n") == LINES + 1
            failed += not same
            print(f"{label}: {'the same' if same else 'differs'}")
    print(f"{len(recipes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
