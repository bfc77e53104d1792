"""Score sheets and files of a table and of an evening."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from dataclasses import replace

import openpyxl
import pytest
from flask import Flask
from flask.testing import FlaskClient
from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

from scorer.game.game import new_game
from scorer.game.scoresheet import player_sheets
from scorer.game.setup import GameSetup
from tests.webapp.conftest import services_of
from tests.webapp.language.test_translations import messages
from tests.webapp.pages.table.test_games import game_of, open_table, totals, words
from webapp.exports import poster_pdf
from webapp.exports.typeset import FAR_EAST, FONT_FILE, KOREAN, marked
from webapp.games.store import Book
from webapp.pages.evening import evenings
from webapp.pages.evening.evenings import LETTERS_OF_A_LINE, LINES_OF_A_PAGE


@pytest.fixture
def table(client: FlaskClient) -> str:
    address = open_table(client, name_W="Łucja", name_N="李小龍")
    totals(client, address, 1, "S", 20, 128, 8, 16)
    client.post(f"{address}/drawn")
    totals(client, address, 3, "E", 40, 4, 0, 12)
    return address


def test_the_page_shows_what_the_scorer_says(app: Flask, client: FlaskClient, table: str) -> None:
    page = words(client.get(f"{table}/sheets"))
    game = game_of(app, table).game
    for name in game.totals:
        (sheet,) = player_sheets(game, name)
        assert f"{name} · wind of the round: East" in page
        final = sheet.result.final
        assert f"Final totals {' '.join(_finals(sheet.totals.values(), final))}" in page
    assert "goulash" in page
    assert "Who paid whom, and for what" in page
    assert "(The winner's score: 128, doubled for East)" in page
    assert "The winner's score: U3A course, sheet 19: Scoring practice" in page
    assert "fill up as you play" in words(client.get(f"{open_table(client)}/sheets"))


def _finals(columns: object, own: object) -> list[str]:
    assert hasattr(columns, "__iter__")
    pairs = [item.final for item in columns]
    numbers = [n for pair in (*pairs, own) for n in (pair.plus, pair.minus)]
    return [f"{number:,}" for number in numbers if number]


def test_csv_has_a_row_for_each_player_and_hand(
    app: Flask, client: FlaskClient, table: str
) -> None:
    answer = client.get(f"{table}/table.csv")
    assert answer.mimetype == "text/csv"
    assert "attachment" in answer.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))
    game = game_of(app, table).game
    assert len(rows) == 4 * len(game.hands)
    gains: dict[str, int] = defaultdict(int)
    for row in rows:
        gains[row["Player"]] += int(row["Gain"])
    assert gains == game.totals
    assert {row["Total"] for row in rows[-4:]} == {str(t) for t in game.totals.values()}


def test_a_workbook_has_a_sheet_for_each_table(app: Flask, client: FlaskClient, table: str) -> None:
    second = open_table(client)
    totals(client, second, 1, "E", 20, 0, 0, 0)
    stored = game_of(app, table)
    data = client.get(f"/evenings/{stored.evening_id}/evening.xlsx").data
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert book.sheetnames == ["Table 1", "Table 2", "All hands"]
    rows = list(book["Table 1"].iter_rows(values_only=True))
    names = list(stored.game.totals)
    assert list(rows[0][4:8]) == names
    assert list(rows[-1][4:8]) == [stored.game.totals[name] for name in names]
    assert book["All hands"].max_row == 1 + 4 * 3 + 4


def test_texts_in_files_are_no_formulas(client: FlaskClient) -> None:
    sent = {"place": "=HYPERLINK(1)"}
    evening = client.post("/evenings", data=sent).headers["Location"]
    table = open_table(client, evening=evening.rsplit("/", 1)[1])
    client.post(f"{table}/drawn")
    assert ",'=HYPERLINK(1)," in client.get(f"{evening}/evening.csv").text
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{evening}/evening.xlsx").data))
    kinds = {cell.data_type for row in book["All hands"].iter_rows() for cell in row}
    assert "f" not in kinds


def test_the_pdf_prints_every_name_and_sheet(
    app: Flask, client: FlaskClient, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rl_config, "pageCompression", 0)
    answer = client.get(f"{table}/table.pdf")
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF-")
    pages = re.findall(rb"/Type /Page\b", answer.data)
    assert len(pages) == 1 + len(game_of(app, table).game.totals)
    assert b"STSong-Light" in answer.data
    assert b"DejaVuSans" in answer.data
    empty = client.get(f"{open_table(client)}/table.pdf")
    assert len(re.findall(rb"/Type /Page\b", empty.data)) == 1


def test_signs_that_our_font_lacks_are_set_in_another() -> None:
    assert marked("Łucja & Zoë") == "Łucja &amp; Zoë"
    assert marked("Li 李") == f'Li <font name="{FAR_EAST}">李</font>'
    assert marked("김") == f'<font name="{KOREAN}">김</font>'
    assert marked("Zoë \U0001f004") == "Zoë", "an emoji that no font has is left out"
    assert marked("\U0001f600") == "\N{EN DASH}"


def heights(data: bytes) -> list[float]:
    """The sizes of print of a PDF that was not compressed."""
    return [float(size) for size in re.findall(rb"/F\d\+?\d* ([\d.]+) Tf", data)]


def test_the_only_sheet_of_a_player_fills_its_page(
    client: FlaskClient, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rl_config, "pageCompression", 0)
    data = client.get(f"{table}/table.pdf").data
    assert any(11.5 < size < 12 for size in heights(data))


def test_an_evening_is_printed_on_one_page(
    app: Flask, client: FlaskClient, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rl_config, "pageCompression", 0)
    evening = game_of(app, table).evening_id
    one = client.get(f"/evenings/{evening}/page.pdf")
    assert one.mimetype == "application/pdf"
    for _ in range(5):
        open_table(client)
    many = client.get(f"/evenings/{evening}/page.pdf")
    for page in (one, many):
        assert len(re.findall(rb"/Type /Page\b", page.data)) == 1
    assert max(heights(one.data)) == 26, "as large as it fits"
    assert max(heights(many.data)) < 26


def test_sixteen_tables_are_printed_on_one_page_in_columns_and_more_are_announced(
    app: Flask, client: FlaskClient, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rl_config, "pageCompression", 0)
    stored = game_of(app, table)
    names = [f"Christa Miller {number}" for number in range(64)]
    tables = [dict(zip("ESWN", names[at:][:4], strict=True)) for at in range(0, 64, 4)]
    games = [replace(stored, book=Book(new_game(GameSetup("bmja-u3a", it)))) for it in tables]
    results = [(place, name, -1234, 1) for place, name in enumerate(names, 1)]
    evening = services_of(app).club.evening(stored.evening_id)
    assert evening is not None
    assert len(names) * 2 + len(games) <= LINES_OF_A_PAGE
    assert max(map(len, names)) <= LETTERS_OF_A_LINE
    with app.test_request_context():
        data = poster_pdf.evening_page(evening, games, results)
        more = poster_pdf.evening_page(evening, games * 2, results)
    assert len(re.findall(rb"/Type /Page\b", data)) == 1
    assert min(heights(data)) >= 8
    assert len(re.findall(rb"/Type /Page\b", more)) == 2
    address = f"/evenings/{stored.evening_id}"
    assert "The evening on one page (PDF)" in words(client.get(address))
    monkeypatch.setattr(evenings, "LINES_OF_A_PAGE", 8)
    assert "The evening on several pages (PDF)" in words(client.get(address))


def test_a_long_round_still_fits(client: FlaskClient) -> None:
    table = open_table(client)
    for number in range(1, 31):
        client.post(f"{table}/hands/{number}/payments", data={"winner": "nobody"})
    assert client.get(f"{table}/table.pdf").status_code == 200
    assert "Hand 31 ·" in words(client.get(table))


def test_an_evening_without_tables_gives_empty_files(client: FlaskClient) -> None:
    evening = client.post("/evenings", data={}).headers["Location"]
    for kind in ("pdf", "csv", "xlsx"):
        assert client.get(f"{evening}/evening.{kind}").status_code == 200
    assert client.get(f"{evening}/evening.doc").status_code == 404


def test_the_chinese_sheets_are_printed_in_chinese(
    client: FlaskClient, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rl_config, "pageCompression", 0)
    chinese = client.get(f"{table}/table.pdf", headers={"Accept-Language": "zh-CN"}).data
    english = client.get(f"{table}/table.pdf").data
    font = pdfmetrics.getFont(FAR_EAST)
    assert isinstance(font, UnicodeCIDFont)
    for told in (
        "圈风",
        "东",
        "对手",
        "最后合计",
        "转后",
        "杂烩局",
        "和牌者",
        "李小龍",
        "谁付给谁",
    ):
        assert font.formatForPdf(told).encode("latin-1") in chinese, told
    assert font.formatForPdf("对手").encode("latin-1") not in english
    for said in (b"Opponents", b"Final totals", b"goulash"):
        assert said in english
        assert said not in chinese


def test_files_for_spreadsheets_are_in_the_language_of_the_page(
    client: FlaskClient, table: str
) -> None:
    asked = {"headers": {"Accept-Language": "zh-CN"}}
    head = client.get(f"{table}/table.csv", **asked).data.decode("utf-8-sig").splitlines()[0]
    assert head == "日期,地点,牌桌,规则,局,圈,和牌者,附注,牌手,风,得失,总分,会员号,第几轮"
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{table}/table.xlsx", **asked).data))
    assert book.sheetnames == ["第 1 桌", "全部各局"]
    rows = list(book["第 1 桌"].iter_rows(values_only=True))
    assert [row[3] for row in (rows[1], *rows[-2:])] == ["起始", "得失", "总分"]


@pytest.mark.parametrize("code", ["de", "nl"])
def test_the_shipped_font_has_every_letter_of_a_language(code: str) -> None:
    known = TTFont("every", str(FONT_FILE)).face.charToGlyph
    letters = {
        sign for _, _, told in messages(code) for text in told for sign in text if sign.isalpha()
    }
    assert {"é", "ë", "ï"} <= letters or {"ä", "ö", "ü", "ß"} <= letters
    assert {sign for sign in letters if ord(sign) not in known} == set()
