#!/usr/bin/env python3
"""Measures batches: rows a second of whole processes, beside the same bytes formatted with no arithmetic, and peak memory.

    batch.py [--build build/release] [--rows 2000000] [--long 50000000]

Scenarios are drawn with a fixed seed over models, devices, formats and contexts, so that no two lines need be alike. Each case
is run with one thread and with two; the yardstick (batch_format) writes the very rows that the program wrote. Runs are interleaved; read the ratios."""
from __future__ import annotations

import argparse
import pathlib
import random
import subprocess
import tempfile
import time

MODELS = ["llama-3.1-8b", "llama-3.1-70b", "glm-5.3-flash", "Qwen/Qwen3-30B-A3B", "gpt-oss-120b", "deepseek-v3", "70B", "320B:18B"]
SHAPED = ["llama-3.1-8b", "llama-3.1-70b", "Qwen/Qwen3-30B-A3B", "gpt-oss-120b", "deepseek-v3"]
DEVICES = ["trainium2", "h100-sxm", "mi300x", "l40s", "trn2.48xlarge", "aws-p5.48xlarge"]
COLUMNS = "devices_min,required_memory,working_memory,device_budget,device_capacity,weights_floor"


def scenarios(path: pathlib.Path, rows: int, kind: str) -> None:
    draw = random.Random(9)
    with path.open("w", encoding="utf-8") as file:
        if kind == "kv":
            file.write("command,model,engine,context,concurrency,kv-memory\n")
            for _ in range(rows):
                context = 1024 * draw.randint(1, 128)
                file.write(f"kv,{draw.choice(SHAPED)},vllm@0.19,{context},{2 ** draw.randint(0, 8)},40GiB\n")
        elif kind == "workload":
            file.write("model,on,bits,context,concurrency\n")
            for _ in range(rows):
                file.write(f"{draw.choice(SHAPED)},{draw.choice(DEVICES)},{draw.choice([4, 8, 16])},"
                           f"{draw.randint(1, 131072)},{draw.randint(1, 512)}\n")
        else:
            file.write("model,on,bits,working-memory\n")
            for _ in range(rows):
                file.write(f"{draw.choice(MODELS)},{draw.choice(DEVICES)},{draw.choice([4, 8, 16])},"
                           f"{draw.randint(1, 64)}GB\n")


def seconds(words: list[str], output: pathlib.Path | None = None) -> float:
    with open(output or "/dev/null", "wb") as sink:
        begun = time.perf_counter()
        subprocess.run(words, stdout=sink, check=True)
        return time.perf_counter() - begun


def measure(build: pathlib.Path, folder: pathlib.Path, kind: str, rows: int) -> None:
    source, output = folder / f"{kind}.csv", folder / f"{kind}.out.csv"
    scenarios(source, rows, kind)
    columns = "kv_per_sequence,kv_total,blocks,max_tokens,max_concurrency,pool_bytes" if kind == "kv" else COLUMNS
    words = [str(build / "ullage"), "batch", str(source), "--columns", columns]
    rates: dict[int, list[float]] = {1: [], 2: []}
    formatted: dict[int, list[float]] = {1: [], 2: []}
    seconds([*words, "--threads", "2"], output)
    for _ in range(3):
        for threads in (1, 2):
            rates[threads].append(rows / seconds([*words, "--threads", str(threads)]))
            done = subprocess.run([str(build / "bench_batch_format"), str(output), str(threads)], stdout=subprocess.PIPE, check=True)
            formatted[threads].append(float(done.stdout))
    one, two = max(rates[1]), max(rates[2])
    print(f"{kind:>9}: {one:12,.0f} rows/s with one thread, {two:12,.0f} with two ({two / one:.2f}); "
          f"formatting alone {max(formatted[2]):12,.0f} with two: {100 * two / max(formatted[2]):.0f} % of it")


def peak(build: pathlib.Path, rows: int) -> None:
    # 400 devices × 25 reserves × … : as many lines as asked for, none of them equal.
    numbers = max(1, rows // (len(MODELS) * len(DEVICES)))
    words = [str(build / "bench_peak"), str(build / "ullage"), "batch", "--columns", COLUMNS,
             "--matrix", "bits=8", "--matrix", "model=" + ",".join(MODELS), "--matrix", "on=" + ",".join(DEVICES)]
    # The axis of contexts would be a long command line: two axes of working memory and devices instead.
    side = max(1, int(numbers ** 0.5))
    words += ["--matrix", "devices=" + ",".join(str(n) for n in range(1, side + 1)),
              "--matrix", "working-memory=" + ",".join(f"{n}GB" for n in range(1, side + 1))]
    begun = time.perf_counter()
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    lines = len(MODELS) * len(DEVICES) * side * side
    print(f"   memory: {int(done.stdout) / 1024:.1f} MiB at most over {lines:,} lines "
          f"({lines / (time.perf_counter() - begun):,.0f} rows/s)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--long", type=int, default=50_000_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for kind, rows in (("lump", given.rows), ("workload", given.rows), ("kv", given.rows // 4)):
            measure(given.build, pathlib.Path(name), kind, rows)
    peak(given.build, given.long)


if __name__ == "__main__":
    main()
