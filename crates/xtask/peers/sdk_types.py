#!/usr/bin/env python3
"""Holds what toolpost prints against the providers' own SDKs, strictly.

For every family of models on every wire: the tools that `toolpost tools` lists, what `toolpost run` appends to a reply
that the SDK made, and the next request built from both. Each document is also proved: a copy with one key renamed is
refused. Where the kit with scripted_model.py is given, that reads each request as a provider would.

    sdk_types.py --bin TOOLPOST [--peers KIT] [--out FOLDER]
    sdk_types.py --selftest
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import selftest
import strict
import wires
from wires import Call

MARK = "zebra"
MINE = "lookup_order"
LIMIT_S = 60
# What a document of an unforeseen shape makes of the reading: each is a failure of the document, told as one.
FAULTS = (
    strict.Refused,
    wires.Faulty,
    subprocess.TimeoutExpired,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
)


class Family:
    """A family of models: how it is named to toolpost, and what its models ask for."""

    def __init__(self, name: str, flags: list[str], model: str, sound: list[Call], lacking: Call):
        self.name, self.flags, self.model, self.sound, self.lacking = name, flags, model, sound, lacking


def families(folder: Path) -> list[Family]:
    seen, lost = str(folder / "seen.txt"), str(folder / "lost.txt")
    patch = f"*** Begin Patch\n*** Update File: seen.txt\n@@\n-{MARK}\n+{MARK} again\n*** End Patch\n"
    shell = "cat seen.txt; exit 3"
    words = {"description": "Shows the file."}
    return [
        Family(
            "claude",
            ["--model", "claude-sonnet-4-5"],
            "claude-sonnet-4-5",
            [
                Call("Read", {"file_path": seen}),
                Call("Bash", {"command": shell, **words}),
                Call("Read", {"file_path": lost}),
            ],
            Call("Read", {}),
        ),
        Family(
            "codex",
            ["--model", "gpt-5-codex"],
            "gpt-5-codex",
            [
                Call("shell_command", {"command": "cat seen.txt"}),
                Call("apply_patch", {"input": patch}, free=patch),
                Call("shell_command", {"command": shell}),
            ],
            Call("shell_command", {}),
        ),
        Family(
            "gemini",
            ["--model", "gemini-2.5-pro"],
            "gemini-2.5-pro",
            [
                Call("read_file", {"file_path": seen}),
                Call("run_shell_command", {"command": shell, **words}),
                Call("read_file", {"file_path": lost}),
            ],
            Call("read_file", {}),
        ),
        Family(
            "plain",
            ["--dialect", "plain"],
            "some-model",
            [Call("fs_read", {"path": seen}), Call("shell_run", {"command": shell}), Call("fs_read", {"path": lost})],
            Call("fs_read", {}),
        ),
    ]


class Toolpost:
    """The program, with a home and a working directory of its own."""

    def __init__(self, program: str, home: Path, folder: Path):
        self.program, self.folder = program, folder
        self.env = {"HOME": str(home), "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}

    def tools(self, family: Family, wire: str) -> list:
        return json.loads(self._print(["tools", *family.flags, "--wire", wire, "--json"], ""))["tools"]

    def run(self, family: Family, wire: str, reply: dict, more: list[str]) -> object:
        flags = ["--wire", wire, *family.flags, "--mode", "auto", "--trust", *more]
        return json.loads(self._print(["run", *flags, "-"], json.dumps(reply)))

    def _print(self, words: list[str], text: str) -> str:
        words = [self.program, *words, "--cwd", str(self.folder)]
        made = subprocess.run(
            words, input=text, env=self.env, cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S
        )
        if made.returncode != 0:
            raise wires.Faulty(f"`{' '.join(words[1:])}` ended with {made.returncode}: {made.stderr.strip()[:400]}")
        return made.stdout


class Tally:
    """What passed and what did not, printed as it comes."""

    def __init__(self):
        self.passed = self.failed = self.renamed = 0

    def look(self, name: str, work) -> object:
        """Does a piece of work; what it gives, or nothing when it failed."""
        try:
            made = work()
        except FAULTS as err:
            self.failed += 1
            fact = " ".join(str(err).split())
            print(f"FAIL {name}: {type(err).__name__}: {fact}"[:500])
            return None
        self.passed += 1
        return made

    def prove(self, name: str, work) -> None:
        self.renamed += self.look(name, work) or 0


class Round:
    """One family on one wire."""

    def __init__(self, toolpost: Toolpost, family: Family, wire, tally: Tally):
        self.toolpost, self.family, self.wire, self.tally = toolpost, family, wire, tally
        self.name = f"{family.name} on {wire.NAME}"
        self.requests: list[tuple[str, dict]] = []
        self.offered: list = []

    def play(self) -> None:
        tools = self.tally.look(f"{self.name}: tools", lambda: self.toolpost.tools(self.family, self.wire.NAME))
        if tools is None:
            return
        self.offered = tools
        self.tally.prove(f"{self.name}: the tools' types", lambda: self.wire.tools(tools))
        if not self.tally.look(f"{self.name}: the tools' names", self._names):
            return
        self._turn("sound", self._sound())
        self._turn("troubled", self._troubled())
        self._beside_mine()

    def _sound(self) -> list[Call]:
        kinds = self.wire.names(self.offered)
        is_free = lambda call: call.free is not None and kinds.get(call.name) == "custom"
        return [Call(one.name, one.args, free=one.free if is_free(one) else None) for one in self.family.sound]

    def _troubled(self) -> list[Call]:
        lacking = self.family.lacking
        broken = [Call(lacking.name, raw='{"path": "se')] if self.wire.KEEPS_BROKEN_TEXT else []
        return [Call("no_such_tool", {"a": 1}), Call(lacking.name, lacking.args), *broken]

    def _names(self) -> bool:
        names = self.wire.names(self.offered)
        for call in self.family.sound:
            wires.demand(call.name in names, f"`{call.name}` is not offered, only {sorted(names)}")
        return True

    def _turn(self, title: str, calls: list[Call]) -> None:
        (self.toolpost.folder / "seen.txt").write_text(f"{MARK}\n")
        reply = self.wire.reply(self.family.model, calls)
        name = f"{self.name}: {title} calls"
        answer = self.tally.look(name, lambda: self._run(reply, []))
        if answer is None:
            return
        self.tally.prove(f"{name}: the answer's types", lambda: self.wire.answer(answer))
        self.tally.look(f"{name}: each answered once", lambda: self._pairs(calls, answer))
        if title == "sound":
            self.tally.look(f"{name}: really done", lambda: self._really(answer))
        if not any(call.raw for call in calls):
            self._request(title, reply, answer, self.offered)

    def _beside_mine(self) -> None:
        """A function of the caller's between ours: left, and the two answers together make a history."""
        first, *_, last = self._sound()
        mine = Call(MINE, {"order": 7})
        calls = [first, mine, last]
        reply = self.wire.reply(self.family.model, calls)
        name = f"{self.name}: beside the caller's own"
        answer = self.tally.look(name, lambda: self._run(reply, ["--leave", MINE]))
        if answer is None:
            return
        self.tally.prove(f"{name}: the answer's types", lambda: self.wire.answer(answer))
        if self.tally.look(f"{name}: each answered once", lambda: self._pairs([first, last], answer)):
            one, other = [part for _, part in self.wire.parts(answer)]
            both = self.wire.whole([one, self.wire.own_part(mine), other])
            self._request("beside", reply, both, self.wire.add_tool(self.offered, MINE))

    def _run(self, reply, more: list[str]) -> object:
        return self.toolpost.run(self.family, self.wire.NAME, wires.as_json(reply, drop_null=False), more)

    def _pairs(self, calls: list[Call], answer: object) -> bool:
        wanted = [call.id for call in calls]
        got = [call_id for call_id, _ in self.wire.parts(answer)]
        wires.demand(got == wanted, f"the calls {wanted} are answered as {got}")
        return True

    def _really(self, answer: object) -> bool:
        _, first = self.wire.parts(answer)[0]
        wires.demand(MARK in json.dumps(first), f"the first answer does not show the file: {json.dumps(first)[:300]}")
        return True

    def _request(self, title: str, reply, answer: object, tools: list) -> None:
        said = wires.as_json(reply, drop_null=True)
        self.requests.append((title, self.wire.request(self.family.model, tools, said, answer)))


