"""What stands side by side in a line, or one below the other, belongs together only where it does."""

from regard.audit.page import audit


def failures(text: str, name: str = "page.md") -> list[tuple[int, str, str]]:
    return [(found.line, found.claimed, found.computed) for found in audit(text, name).failures]


def test_a_wide_gap_in_a_comment_parts_two_equations():
    text = "#   k2 = [2, -0.5, -1]    q.k2 = 2 - 1 + 1   = {}     2.0 / 1.732 =  1.155\n"
    text += "#   k3 = [0, 1, 3]        q.k3 = 0 + 2 - 3   = -1.0   -1.0 / 1.732 = {}\n"
    assert failures(text.format("2.0", "-0.577"), "tiny.py") == []
    assert failures(text.format("3.0", "-0.577"), "tiny.py") == [(1, "3.0", "2")]
    assert failures(text.format("2.0", "-0.775"), "tiny.py") == [(2, "-0.775", "-0.577367")]


def test_a_gap_inside_of_brackets_parts_the_numbers_of_a_list():
    assert failures("    a = [1  2  3], b = 2 + 2 = 4\n") == []


def test_a_line_is_as_sure_as_the_points_it_was_drawn_through():
    rows = ["1 | 6.00e-4", "0.8536 | 5.21e-4", "0.5 | 3.30e-4", "0.1464 | 1.39e-4", "0 | 6.00e-5"]
    assert failures("| a | rate |\n|---|---|\n" + "\n".join(f"| {row} |" for row in rows)) == []


def test_a_difference_in_percent_of_what_it_was_compared_with():
    text = "We found 9.87 m/s². The book says 9.81 m/s². We are off by 0.06, that is {} %."
    assert failures(text.format("0.6")) == []


def test_a_list_ends_at_a_colon():
    text = "With logits 3, 1 and 0.5:\n\n* Exponentials 20.086, 2.718, {}; that is all.\n"
    assert failures(text.format("1.649")) == [] and failures(text.format("1.469")) == [(3, "1.469", "1.64872")]


def test_bars_of_a_length_are_no_table():
    text = (
        "- |a|² = 0.64 + 0.09 + 0.04 = 0.77, hence |a| ≈ 0.877\n- |b|² = 0.36 + 0.25 + 0.01 = {}, hence |b| ≈ 0.787\n"
    )
    assert failures(text.format("0.62")) == [] and failures(text.format("0.26"))[0][:2] == (2, "0.26")


def test_a_row_that_is_counted_is_no_total():
    rows = ["0  0.0000  0.0000  1.00", "1  0.0464  0.0022  1.00", "2  0.0927  0.0043  1.00", "3  0.1388  0.0065  1.00"]
    assert failures("pos  sin w1  sin w2  cos\n" + "\n".join(rows) + "\n") == []


def test_about_a_sum_of_rounded_numbers():
    assert failures("1.649 + 0.741 + 2.226 ≈ 4.615") == [] and failures("1.649 + 0.741 + 2.226 ≈ 4.651") != []


def test_a_power_of_e_whose_exponent_is_rounded():
    assert failures("e^1.414 = 4.113, e^2.121 = 8.342") == [] and failures("e^1.414 = 4.131") == [
        (1, "4.131", "4.11237")
    ]


def test_a_result_that_counts_twice():
    assert failures("e^1.414 = 4.113 (twice), e^2.121 = 8.342, total 16.569") == []


def test_a_last_row_of_sums_without_a_name():
    rows = ["5 & $-7$ & 49", "12 & 0 & 0", "8 & $-4$ & 16", "20 & 8 & 64", "15 & 3 & 9", "10 & $-2$ & 4", "14 & 2 & 4"]
    table = "\\begin{tabular}{r|r|r}\n$x$ & $x-\\bar x$ & $(x-\\bar x)^2$\\\\ \\hline\n"
    text = table + "\\\\\n".join([*rows, "84 & 0 & 146"]) + "\n\\end{tabular}\n"
    assert failures(text) == []


def test_a_sum_of_three_rounded_numbers_may_be_off_by_one():
    text = "e^3 = 20.086, e^2 = 7.389, e^0.5 = 1.649, and 20.086 + 7.389 + 1.649 = {}"
    assert failures(text.format("29.123")) == [] and failures(text.format("29.213")) != []
    assert failures("2.25 + 0.33 + 0.41 = 3.00") == [(1, "3.00", "2.99")]


def test_what_comes_from_a_number_far_above():
    text = "A tower of 19.6 m.\n\nv = 9.8 * 2.0 = 19.6 m/s, that is 70.56 km/h.\n\nAfter 1.5 s: "
    text += "0.5 * 9.8 * 1.5^2 = 4.9 * 2.25 = 11.025 m\nso there are still 8.575 m to go.\n"
    assert failures(text) == []


def test_a_mean_square_is_no_square():
    text = "Mean square (9 + 16 + 0 + 25) / 4 = 50 / 4 = {}, root 3.536."
    assert failures(text.format("12.5")) == [] and failures(text.format("15.2"))[0][1] == "15.2"
