"""Long work begun on the page: continued by whoever is there when its doer is gone."""

from pathlib import Path

from thresher.store.jobs import ALIVE, Jobs, State
from thresher.store.people import People


def test_a_job_whose_doer_is_gone_can_be_taken_up_once_where_it_was_left(tmp_path: Path) -> None:
    clock = [1e9]
    with People(tmp_path, lambda: clock[0]) as people:
        jobs = Jobs(people)
        number = jobs.begin("ada", "paths", "a folder", b"{}")
        jobs.step(number, 64, 200)
        assert not jobs.take_up(number), "somebody does it"
        clock[0] += ALIVE + 1
        job = jobs.job(number, "ada")
        assert job
        assert (job.state, job.done, job.total) == (State.INTERRUPTED, 64, 200)
        assert jobs.take_up(number)
        assert not jobs.take_up(number)
        assert [each.state for each in jobs.jobs(None)] == [State.RUNNING]


def test_a_job_that_was_left_at_a_stop_need_not_be_waited_for(tmp_path: Path) -> None:
    with People(tmp_path) as people:
        jobs = Jobs(people)
        number = jobs.begin("ada", "paths", "a folder", b"{}")
        jobs.leave(number)
        assert jobs.take_up(number)


def test_another_accounts_job_is_none(tmp_path: Path) -> None:
    with People(tmp_path) as people:
        jobs = Jobs(people)
        number = jobs.begin("ada", "paths", "a folder", b"{}")
        assert jobs.job(number, "bob") is None
        assert jobs.jobs("bob") == []


def test_what_is_over_stays_over(tmp_path: Path) -> None:
    with People(tmp_path) as people:
        jobs = Jobs(people)
        number = jobs.begin("ada", "paths", "a folder", b"{}")
        jobs.end(number, State.DONE, "learned 3 ham and 4 spam")
        assert not jobs.take_up(number)
        job = jobs.job(number, None)
        assert job
        assert (job.state, job.note) == (State.DONE, "learned 3 ham and 4 spam")
