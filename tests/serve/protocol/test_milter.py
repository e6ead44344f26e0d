"""The milter codec: the same events however the bytes are cut, bounded memory, answers in the version agreed."""

import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.serve.protocol.milter import (
    ACCEPT,
    CONTINUE,
    MAX_PACKET,
    TEMPFAIL,
    Action,
    Decision,
    Event,
    Message,
    MilterError,
    Quit,
    Reply,
    Session,
    Step,
    packet,
    reject,
)

ALL_ACTIONS = 0x1FF
ALL_STEPS = 0x1FFFFF
V2_STEPS = 0x7F
OWN = frozenset({b"x-spam", b"x-thresher"})
TAGS = [(b"X-Spam", b"Yes"), (b"X-Thresher", b"spam,\n why=x")]


def offer(version: int = 6, actions: int = ALL_ACTIONS, steps: int = ALL_STEPS) -> bytes:
    return packet(b"O", struct.pack(">III", version, actions, steps))


def field(name: bytes, value: bytes) -> bytes:
    return packet(b"L", name + b"\0" + value + b"\0")


def mail(
    fields: Sequence[tuple[bytes, bytes]], body: Iterable[bytes] = (b"body\r\n",), queue_id: bytes = b"4XYZ"
) -> bytes:
    """A message as Postfix tells it, when it tells everything."""
    return b"".join(
        [
            packet(b"C", b"mx\0004\x00\x19192.0.2.1\0"),
            packet(b"H", b"mx.away.example\0"),
            packet(b"D", b"Mi\0" + queue_id + b"\0{auth_type}\0\0"),
            packet(b"M", b"<a@away.example>\0SIZE=100\0"),
            packet(b"R", b"<b@home.example>\0"),
            packet(b"R", b"<c@home.example>\0"),
            packet(b"T"),
            *(field(*each) for each in fields),
            packet(b"N"),
            *(packet(b"B", chunk) for chunk in body),
            packet(b"E"),
        ]
    )


FIELDS = [(b"Subject", b" one"), (b"X-Folded", b" two\n\tthree")]
CONVERSATION = offer() + mail(FIELDS) + packet(b"A") + mail([(b"Subject", b" four")], queue_id=b"5ABC") + packet(b"Q")


def events(session: Session, pieces: Iterable[bytes]) -> list[Event]:
    return [event for piece in pieces for event in session.receive(piece)]


def agreed(*, version: int = 6, actions: int = ALL_ACTIONS, steps: int = ALL_STEPS, max_size: int = 1 << 20) -> Session:
    session = Session(max_size)
    [answer] = session.receive(offer(version, actions, steps))
    assert isinstance(answer, Reply)
    return session


def messages(found: Iterable[Event]) -> list[Message]:
    return [event for event in found if isinstance(event, Message)]


def test_a_conversation_gives_its_messages_and_its_end() -> None:
    found = events(Session(1 << 20), [CONVERSATION])
    assert [type(event) for event in found] == [Reply, Message, Message, Quit]
    first, second = messages(found)
    assert first.raw == b"Subject: one\r\nX-Folded: two\r\n\tthree\r\n\r\nbody\r\n"
    assert (first.queue_id, first.truncated) == ("4XYZ", False)
    assert (second.raw, second.queue_id) == (b"Subject: four\r\n\r\nbody\r\n", "5ABC")


def test_one_byte_at_a_time_gives_the_same() -> None:
    whole = events(Session(1 << 20), [CONVERSATION])
    assert events(Session(1 << 20), [CONVERSATION[i : i + 1] for i in range(len(CONVERSATION))]) == whole


@given(st.lists(st.integers(0, len(CONVERSATION)), max_size=20))
def test_any_cutting_gives_the_same(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(CONVERSATION)]
    pieces = [CONVERSATION[first:last] for first, last in pairwise(edges)]
    assert events(Session(1 << 20), pieces) == events(Session(1 << 20), [CONVERSATION])


def test_what_follows_the_end_is_passed_over() -> None:
    assert events(Session(1 << 20), [CONVERSATION + b"\xff" * 50, b"more"]) == events(Session(1 << 20), [CONVERSATION])


@given(st.binary(max_size=200))
def test_any_bytes_give_events_or_the_codecs_own_error(data: bytes) -> None:
    session = Session(1 << 10)
    with suppress(MilterError):
        events(session, [data])


@given(st.lists(st.tuples(st.sampled_from(list(b"ABCDEHKLMNORTUQ")), st.binary(max_size=40)), max_size=12))
def test_any_packets_do(packets: list[tuple[int, bytes]]) -> None:
    session = Session(1 << 10)
    with suppress(MilterError):
        for message in messages(events(session, [packet(bytes([command]), data) for command, data in packets])):
            session.verdict(message, OWN, TAGS, Decision(subject=b"[SPAM] ", quarantine="why"))


@pytest.mark.parametrize("length", [0, MAX_PACKET + 1, 0xFFFFFFFF, int.from_bytes(b"GET ", "big")])
def test_a_length_that_no_packet_has_is_refused_at_once(length: int) -> None:
    with pytest.raises(MilterError, match="packet"):
        events(Session(1 << 20), [struct.pack(">I", length)])


def test_a_command_that_is_none_is_refused() -> None:
    with pytest.raises(MilterError, match="command"):
        events(Session(1 << 20), [packet(b"!")])


