"""The systemd units: systemd accepts them, and their permissions are as small as possible."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "systemd"
TABLE, KIOSK, USERS = (
    FOLDER / "brehon.service",
    FOLDER / "brehon-kiosk.service",
    FOLDER / "brehon.sysusers.conf",
)
UNITS = [pytest.param(TABLE, id="table"), pytest.param(KIOSK, id="kiosk")]

EXPOSURE = {TABLE: 2.0, KIOSK: 5.0}
"""Highest exposure level, out of 10, in `systemd-analyze security`.

systemd 252 gives 1.7 and 4.5. A service without directives has 9.6.
"""

analyze = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")


def directives(unit: Path) -> dict[str, list[str]]:
    """All values of every directive, in the order of the file."""
    found = defaultdict(list)
    for line in unit.read_text("utf-8").splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            found[name].append(value)
    return found


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=30)


def with_programs_that_exist(unit: Path, folder: Path) -> Path:
    """A copy of the unit that starts /bin/true, because its programs are installed only on a Pi."""
    text = re.sub(r"^(ExecStart(?:Pre)?=)\S+", r"\1/bin/true", unit.read_text("utf-8"), flags=re.MULTILINE)
    copy = folder / unit.name
    copy.write_text(text, "utf-8")
    return copy


@analyze
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_accepts_the_units(unit: Path, tmp_path: Path) -> None:
    copy = with_programs_that_exist(unit, tmp_path)
    done = run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", copy)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@analyze
def test_systemd_reports_an_unknown_directive(tmp_path: Path) -> None:
    copy = with_programs_that_exist(TABLE, tmp_path)
    copy.write_text(copy.read_text("utf-8").replace("ProtectSystem=strict", "ProtectSytem=strict"), "utf-8")
    assert "Unknown key" in run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", copy).stderr


@analyze
@pytest.mark.parametrize("unit", UNITS)
def test_the_exposure_level_is_low(unit: Path) -> None:
    done = run("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposure, done.stdout + done.stderr
    assert float(exposure[1]) <= EXPOSURE[unit]


HARDENED = [
    "NoNewPrivileges", "PrivateTmp", "LockPersonality", "ProtectControlGroups", "ProtectHostname",
    "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "RestrictRealtime",
    "RestrictSUIDSGID",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("directive", HARDENED)
def test_a_unit_is_hardened(unit: Path, directive: str) -> None:
    assert directives(unit)[directive] == ["yes"]


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_runs_as_its_own_user_without_capabilities_and_always(unit: Path) -> None:
    d = directives(unit)
    assert d["User"] == d["Group"] == d["StateDirectory"] == [unit.stem]
    assert d["CapabilityBoundingSet"] == [""]
    assert d["Restart"] == ["always"]
    assert d["StartLimitIntervalSec"] == ["0"]
    assert d["WantedBy"] == ["multi-user.target"]


def test_the_table_writes_only_its_state_and_sees_no_home_folders() -> None:
    d = directives(TABLE)
    assert d["ProtectSystem"] == ["strict"]
    assert d["ProtectHome"] == ["yes"]
    assert "ReadWritePaths" not in d
    assert shlex.split(d["ExecStart"][0])[:4] == [
        "/opt/brehon/.venv/bin/brehon",
        "run",
        "--data",
        "/var/lib/brehon",
    ]


def test_the_table_reaches_cameras_and_pins_and_no_other_device() -> None:
    d = directives(TABLE)
    assert d["DevicePolicy"] == ["closed"]
    reached = {value.split()[0] for value in d["DeviceAllow"]}
    assert reached == {
        "char-video4linux",
        "char-media",
        "char-dma_heap",
        "/dev/udmabuf",
        "char-gpiochip",
        "char-drm",
    }
    assert d["SupplementaryGroups"] == ["video gpio render"]


def test_no_directive_takes_the_camera_or_the_pins_away() -> None:
    assert not {"PrivateDevices", "PrivateUsers", "ProcSubset", "PrivateNetwork"} & set(directives(TABLE))
    assert "AF_NETLINK" in directives(TABLE)["RestrictAddressFamilies"][0]


def test_no_directive_takes_the_screen_away() -> None:
    taken = {
        "PrivateDevices",
        "ProtectHome",
        "ProtectClock",
        "DeviceAllow",
        "DevicePolicy",
        "RestrictNamespaces",
        "MemoryDenyWriteExecute",
    }
    assert not taken & set(directives(KIOSK))


def test_the_kiosk_waits_for_the_page_and_shows_it_full_screen_on_the_first_console() -> None:
    d = directives(KIOSK)
    assert "brehon.service" in d["After"][0].split()
    assert d["TTYPath"] == ["/dev/tty1"]
    assert d["Conflicts"] == ["getty@tty1.service"]
    (waits,), (shows,) = map(shlex.split, d["ExecStartPre"]), map(shlex.split, d["ExecStart"])
    assert waits[0] == "/usr/bin/curl"
    assert waits[-1] == "http://localhost:8000/"
    assert shows[-1] == "http://localhost:8000/${SCREEN}"
    assert "SCREEN=" in d["Environment"]
    assert "--autoplay-policy=no-user-gesture-required" in shows
    assert shows[0] == "/usr/bin/cage"
    assert {"/usr/bin/chromium", "--kiosk"} <= set(shows)
    assert f"--port {8000}" in directives(TABLE)["ExecStart"][0]


# -- users ---------------------------------------------------------------------------------------------------


def test_every_user_and_group_of_the_units_is_created() -> None:
    lines = [
        shlex.split(line)
        for line in USERS.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    users = {line[1] for line in lines if line[0] == "u"}
    members = {(line[1], line[2]) for line in lines if line[0] == "m"}
    for unit in (TABLE, KIOSK):
        d = directives(unit)
        assert d["User"][0] in users
        assert {(d["User"][0], group) for group in d["SupplementaryGroups"][0].split()} <= members
    assert {group for _, group in members} == {line[1] for line in lines if line[0] == "g"}


@pytest.mark.skipif(not shutil.which("systemd-sysusers"), reason="systemd-sysusers is not installed")
def test_systemd_accepts_the_file_of_users(tmp_path: Path) -> None:
    done = run(
        "systemd-sysusers", "--dry-run", f"--root={tmp_path}", "--replace=/etc/sysusers.d/brehon.conf", USERS
    )
    assert done.returncode == 0, done.stderr
    created = re.findall(
        r"Would create (\w+) '?([\w-]+)'?|Creating (\w+) '([\w-]+)'", done.stdout + done.stderr
    )
    assert created, done.stdout + done.stderr


# -- the page that says how to install the units -------------------------------------------------------------


@pytest.mark.parametrize("file", [TABLE, KIOSK, USERS], ids=lambda path: path.name)
def test_the_readme_installs_every_file(file: Path) -> None:
    assert f"/opt/brehon/systemd/{file.name}" in (FOLDER / "README.md").read_text("utf-8")
