"""The file of results is read strictly, and the figures worked out from it are right."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.bars import differing_lines, evaluate
from bench.results import (
    Results,
    WrongResults,
    calibration_error,
    disagreements,
    errors_in_tail,
    figures,
    one_minus_auc_percent,
    read_results,
    spam_missed,
)
from thresher.choose.calibration import expected_calibration_error, sigmoid
from thresher.choose.metrics import evaluate_scores
from thresher.demo import messages

INDEX = [("spam", "a one"), ("ham", "b"), ("ham", "c")]
SCORES = [1.25, -0.3, 40.0]
PROBABILITIES = [0.8, 0.4, 1.0]


def written(digits: str = "") -> list[str]:
    """Write the lines that `evaluate` would; without a format, with every digit."""
    return [
        f"{label}\t{format(p, digits) if digits else repr(p)}\t{score!r}\t{path}\n"
        for (label, path), p, score in zip(INDEX, PROBABILITIES, SCORES, strict=True)
    ]


def test_results_come_back_as_they_were_written() -> None:
    results = read_results("".join(written()), INDEX)
    assert results == Results([True, False, False], PROBABILITIES, SCORES)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (written()[:2], "2 lines"),
        (["".join(written()).rstrip("\n")], "lines"),
        ([written()[1], written()[0], written()[2]], "line 1"),
        ([written()[0].replace("spam", "ham"), *written()[1:]], "line 1"),
        ([*written()[:2], written()[2].replace("\tc", "\td")], "line 3"),
        ([*written()[:2], written()[2].replace("\tc", "")], "line 3"),
        ([*written()[:2], written()[2].replace("40.0", "40.00")], "line 3: a number"),
        ([written()[0], "ham\t1.5\t-0.3\tb\n", written()[2]], "line 2: 1.5 is no probability"),
        (written(".6f"), "line 1"),
    ],
    ids=["short", "end", "order", "label", "path", "no-path", "zero", "no-probability", "rounded"],
)
def test_results_that_break_the_promise_are_refused_by_line(lines: list[str], said: str) -> None:
    with pytest.raises(WrongResults, match=said):
        read_results("".join(lines), INDEX)


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from([-800.0, -1.0, 0.0, 1e-9, 0.25, 1.0, 37.0, 800.0])), min_size=1)
)
def test_figures_are_those_the_product_prints(drawn: list[tuple[bool, float]]) -> None:
    """Two ways to every figure: the product's with NumPy, and the plain one of the benchmark; ties included."""
    spam, scores = [True, False, *(one for one, _ in drawn)], [0.25, -1.0, *(score for _, score in drawn)]
    report = evaluate_scores(spam, scores, sigmoid(scores))
    printed = {name: getattr(report, name) for name in report.__struct_fields__}
    printed["expected_calibration_error"] = expected_calibration_error(spam, sigmoid(scores))
    ours = figures(Results(spam, sigmoid(scores).tolist(), scores))
    assert disagreements(printed, ours) == []


def test_one_minus_auc_counts_wrong_pairs_and_half_of_the_ties() -> None:
    """Of six pairs one is wrong and one tied."""
    spam, scores = [True, True, False, False, False], [3.0, 1.0, 2.0, 1.0, 0.0]
    assert one_minus_auc_percent(spam, scores) == pytest.approx(100 * 1.5 / 6)


def test_spam_is_missed_below_the_ham_that_must_be_kept() -> None:
    """Of two thousand ham two may be lost, so the third highest is kept."""
    ham = [float(i) for i in range(2000)]
    spam = [1996.5, 1997.0, 1997.5, 3000.0]
    assert spam_missed([False] * 2000 + [True] * 4, ham + spam) == pytest.approx(2 / 4)


def test_the_calibration_error_is_that_of_bins_by_hand() -> None:
    """Two in one bin: said 1.5 together, was 1; one in another: said 0.2, was 0; over three messages."""
    assert calibration_error([True, False, False], [0.74, 0.76, 0.2]) == pytest.approx((0.5 + 0.2) / 3)


def test_errors_of_the_tail_are_counted_in_the_tail_alone() -> None:
    results = Results([True, True, False, False], [0.1, 0.5, 0.6, 0.5], [0.0] * 4)
    assert [errors_in_tail(results, tail) for tail in (1, 2, 3, 4)] == [0, 1, 2, 3]


def test_a_figure_printed_otherwise_or_not_at_all_is_named() -> None:
    ours = {"brier": 0.25, "errors": 3, "log_loss": math.e}
    assert disagreements({"brier": 0.25 + 1e-9, "errors": 3, "log_loss": None}, ours) == ["brier", "log_loss"]


def test_lines_that_differ_are_counted_whichever_file_is_longer() -> None:
    assert differing_lines(b"a\nb\nc\n", b"a\nb\nc\n") == 0
    assert differing_lines(b"a\nb\nc\n", b"a\nX\nc\n") == 1
    assert differing_lines(b"a\nb\n", b"a\nb\nc\nd\n") == differing_lines(b"a\nb\nc\nd\n", b"a\nb\n") > 0


def test_the_real_evaluate_keeps_its_promise_on_demo_mail(tmp_path: Path) -> None:
    """One run of the command, its file and its figures held to one another; one process or two, the same bytes."""
    rows = []
    for number, message in enumerate(messages(150, 3)):
        (tmp_path / f"{number} .eml").write_bytes(message.raw)
        rows.append(f"{message.label} {number} .eml\n")
    index = tmp_path / "demo.index"
    index.write_text("".join(rows))
    two, one = evaluate(index, tmp_path, 2), evaluate(index, tmp_path, 1)
    assert len(two.results.spam) == 150
    assert json.dumps(two.results) == json.dumps(one.results)
    assert two.out == one.out