@pytest.mark.parametrize("data", [struct.pack(">III", 1, 0, 0), b"short"])
def test_an_offer_that_cannot_be_used_is_refused(data: bytes) -> None:
    with pytest.raises(MilterError):
        events(Session(1 << 20), [packet(b"O", data)])


@pytest.mark.parametrize(("offered", "answered"), [(2, 2), (3, 3), (6, 6), (9, 6)])
def test_the_lower_version_is_agreed_on(offered: int, answered: int) -> None:
    [reply] = events(Session(1 << 20), [offer(offered)])
    assert isinstance(reply, Reply)
    assert struct.unpack(">IcIII", reply.data) == (13, b"O", answered, 0x31, sum(Step))


def test_nothing_is_asked_for_that_was_not_offered() -> None:
    [reply] = events(Session(1 << 20), [offer(2, Action.ADD_HEADERS, V2_STEPS)])
    assert isinstance(reply, Reply)
    _, _, _, actions, steps = struct.unpack(">IcIII", reply.data)
    assert (actions, steps) == (Action.ADD_HEADERS, 0xF)


def test_a_server_of_version_2_gets_an_answer_to_all_it_waits_for() -> None:
    """Connect, helo, mail and recipients may go untold there, but header fields and body chunks are waited for."""
    session = agreed(version=2, steps=0)
    found = events(session, [mail([(b"Subject", b"one")], body=[b"a", b"b"])])
    # connect, helo, mail, two recipients, data, a field, the end of the header, two chunks
    assert found[:-1] == [Reply(CONTINUE)] * 10
    assert messages(found)[0].raw == b"Subject: one\r\n\r\nab"


def test_a_message_broken_off_leaves_nothing_to_the_next() -> None:
    session = agreed()
    half = mail([(b"Subject", b" half"), (b"X-Secret", b" one")])[: -len(packet(b"E"))]
    found = events(session, [half, packet(b"A"), mail([(b"Subject", b" whole")])])
    assert [message.raw for message in messages(found)] == [b"Subject: whole\r\n\r\nbody\r\n"]


def test_of_a_huge_message_the_first_part_is_kept() -> None:
    session = agreed(max_size=100)
    found = events(session, [mail([(b"A", b" b")], body=[b"x" * 60] * 1000)])
    [message] = messages(found)
    assert message.truncated
    assert len(message.raw) <= 110
    assert len(messages(events(session, [mail(FIELDS)]))) == 1


def test_of_endless_header_fields_the_first_are_kept() -> None:
    session = agreed(max_size=100)
    [message] = messages(events(session, [mail([(b"A", b" b")] * 1000)]))
    assert message.truncated
    assert len(message.raw) <= 200


def test_forged_fields_go_the_last_first_and_ours_come() -> None:
    session = agreed()
    forged = [(b"X-SPAM", b" No"), (b"Subject", b" one"), (b"x-spam", b" No"), (b"X-Thresher", b" ham")]
    [message] = messages(events(session, [mail(forged)]))
    assert session.verdict(message, OWN, TAGS, Decision()) == b"".join(
        [
            packet(b"m", struct.pack(">I", 1) + b"X-Thresher\0\0"),
            packet(b"m", struct.pack(">I", 2) + b"x-spam\0\0"),
            packet(b"m", struct.pack(">I", 1) + b"X-SPAM\0\0"),
            packet(b"h", b"X-Spam\0 Yes\0"),
            packet(b"h", b"X-Thresher\0 spam,\n why=x\0"),
            ACCEPT,
        ]
    )


def test_values_begin_with_a_blank_only_where_that_was_agreed() -> None:
    session = agreed(steps=ALL_STEPS & ~Step.LEADING_SPACE)
    [message] = messages(events(session, [mail([(b"Subject", b"one")])]))
    assert message.raw.startswith(b"Subject: one\r\n")
    assert b"X-Spam\0Yes\0" in session.verdict(message, OWN, TAGS, Decision(subject=b"[SPAM] "))


def test_what_the_server_does_not_permit_is_left_out() -> None:
    session = agreed(actions=0)
    [message] = messages(events(session, [mail([(b"X-Spam", b" No")])]))
    assert session.verdict(message, OWN, TAGS, Decision(subject=b"!", quarantine="why")) == ACCEPT


@pytest.mark.parametrize("final", [TEMPFAIL, reject("50% spam")])
def test_what_is_refused_is_not_changed(final: bytes) -> None:
    session = agreed()
    [message] = messages(events(session, [mail(FIELDS)]))
    assert session.verdict(message, OWN, TAGS, Decision(final)) == final
    assert b"50%% spam" in reject("50% spam"), "the protocol takes a percent sign for the beginning of a macro"


def test_a_subject_is_rewritten_or_given_and_a_message_held() -> None:
    session = agreed()
    with_subject, without = messages(events(session, [mail([(b"Subject", b" one")]), mail([(b"From", b" a")])]))
    answer = session.verdict(with_subject, OWN, [], Decision(subject=b"[SPAM] "))
    assert answer == packet(b"m", struct.pack(">I", 1) + b"Subject\0 [SPAM] one\0") + ACCEPT
    assert (
        session.verdict(without, OWN, [], Decision(subject=b"[SPAM] ")) == packet(b"h", b"Subject\0 [SPAM]\0") + ACCEPT
    )
    assert session.verdict(without, OWN, [], Decision(quarantine="why")) == packet(b"q", b"why\0") + ACCEPT
