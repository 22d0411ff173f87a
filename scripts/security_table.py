"""Writes the table of docs/security.md: for each promise, the tests that show it and what they measured last.

python scripts/security_table.py                     the table, from what was recorded (benchmarks/figures.json)
python scripts/security_table.py --measure           runs every test of the table first, and records what it measured
python scripts/security_table.py --measure server/   only those whose name has this part

A test that is named here and does not exist is an error; a promise without a recorded figure says so.
Benchmarks record their own figures: python benchmarks/server.py (with --soak 60), python benchmarks/attacks.py, python
benchmarks/fuzz.py 10000.
"""

import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree  # reads what pytest has just written
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from recorded import record, recorded  # noqa: E402  # pyright: ignore[reportMissingImports]

PAGE = ROOT / "docs/security.md"
BEGIN, END = "<!-- made by scripts/security_table.py -->\n", "<!-- end -->\n"


@dataclass(frozen=True)
class Promise:
    tried: str
    holds: str
    tests: tuple[str, ...]  # below tests/: file::function
    benchmarks: tuple[str, ...] = ()  # what benchmarks recorded under these names


def promise(tried: str, holds: str, *tests: str, benchmarks: tuple[str, ...] = ()) -> Promise:
    return Promise(tried, holds, tests, benchmarks)


