"""What a screen lets people hear who look at the dice: tones, and a voice where the browser has one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from table.common.tray import TrayState
from tests.page.browsing import CHROMIUM, FLAGS, SETTLED, OpenScreen, Screen, module
from tests.page.conftest import ServeTable
from tests.page.serving import Served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

NOTING = """(() => {
    window.notes = [];
    const Real = OscillatorNode;
    window.OscillatorNode = class extends Real {
        constructor(context, options) {
            super(context, options);
            notes.push(Math.round(options.frequency));
        }
    };
    const Player = AudioContext;
    window.AudioContext = class extends Player {
        constructor() {
            super();
            window.player = this;
        }
    };
})()"""
"""Script: from now on the page notes how high its tones are, in Hz."""

PLAYS = "() => window.player?.state === 'running'"
"""Function of a script: whether tones would be heard."""

RENDERED = """async notes => {
    const { play } = await %s;
    const context = new OfflineAudioContext(1, 3 * 44100, 44100);
    play(context, notes);
    const sound = (await context.startRendering()).getChannelData(0);
    const loud = (from, to) => sound.slice(from * 44100, to * 44100)
        .reduce((most, s) => Math.max(most, Math.abs(s)), 0);
    return { peak: loud(0, 3), end: loud(2.5, 3), click: Math.abs(sound[0]) };
}"""
"""Script: the loudness of notes as the browser plays them, where 1 is the most that is not distorted."""

SIXES = 15
"""Sixes of one turn of Pig between the first and the last to 100."""

VOICES_MS = 3000
"""Longest wait for the voices of a computer."""

HOME, FIFTH, OCTAVE = 587, 880, 1174
"""Hz of the notes that are spoken of here."""


def listening(server: Served, screen: OpenScreen) -> Screen:
    """A kiosk whose sounds were switched on, and that notes them."""
    kiosk = screen(server)
    kiosk.evaluates(NOTING)
    kiosk.taps("#switch-sounds[aria-pressed=false]")
    kiosk.page.wait_for_function(PLAYS)
    assert heard(server, kiosk) == [OCTAVE], "how loud it is"
    return kiosk


def heard(server: Served, kiosk: Screen) -> list[int]:
    """How high the tones since the last call are, without what rings with them."""
    kiosk.page.wait_for_function(SETTLED, arg=server.table.snapshot.seq)
    kiosk.evaluates("new Promise(done => requestAnimationFrame(() => setTimeout(done, 80)))")
    notes: list[int] = kiosk.evaluates("notes.splice(0)")
    assert len(notes) % 2 == 0
    return notes[::2]


def test_a_throw_that_counts_the_next_turn_and_a_foul_sound_different(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = listening(server, screen)
    server.table.throws(4)
    assert heard(server, kiosk) == [OCTAVE]
    kiosk.taps("[data-option=roll]")
    assert heard(server, kiosk) == []
    server.table.throws(1)
    counted, *turn = heard(server, kiosk)
    assert counted == OCTAVE
    (low, high) = turn
    assert (low > HOME, high) == (True, pytest.approx(2 * low, abs=2)), "Ben's own height"
    server.table.throws(3, 4)
    assert heard(server, kiosk) == [FIFTH, HOME]
    server.table.moves(TrayState.HAND)
    server.table.moves(TrayState.WRONG_DICE, "Wrong dice.")
    assert heard(server, kiosk) == [], "a hand tidied up"
    server.table.throws(3, 4)
    assert heard(server, kiosk) == [FIFTH, HOME], "the same foul again"
    assert kiosk.evaluates("localStorage.getItem('brehon.sounds')") == "tones"


def test_a_question_and_a_camera_that_does_not_see_call_people_once(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = listening(server, screen)
    server.table.throws((4, "unsure"))
    assert heard(server, kiosk) == [HOME, FIFTH] * 2
    server.table.moves(TrayState.HAND)
    server.table.moves(TrayState.UNSURE, "What does it show?")
    assert heard(server, kiosk) == [], "a hand passed over the tray"
    server.table.moves(TrayState.WAITING)
    assert heard(server, kiosk) == []
    server.table.blind = True
    server.table.moves(TrayState.DARK, "It is too dark.")
    assert heard(server, kiosk) == [HOME, FIFTH] * 2
    server.table.moves(TrayState.COVERED, "Something covers the camera.")
    assert heard(server, kiosk) == []


def test_an_answer_that_is_taken_back_is_silent_and_the_end_is_not(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = listening(server, screen)
    server.table.throws(6)
    heard(server, kiosk)
    kiosk.taps("[data-option=roll]")
    kiosk.taps("#take-back")
    kiosk.sees("[data-option=roll]")
    assert heard(server, kiosk) == []
    kiosk.taps("[data-option=roll]")
    for _ in range(SIXES):
        server.table.throws(6)
        heard(server, kiosk)
        kiosk.taps("[data-option=roll]")
    server.table.throws(6)
    heard(server, kiosk)
    kiosk.taps("[data-option=hold]")
    kiosk.sees_count("[data-option=roll]", 0)
    rising = heard(server, kiosk)
    assert len(rising) == 5
    assert all(low < high for low, high in pairwise(rising))


def test_sounds_stay_on_when_the_page_is_loaded_again_and_can_be_switched_off(
    serve: ServeTable, screen: OpenScreen
) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = listening(server, screen)
    kiosk.page.add_init_script(NOTING)
    kiosk.page.reload()
    kiosk.sees("#tray-state")
    kiosk.taps("#more")
    kiosk.sees_count("#switch-sounds[aria-pressed=true]", 1)
    kiosk.taps("#more")
    kiosk.page.wait_for_function(PLAYS)
    heard(server, kiosk)
    server.table.throws(4)
    assert heard(server, kiosk) == [OCTAVE]
    kiosk.taps("#switch-sounds")
    kiosk.sees_count("#switch-sounds[aria-pressed=false]", 1)
    kiosk.taps("[data-option=roll]")
    server.table.throws(5)
    assert heard(server, kiosk) == []


def test_the_address_of_a_kiosk_can_ask_for_sounds(pig_table: Served, browser: Browser) -> None:
    page = browser.new_page()
    for asked, pressed in (("", "false"), ("?sounds=tones", "true"), ("?sounds=loud", "false")):
        page.goto(pig_table.url + asked)
        page.locator(f"#switch-sounds[aria-pressed={pressed}]").wait_for()
    page.close()


def test_tones_are_loud_enough_clean_and_short(pig_table: Served, screen: OpenScreen) -> None:
    kiosk = screen(pig_table)
    kiosk.sees("#tray-state")
    script = RENDERED % module("tones.js")
    chord = [{"hz": HOME, "at": 0, "seconds": 0.9}, {"hz": FIFTH, "at": 0.15, "seconds": 0.9}]
    one = kiosk.page.evaluate(script, chord[:1])
    two = kiosk.page.evaluate(script, chord)
    for sound in (one, two):
        assert 0.2 < sound["peak"] < 0.9
        assert sound["end"] == 0
        assert sound["click"] < 0.01


def reading_out(kiosk: Screen) -> int:
    """Switches sounds on, and waits for the voices, which a browser loads when it is first asked.

    Returns how many buttons read out.
    """
    kiosk.taps("#switch-sounds")
    kiosk.sees_count("#switch-sounds[aria-pressed=true]", 1)
    kiosk.page.wait_for_timeout(VOICES_MS)
    return kiosk.counts("#switch-voice")


@pytest.fixture
def speaking(browser: Browser) -> Iterator[Browser]:
    """A browser that has the computer's voices, where there are any."""
    own = browser.browser_type.launch(
        executable_path=str(CHROMIUM), args=[*FLAGS, "--enable-speech-dispatcher"]
    )
    yield own
    own.close()