def read_by_model(kit: Path, wire: str, path: Path) -> bool:
    words = [sys.executable, "-B", str(kit / "scripted_model.py"), "--request", wire, str(path)]
    made = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S)
    wires.demand(made.returncode == 0, (made.stdout + made.stderr).strip()[:500])
    return True


def run(program: str, kit: Path | None, out: Path) -> int:
    tally = Tally()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="toolpost-sdks-") as temporary:
        home, folder = Path(temporary, "home"), Path(temporary, "folder")
        home.mkdir()
        folder.mkdir()
        toolpost = Toolpost(os.path.abspath(program), home, folder)
        for family in families(folder):
            for wire in wires.ALL:
                played = Round(toolpost, family, wire, tally)
                played.play()
                for title, request in played.requests:
                    path = out / f"{family.name}-{wire.NAME}-{title}.json"
                    path.write_text(json.dumps(request, indent=1, ensure_ascii=False), encoding="utf-8")
                    if kit is not None:
                        name = f"{played.name}: the request, {title}"
                        tally.look(name, lambda: read_by_model(kit, wire.NAME, path))
    print(f"{tally.renamed} copies with one key renamed were refused")
    print(f"{tally.passed} passed, {tally.failed} failed, {0 if kit else 1} skipped")
    return 1 if tally.failed or not tally.passed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", help="the toolpost program")
    parser.add_argument("--peers", type=Path, help="the folder of scripted_model.py")
    parser.add_argument("--out", type=Path, default=Path("requests"), help="where the requests are written")
    parser.add_argument("--selftest", action="store_true", help="test the checker itself")
    options = parser.parse_args()
    if options.selftest:
        return selftest.run()
    if not options.bin:
        parser.error("--bin is needed")
    return run(options.bin, options.peers, options.out)


if __name__ == "__main__":
    sys.exit(main())