GATE, CHECKPOINT = "server/test_gate.py::test_", "training/test_checkpoint.py::test_"
DOOR, LEAKS = "attending/test_door.py::test_", "attending/test_leaks_and_hidden_rows.py::test_"
HOSTILE = "models/huggingface/test_hostile_folders.py::test_"
GGUF = "models/gguf/test_hostile_files.py::test_"
PARITY = "models/huggingface/test_parity.py::test_"
PROPERTIES = "properties/test_attention_properties.py::test_"
TRAIN = "training/test_train_command.py::test_"
PROCESSES = "training/test_processes.py::test_"
BOUNDS = "session/test_bounds.py::test_"
PROMISES = (
    promise(
        "kill -9 inside a training step and inside a save",
        "losses and weights of the resumed run are those of an unbroken one, bit for bit",
        TRAIN + "killed_in_a_step_it_goes_on_bit_for_bit",
        CHECKPOINT + "killed_25_times_while_saving_the_folder_loads_every_time",
    ),
    promise(
        "one-bit flips and truncations of a checkpoint",
        "each is noticed, the checkpoint before is used, and that is said",
        CHECKPOINT + "400_random_flips_and_400_truncations_are_detected",
        CHECKPOINT + "every_byte_of_the_manifest_matters",
        TRAIN + "a_damaged_checkpoint_is_passed_over_and_said",
    ),
    promise(
        "every route, method and WebSocket without a session",
        "401 or 403; only the page's own files, which hold no data, are served",
        GATE + "every_route_and_method_without_a_session_is_refused",
        GATE + "every_websocket_without_a_session_is_refused_before_it_is_accepted",
        GATE + "wrong_values_are_refused",
        GATE + "the_session_is_taken_from_no_cookie_and_no_address",
        GATE + "a_login_value_is_exchanged_once_and_then_worthless",
        "web/test_letting_in.py::test_a_server_on_another_port_obtains_nothing_and_can_overwrite_nothing",
    ),
    promise(
        "foreign names that point to this machine (DNS rebinding)",
        "only exact loopback names with the own port pass",
        GATE + "only_exact_loopback_names_pass",
        GATE + "no_host_or_two_are_refused",
    ),
    promise(
        "requests of other sites (Origin, Sec-Fetch-Site)",
        "403, never 500; every answer has the security headers and none a CORS header",
        GATE + "requests_of_other_sites_are_refused",
        GATE + "a_link_from_anywhere_opens_the_page_and_nothing_else",
        GATE + "every_answer_has_the_security_headers_and_none_has_cors",
    ),
    promise(
        "a malicious model folder (pickle, remote code)",
        "a planted canary never fires",
        HOSTILE + "it_is_refused_in_one_line_and_nothing_is_run",
        HOSTILE + "what_is_asked_for_is_not_done",
    ),
    promise(
        "error of every kernel against float64",
        "at most 2 times that of the plain formula forward and 3 times backward, in float32, bfloat16 and float16; "
        "torch's own backward on a CPU is apart: up to 10 times where scores are large",
        DOOR + "errors_in_single_precision_are_at_most_twice_those_of_the_formula",
        DOOR + "in_half_precision",
    ),
    promise(
        "gradients by hand against finite differences and autograd",
        "relative error at most 1e-6",
        "models/test_gradients_of_variants.py::test_every_gradient_agrees_with_central_differences",
        "ops/test_formula_gradients.py::test_the_blame_of_a_formula_agrees_with_central_differences",
        DOOR + "gradients_of_every_kernel_agree_with_differences",
    ),
    promise(
        "poison in the future of a causal model, up to the largest number",
        "the past is the same, bit for bit; a NaN is never taken for a number",
        LEAKS + "poison_in_the_future_leaves_the_past_bit_for_bit",
        DOOR + "poison_in_the_future_leaves_the_past_bit_for_bit",
        DOOR + "what_is_no_number_is_never_taken_for_one",
        DOOR + "in_half_precision",
    ),
    promise(
        "rows that may see nothing, no text, one token",
        "zeros, finite gradients, clear errors",
        LEAKS + "rows_that_see_nothing_give_zeros_and_finite_gradients",
        LEAKS + "nothing_visible_at_all",
        DOOR + "rows_that_see_nothing_give_zeros_and_finite_gradients",
        DOOR + "one_token_or_none",
    ),
    promise(
        "tiny random models of Hugging Face's layouts, both ways",
        "logits and weights differ by at most 4e-5 in float32",
        PARITY + "their_models_give_the_same_numbers_here_and_come_back_bit_for_bit",
        PARITY + "our_models_give_the_same_numbers_there_and_come_back_bit_for_bit",
    ),
    promise(
        "properties of attention for random numbers",
        "0 of at least 2,000 examples fail",
        PROPERTIES + "every_row_sums_to_one_or_sees_nothing",
        PROPERTIES + "softmax_does_not_see_a_shift",
        PROPERTIES + "shuffled_queries_give_shuffled_contexts",
        PROPERTIES + "there_are_as_many_examples_as_promised",
    ),
    promise(
        "markup in tokens, file names, model names and files",
        "no node is added, and the policy is there",
        "web/test_markup_stays_text.py::test_markup_in_a_sentence_and_its_next_word_adds_no_node",
        "web/test_markup_stays_text.py::test_markup_in_names_of_models_and_in_links_stays_text",
        "web/test_markup_stays_text.py::test_the_policy_is_there_and_nothing_breaks_it",
        "web/test_offline_file.py::test_markup_in_tokens_and_names_adds_no_elements",
        "views/test_offline.py::test_no_text_becomes_markup_and_only_the_own_script_runs",
    ),
    promise(
        "a full disk; a write error at any call",
        "the old file stays, temporary ones go, the message is clear",
        CHECKPOINT + "a_write_error_at_any_call_loses_nothing",
        CHECKPOINT + "a_limit_on_file_size_as_the_system_itself_enforces_it",
        HOSTILE + "a_full_disk_leaves_nothing",
        "test_replacing.py::test_whichever_call_fails_the_old_file_stays",
        "test_replacing.py::test_a_full_disk_leaves_the_old_file",
    ),
    promise(
        "paths that lead elsewhere",
        "403 or 404, and no hint whether a file exists; errors name no path",
        GATE + "paths_that_lead_elsewhere_find_nothing",
        GATE + "names_of_models_do_not_tell_what_lies_on_this_machine",
        "server/test_errors_name_no_path.py::test_a_run_that_cannot_be_opened_is_named_without_its_folder",
        "server/test_errors_name_no_path.py::test_what_nobody_expected_is_told_without_its_words",
    ),
    promise(
        "hostile safetensors, GGUF files, tokenizers, configurations, films, word vectors, packed texts and traces; "
        "pipes, devices and links",
        "one clear error, in less than 200 MB",
        HOSTILE + "all_of_them_together_cost_little",
        HOSTILE + "random_changes_are_refused_or_do_no_harm",
        GGUF + "a_hostile_file_is_refused",
        GGUF + "all_of_them_together_cost_little",
        GGUF + "cut_anywhere_it_is_noticed",
        GGUF + "three_hundred_mutations_crash_nothing",
        GGUF + "only_a_plain_file_is_opened",
        "training/test_film.py::test_what_is_no_film_is_refused",
        "vectors/test_files.py::test_what_is_broken_is_told",
        "vectors/test_files.py::test_sixty_damaged_files_of_each_kind",
        "watching/test_command.py::test_a_trap_is_refused_before_anybody_opens_it",
        CHECKPOINT + "hostile_tensors",
        CHECKPOINT + "2000_mutated_headers_give_tensors_or_one_kind_of_error",
        "trace/test_files.py::test_every_cut_and_many_flips_are_refused_or_harmless",
        "trace/test_files.py::test_compressed_bombs_are_refused",
        "test_strangers.py::test_only_a_plain_file_is_opened",
        "training/test_from_elsewhere.py::test_a_packed_text_of_more_than_any_text_has_is_not_unpacked",
    ),
    promise(
        "texts and numbers that are far too large",
        "413 or 422 in less than 100 ms",
        "server/test_limits.py::test_bombs_are_refused",
        GATE + "large_bodies_are_refused_announced_or_not",
        benchmarks=("bombs refused",),
    ),
    promise(
        "clients of a stream that take nothing",
        "at most 5 MB more; what they missed is said",
        "server/test_live_training.py::test_clients_that_stall_cost_little_and_see_their_gap",
        "server/test_live_training.py::test_a_watcher_that_falls_behind_is_told_what_it_missed",
    ),
    promise(
        "the server or the trainer is killed",
        "the other goes on, and the stream resumes",
        "server/test_live_training.py::test_server_and_trainer_live_and_die_apart",
    ),
    promise(
        "one process of several is killed",
        "the run starts anew from the last checkpoint, to an equal end; it listens on loopback only",
        PROCESSES + "a_killed_rank_is_started_anew_to_a_bit_identical_end",
        PROCESSES + "nobody_else_can_connect_sigterm_saves_and_one_process_goes_on",
    ),
    promise(
        "SIGTERM, Ctrl-C, Ctrl-C twice, a closed window",
        "saved; exit status 143 or 130; the server ends cleanly",
        TRAIN + "asked_to_stop_it_saves_and_says_so",
        "cli/test_train_in_a_terminal.py::test_ctrl_c_twice_leaves_at_once_and_what_was_saved_is_good",
        "cli/test_train_in_a_terminal.py::test_a_closed_window_saves",
        "server/test_opening.py::test_ctrl_c_ends_it_cleanly_also_while_it_computes_and_while_somebody_watches",
    ),
    promise(
        "a loss that is no number",
        "training stops, the good checkpoint stays",
        TRAIN + "a_loss_that_is_no_number_stops_and_the_good_checkpoint_stays",
        "training/test_loop.py::test_a_loss_that_is_no_number_stops",
    ),
    promise(
        "the same settings twice",
        "the same numbers",
        TRAIN + "the_same_command_makes_the_same_run",
        "training/test_loop.py::test_the_same_settings_make_the_same_numbers_and_another_seed_others",
    ),
    promise(
        "random requests made from the OpenAPI document",
        "no answer is 5xx",
        "server/test_fuzz.py::test_random_requests_never_fail_inside",
        benchmarks=("fuzz",),
    ),
    promise(
        "slow and broken HTTP; a client that asks for all",
        "health of others: p99 below 250 ms; clients take turns",
        "server/test_work.py::test_clients_take_turns_however_much_one_of_them_asks_for",
        "server/test_slow_clients.py::test_others_are_answered_while_hundreds_dawdle",
        "server/test_slow_clients.py::test_broken_requests_are_refused_and_the_line_is_closed",
        benchmarks=("health, 200 slow and broken clients", "health, while english is explained"),
    ),
    promise(
        "two trainers in one folder",
        "the second is refused",
        TRAIN + "a_second_trainer_is_refused_while_the_first_goes_on",
        CHECKPOINT + "a_second_trainer_is_refused_until_the_first_is_killed",
    ),
    promise(
        "the same work for a long time",
        "less than 1 MB more in an hour, file handles steady",
        "server/test_soak.py::test_repeated_work_leaves_nothing_behind",
        "server/test_live_training.py::test_a_watcher_that_leaves_at_once_takes_the_reader_of_its_file_along",
        benchmarks=("soak",),
    ),
    promise(
        "a machine that has nothing but Python, and no network",
        "regard works, and nothing is fetched at run time",
        "server/test_opening.py::test_it_never_asks_anything_of_the_network",
        "web/test_offline_file.py::test_a_toy_is_live_offline_down_to_its_arithmetic",
        "test_package.py::test_a_bare_machine_is_told_all_that_the_tests_need",
    ),
    promise(
        "requests that cost as much as they may: long texts, moves, edits, updates, writing on, crowds at the door",
        "at most 512 MB above the model; health of others: p99 below 250 ms",
        BOUNDS + "cells_are_counted_after_every_change",
        BOUNDS + "what_is_computed_is_kept_within_its_bound_and_forgetting_changes_no_number",
        BOUNDS + "a_state_that_does_not_fit_is_answered_and_not_kept",
        BOUNDS + "what_measuring_adds_to_a_kept_state_is_counted_and_dropped",
        BOUNDS + "the_further_runs_of_a_measurement_are_on_the_bill",
        BOUNDS + "generation_has_the_budget_of_every_run",
        "server/test_bounded_work.py::test_work_for_a_client_that_left_does_not_finish",
        "server/test_bounded_work.py::test_a_crowd_at_the_door_leaves_room_for_others_and_no_traceback",
        benchmarks=("attacks",),
    ),
)