VOICES = "speechSynthesis.getVoices().filter(v => v.localService && v.lang.startsWith('en')).length"
"""Script: how many English voices this browser has."""


def test_only_a_browser_with_a_voice_of_its_own_offers_to_read_out(
    pig_table: Served, screen: OpenScreen
) -> None:
    kiosk = screen(pig_table)
    assert reading_out(kiosk) == (kiosk.evaluates(VOICES) > 0)


def test_what_happens_is_read_out_by_a_voice_of_the_computer(serve: ServeTable, speaking: Browser) -> None:
    server = serve("pig", "Ann:green", "Ben:red", start="Ann")
    kiosk = Screen(speaking.new_page()).opens(server.url)
    kiosk.evaluates("""(() => {
        window.spoken = [];
        const speak = speechSynthesis.speak.bind(speechSynthesis);
        speechSynthesis.speak = words => { spoken.push([words.text, words.voice.lang]); speak(words); };
    })()""")
    if not reading_out(kiosk):
        pytest.skip("this browser has no voice; on Linux it has those of speech-dispatcher and espeak-ng")
    kiosk.taps("#switch-voice")
    kiosk.page.wait_for_timeout(300)
    server.table.throws(4)
    kiosk.page.wait_for_function("() => spoken.length > 0")
    ((text, language),) = kiosk.evaluates("spoken")
    assert text == "Ann threw 4. 4 this turn. Ann: hold 4 or throw again?"
    assert language.startswith("en")
