"""Which folder is for what: by what the server says, by what its owner says, by its name."""

import pytest

from thresher.boxes.mailbox import INBOX, Folder
from thresher.filing.roles import NAMES, Role, folder_for, roles_of


def test_the_servers_word_counts_before_a_name() -> None:
    roles = roles_of([Folder("Bulk", "\\Junk"), Folder("Junk"), Folder(INBOX)], {})
    assert roles == {"Bulk": Role.JUNK, "Junk": Role.OTHER, INBOX: Role.INBOX}


def test_the_owners_word_counts_before_the_servers() -> None:
    folders = [Folder("Bulk", "\\Junk"), Folder("Unwanted"), Folder(INBOX)]
    assert roles_of(folders, {"junk": "Unwanted"})["Unwanted"] is Role.JUNK
    assert roles_of(folders, {"junk": "Unwanted"})["Bulk"] is Role.OTHER
    assert folder_for(Role.JUNK, folders, {"junk": "Unwanted"}) == "Unwanted"


@pytest.mark.parametrize(("role", "names"), NAMES.items())
def test_names_in_many_languages_are_known_in_any_case(role: Role, names: tuple[str, ...]) -> None:
    assert len(names) > 10
    for name in names:
        assert roles_of([Folder(name.title())], {})[name.title()] is role


def test_no_name_stands_for_two_things() -> None:
    every = [name for names in NAMES.values() for name in names]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("name", ["INBOX/Junk", "[Gmail]/Spam", "Junk/Old/Older"])
def test_junk_is_known_where_servers_put_it(name: str) -> None:
    assert roles_of([Folder(name)], {})[name] is Role.JUNK


def test_a_folder_deep_down_that_is_named_like_one_is_not_one() -> None:
    assert roles_of([Folder("Lists/Spam")], {})["Lists/Spam"] is Role.OTHER


def test_the_uppermost_folder_of_a_role_is_the_one_to_file_into() -> None:
    assert folder_for(Role.JUNK, [Folder("Junk/Old"), Folder("Junk"), Folder(INBOX)], {}) == "Junk"
    assert folder_for(Role.JUNK, [Folder(INBOX)], {}) is None