# how what a test has measured reads; of whole numbers, which are counts, the one and the many
MEASURED = {
    "times_forward": "{} times forward",
    "times_gradients": "{} times backward",
    "times_torchs_own": "{} times in torch's own backward",
    "megabytes": "at most {} MB",
    "difference": "largest difference {}",
    "relative_error": "largest relative error {}",
}
COUNTED = {
    "requests": ("request", "requests"),
    "websockets": ("WebSocket route", "WebSocket routes"),
    "names": ("name", "names"),
    "answers": ("answer", "answers"),
    "headers": ("header", "headers"),
    "damages": ("damage", "damages"),
    "mutations": ("mutation", "mutations"),
    "examples": ("example", "examples"),
}


def tests() -> list[str]:
    """Every test of the table, once."""
    return list(dict.fromkeys(test for one in PROMISES for test in one.tests))


def missing() -> list[str]:
    """Tests that are named here and do not exist."""
    return [test for test in tests() if not _exists(*test.split("::"))]


def _exists(file: str, function: str) -> bool:
    path = ROOT / "tests" / file
    return path.is_file() and re.search(rf"^def {function}\(", path.read_text(encoding="utf-8"), re.M) is not None


def measure(chosen: list[str]) -> int:
    """Run these tests, and record how many cases passed and what they measured."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        paths = [f"tests/{test}" for test in chosen]
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "0",
            "-o",
            "junit_family=xunit1",
            "--junitxml",
            str(report),
        ]
        status = subprocess.run([*command, *paths], cwd=ROOT).returncode
        cases = ElementTree.parse(report).getroot().iter("testcase")
        found: dict[str, list[ElementTree.Element]] = {}
        for case in cases:
            file = case.attrib["classname"].removeprefix("tests.").replace(".", "/")
            found.setdefault(f"{file}.py::{case.attrib['name'].partition('[')[0]}", []).append(case)
    for test, its in found.items():
        passed = sum(not any(case.find(bad) is not None for bad in ("failure", "error", "skipped")) for case in its)
        record("tests", test, cases=len(its), passed=passed, figures=_together(its))
    return status


def _together(cases: list[ElementTree.Element]) -> dict[str, float]:
    """Whole numbers are added up; of others the largest counts."""
    whole: dict[str, int] = {}
    largest: dict[str, float] = {}
    for said in (each for case in cases for each in case.iter("property")):
        name, value = said.attrib["name"], said.attrib["value"]
        if re.fullmatch(r"-?\d+", value):
            whole[name] = whole.get(name, 0) + int(value)
        else:
            largest[name] = max(largest.get(name, float("-inf")), float(value))
    return {**whole, **{name: float(f"{value:.3g}") for name, value in largest.items()}}


def table() -> str:
    found = recorded()
    lines = ["| # | what is tried | what holds | latest figure | shown by |", "|---|---|---|---|---|"]
    for number, one in enumerate(PROMISES, 1):
        files: dict[str, list[str]] = {}
        for test in one.tests:
            file, _, function = test.partition("::")
            files.setdefault(file, []).append(f"`{function}`")
        shown = "; ".join(f"tests/{file}: {', '.join(names)}" for file, names in files.items())
        lines.append(f"| {number} | {one.tried} | {one.holds} | {figure(one, found)} | {shown} |")
    return "\n".join(lines) + "\n"


def figure(one: Promise, found: dict[str, dict[str, Any]]) -> str:
    measured = [found["tests"][test] for test in one.tests if test in found["tests"]]
    if len(measured) < len(one.tests):
        return "not recorded"
    passed, cases = (sum(each[key] for each in measured) for key in ("passed", "cases"))
    whole: dict[str, int] = {}
    largest: dict[str, float] = {}
    for name, value in (pair for each in measured for pair in each["figures"].items()):
        if isinstance(value, int):
            whole[name] = whole.get(name, 0) + value
        else:
            largest[name] = max(largest.get(name, value), value)
    said = [f"{passed:,} of {cases:,} passed"]
    said += [MEASURED[name].format(f"{value:.3g}") for name, value in largest.items()]
    said += [f"{count:,} {COUNTED[name][count != 1]}" for name, count in whole.items()]
    dates = {each["date"] for each in measured}
    for name in one.benchmarks:
        kept = found["benchmarks"].get(name)
        said.append(f"{name}: {kept['figure']}" if kept else f"{name}: not recorded")
        dates |= {kept["date"]} if kept else set()
    return f"{'; '.join(said)} ({' to '.join(sorted({min(dates), max(dates)}))})"


def written() -> str:
    """The page as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


def main() -> int:
    if missing():
        sys.exit("these tests do not exist: " + ", ".join(missing()))
    status = 0
    if sys.argv[1:2] == ["--measure"]:
        status = measure([test for test in tests() if all(part in test for part in sys.argv[2:])])
    PAGE.write_text(written(), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
