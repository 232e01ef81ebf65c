"""Access for everyone: axe finds nothing serious on any screen, and the page can be enlarged to 200 %."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.util import find_spec
from typing import Literal

import pytest

from table.games import GAMES
from tests.page.browsing import KIOSK, PHONE, SETTLED, TIMEOUT_MS, Screen, Screens
from tests.page.serving import served
from tests.page.situations import ShowingTable, situations

pytestmark = pytest.mark.browser

AXE = "axe_playwright_python"

FINDINGS = """async () => (await axe.run({ resultTypes: ['violations'], preload: false })).violations
    .filter(each => ['serious', 'critical'].includes(each.impact))
    .map(each => `${each.id}: ${each.nodes.slice(0, 4).map(node => node.html.slice(0, 150)).join('  ')}`)"""
"""Script: what axe finds that is serious or critical, with the elements."""

PLAYED = (
    ("pig", "choose"),
    ("pig", "over"),
    ("five_dice", "keep"),
    ("bricrius_bluff", "bid"),
    ("sigily", "bets"),
    ("sigily", "choose"),
    ("high_rollin", "pick"),
    ("down_the_danube", "choose many"),
    ("highland", "choose"),
    ("mia", "hidden"),
)
"""The situations to look at: the game, and the kind of its prompt."""

VIEWS = {
    "new game": ("main.new form",),
    "rules": ("#read-rules", "#rulebook"),
    "place of the tray": ("#set-tray", "#save-place"),
    "colours": ("input[value=pig]", "#dice-colours", "#learn"),
    "sticks": ("input[value=sigily]", "#own-sticks", "#learn"),
    "health": ("#set-tray", "#step-health", "#findings"),
    "camera": ("#set-tray", "#step-camera", ".meter"),
    "lights": ("#set-tray", "#step-lights", "#no-lights"),
    "phones": ("#set-tray", "#step-phones", ".qr"),
}
"""The views that are opened from a new game: what to tap, and last what is seen then."""


ENLARGED = (640, 400)
"""A laptop of 1280 x 800 px at 200 %."""

NARROW = (320, 568)
"""A small phone."""

NARROWEST = (320, 256)
"""A laptop of 1280 x 1024 px at 400 %, as in success criterion 1.4.10 of the WCAG."""

PHONE_ENLARGED = (195, 422)
"""A phone of 390 x 844 px at 200 %."""

KIOSK_ENLARGED = (400, 240)
"""The kiosk at 200 %."""

REFLOWED = {
    "laptop at 200 %": ENLARGED,
    "small phone": NARROW,
    "laptop at 400 %": NARROWEST,
    "phone at 200 %": PHONE_ENLARGED,
}

UNREACHABLE = """(() => {
    const wrong = [];
    const open = document.querySelector('dialog[open]') ?? document; // a dialog covers the rest
    const parts = '.head nav button, main button, main input, .who, #prompt, .scores .points';
    for (const e of open.querySelectorAll(parts)) {
        if (!e.checkVisibility({visibilityProperty: true})) continue;
        if (e.closest('.head:not([data-view=play])')) continue;
        e.scrollIntoView({block: 'center'});
        const r = e.getBoundingClientRect();
        const there = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
        const covered = !(there && (e.contains(there) || there.contains(e)));
        const cut = r.left < -1 || r.right > innerWidth + 1 ||
            (e.scrollWidth > e.clientWidth + 1 && e.tagName !== 'INPUT');
        if (covered || cut)
            wrong.push(`${covered ? 'covered' : 'cut'}: ${e.id || e.className} ${e.innerText}`);
    }
    if (document.scrollingElement.scrollWidth > innerWidth) wrong.push('the page is wider than the screen');
    scrollTo(0, 0);
    const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    const boxes = [...document.querySelectorAll('.play > *, .side > *, .board > svg, .board .by > *')]
        .filter(e => !e.matches('.shower') && e.checkVisibility() && e.getBoundingClientRect().height > 0);
    for (const a of boxes) for (const b of boxes)
        if (a !== b && !a.contains(b) && !b.contains(a) && a.compareDocumentPosition(b) & 4 &&
            overlap(a.getBoundingClientRect(), b.getBoundingClientRect()))
            wrong.push(`${a.className} overlaps ${b.className}`);
    for (const e of document.querySelectorAll('main, main *')) {
        const how = getComputedStyle(e);
        if (!e.checkVisibility() || e.closest('svg, .unseen, select, input')) continue;
        const [hidden, across] = [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth];
        if (['auto', 'scroll'].includes(how.overflowX) && across > 1 && !e.matches('.wide'))
            wrong.push(`${e.className} scrolls sideways`);
        if (['auto', 'scroll'].includes(how.overflowY) && hidden > 4 && e.clientHeight < 48)
            wrong.push(`${e.className} shows ${e.clientHeight} of ${e.scrollHeight} px`);
        if (how.overflowY === 'hidden' && hidden > 4 && !e.matches('.rulings, .name, .dialog *'))
            wrong.push(`${e.className} hides ${hidden} px`);
    }
    return wrong;
})()"""
"""Script: the controls and the texts to decide by that no scrolling brings into view, what covers a part,
and what scrolls sideways or has no room to scroll. A view beside the play has a band of one line."""


FEW_SCORES = """(() => {
    const row = document.querySelector('.scores'), how = getComputedStyle(row);
    const right = row.getBoundingClientRect().right - parseFloat(how.paddingRight);
    const names = [...row.querySelectorAll('.name')].map(name => {
        const text = document.createRange();
        text.selectNodeContents(name);
        return new Set([...text.getClientRects()].map(r => Math.round(r.top))).size;
    });
    return [right - row.lastElementChild.getBoundingClientRect().right, names];
})()"""
"""Script: the width that is left beside the scores, px, and the number of lines of each name."""


@pytest.fixture(scope="module")
def axe() -> str:
    if find_spec(AXE) is None:
        pytest.skip("axe-playwright-python is not installed")
    return (resources.files(AXE) / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> ShowingTable:
    return ShowingTable(tmp_path_factory.mktemp("table"), hand=[1, 2])


@pytest.fixture(scope="module")
def screen(screens: Screens, table: ShowingTable) -> Iterator[Screen]:
    with served(table) as server, screens.one(KIOSK, fresh=True) as opened:
        opened.page.add_init_script("localStorage.setItem('brehon.coach', 'on')")
        yield opened.opens(server.url)
        assert opened.console_errors == []


def show(screen: Screen, table: ShowingTable, game: str, kind: str) -> None:
    """Shows a situation, and waits until it is on the screen."""
    (situation,) = (each for each in situations(game) if each.kind == kind)
    seq = table.show(situation.snapshot())
    screen.page.wait_for_function(SETTLED, arg=seq, timeout=TIMEOUT_MS)


def opened_views(screen: Screen) -> Iterator[str]:
    """Opens one view after another, and gives the name of each."""
    for name, (*taps, seen) in VIEWS.items():
        for tap in ("#tab-new", *taps):
            screen.taps(tap)
        screen.sees(seen)
        yield name
        if name == "rules":
            screen.taps("#close-rules")
        screen.taps("#tab-play")


@pytest.mark.parametrize(
    ("size", "scheme"), [(KIOSK, "dark"), (PHONE, "light")], ids=["dark kiosk", "light phone"]
)
def test_axe_finds_nothing_serious(
    screen: Screen,
    table: ShowingTable,
    axe: str,
    size: tuple[int, int],
    scheme: Literal["dark", "light"],
) -> None:
    page = screen.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(axe)
    found = {"home": page.evaluate(FINDINGS)}
    for game, kind in PLAYED:
        show(screen, table, game, kind)
        found[f"{game}, {kind}"] = page.evaluate(FINDINGS)
    show(screen, table, "highland", "over")
    screen.taps("#tab-sheet")
    found["sheet"] = page.evaluate(FINDINGS)
    screen.taps("#tab-play")
    for view in opened_views(screen):
        found[view] = page.evaluate(FINDINGS)
    assert [f"{where}: {each}" for where, several in found.items() for each in several] == []


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for n, game in enumerate(GAMES) for name in list(REFLOWED)[n % 2 :: 2]]
)
def test_everything_can_be_reached_when_enlarged(
    screen: Screen, table: ShowingTable, game: str, name: str
) -> None:
    """Each game at every other size, and the next game at the sizes between."""
    size = REFLOWED[name]
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    found: list[str] = []
    for situation in situations(game):
        show(screen, table, game, situation.kind)
        found += [f"{situation}: {each}" for each in screen.evaluates(UNREACHABLE)]
    assert found == []


@pytest.mark.parametrize("size", REFLOWED.values(), ids=REFLOWED)
def test_every_view_can_be_reached_when_enlarged(
    screen: Screen, table: ShowingTable, size: tuple[int, int]
) -> None:
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    show(screen, table, "midnight", "over")
    screen.taps("#tab-sheet")
    found = [f"sheet: {each}" for each in screen.evaluates(UNREACHABLE)]
    screen.taps("#tab-play")
    for view in opened_views(screen):
        found += [f"{view}: {each}" for each in screen.evaluates(UNREACHABLE)]
    assert found == []


def test_the_button_that_starts_a_game_is_in_sight_on_a_laptop_at_200_percent(
    screen: Screen, table: ShowingTable
) -> None:
    screen.page.set_viewport_size({"width": ENLARGED[0], "height": ENLARGED[1]})
    show(screen, table, "midnight", "over")
    screen.taps("#tab-new")
    for game in ("pig", "sigily"):
        screen.taps(f"input[value={game}]")
        screen.evaluates("scrollTo(0, 0)")
        start = screen.box("#start")
        assert start["y"] + start["height"] <= ENLARGED[1]
    screen.taps("#tab-play")


def test_no_rules_scroll_sideways_on_a_phone_at_200_percent(screen: Screen, table: ShowingTable) -> None:
    screen.page.set_viewport_size({"width": PHONE_ENLARGED[0], "height": PHONE_ENLARGED[1]})
    show(screen, table, "midnight", "over")
    screen.taps("#tab-new")
    wide = []
    for game in GAMES:
        screen.taps(f"input[value={game}]")
        screen.taps("#read-rules")
        screen.sees("#rulebook")
        if screen.evaluates("(e => e.scrollWidth > e.clientWidth)(document.querySelector('.pages'))"):
            wide.append(game)
        screen.taps("#close-rules")
    screen.taps("#tab-play")
    assert wide == []


@pytest.mark.parametrize("size", [KIOSK_ENLARGED, ENLARGED], ids=["kiosk", "laptop"])
def test_the_names_of_few_players_stay_on_one_line_and_fill_the_row_when_enlarged(
    screen: Screen, table: ShowingTable, size: tuple[int, int]
) -> None:
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    show(screen, table, "sigily", situations("sigily")[0].kind)
    unused, lines = screen.evaluates(FEW_SCORES)
    assert unused <= 1
    assert set(lines) == {1}
