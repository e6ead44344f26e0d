"""A draft to bytes: the trace, the headers in the order of the sender's mailer, the body. Line ends are LF."""

from operator import itemgetter

from thresher.demo.cast import World
from thresher.demo.dice import Dice
from thresher.demo.draft import Draft, Scene
from thresher.demo.headers import (
    authentication,
    date,
    dkim_signature,
    encode,
    fold,
    literal,
    mailbox,
    mailboxes,
    received,
)
from thresher.demo.mime import body

_NAMED = 0.6
"""Share of messages that name the recipient besides the address."""
_LAST = 1_000
"""A place in the order of headers behind all that have one."""


def _bot_hop(draft: Draft, dice: Dice) -> tuple[str, str, str]:
    """Return what a hijacked computer calls itself, its name and its address."""
    ip = draft.sender.ip
    name = f"host-{ip.replace('.', '-').replace(':', '-')}.{draft.sender.relay.partition('.')[2]}"
    helo = dice.pick((draft.sender.host, name, name, dice.token(7), "localhost", f"[192.0.2.{dice.between(1, 254)}]"))
    return helo, dice.pick((name, "unknown")), ip


def _trace(draft: Draft, dice: Dice, world: World, time: float) -> list[str]:
    """Return the lines that the hosts on the way have put on top."""
    sender = draft.sender
    envelope = draft.envelope or f"<{sender.address}>"
    rows = [f"Return-Path: {envelope}", f"Delivered-To: {world.owner.address}"]
    here = date(time + dice.between(2, 40), world.owner.zone)
    if draft.route == "local":
        by = f"Received: by {world.mx} (Postfix, from userid {dice.between(0, 999)})"
        return [*rows, f"{by}\n\tid {dice.hexadecimal(10).upper()};\n\t{here}"]
    if draft.route == "bot":
        rows.append(received(dice, _bot_hop(draft, dice), world.mx, here, world.owner.address))
    else:
        rows.append(received(dice, (sender.relay, sender.relay, sender.ip), world.mx, here, world.owner.address))
        until = date(time + dice.between(0, 3), sender.zone)
        inner = f"{dice.pick(('webmail', 'app', 'web', 'node'))}-{dice.between(1, 40)}.{sender.host}"
        helo, name = (literal(sender.inner_ip), "unknown") if draft.route == "people" else (inner, inner)
        rows.append(received(dice, (helo, name, sender.inner_ip), sender.relay, until))
    envelope_host = envelope.strip("<>").partition("@")[2] or sender.relay
    rows.append(authentication(world.mx, sender.host, envelope_host, draft.auth))
    if draft.auth == "pass" and draft.route != "bot":
        rows.append(dkim_signature(dice, sender.host, int(time)))
    return rows


def _fields(draft: Draft, scene: Scene) -> list[tuple[str, str]]:
    """Return the headers the sender's mailer writes, in no order yet."""
    sender, style, charset = draft.sender, draft.sender.mailer.word_style, draft.charset
    to = draft.to or (scene.world.owner.mailbox if scene.chance(_NAMED) else ("", scene.world.owner.address),)
    fields = [
        ("From", mailbox(sender.mailbox, charset, style)),
        ("To", mailboxes(to, charset, style)),
        ("Subject", draft.subject if "subject" in draft.flaws else encode(draft.subject, charset, style)),
    ]
    if "date" not in draft.flaws:
        fields.append(("Date", date(scene.time, sender.zone)))
    if draft.message_id:
        fields.append(("Message-ID", draft.message_id))
    if draft.cc:
        fields.append(("Cc", mailboxes(draft.cc, charset, style)))
    if draft.reply_to:
        fields.append(("Reply-To", draft.reply_to))
    if draft.references:
        fields += [("In-Reply-To", draft.references[-1]), ("References", "\n ".join(draft.references))]
    if sender.mailer.header:
        fields.append((sender.mailer.header, sender.version))
    return fields + draft.extra


def compose(draft: Draft, scene: Scene) -> bytes:
    """Return the message as it lies in the owner's mailbox."""
    mailer, dice = draft.sender.mailer, scene.dice
    draft.charset = draft.charset or draft.sender.charset
    draft.encoding = draft.encoding or draft.sender.encoding
    whole = body(draft, dice, spaced=scene.language.spaced)
    fields = [*_fields(draft, scene), ("MIME-Version", "1.0"), *whole.headers]
    placed = [(*mailer.places.get(name.lower(), (_LAST, name)), value) for name, value in fields]
    placed.sort(key=itemgetter(0))
    rows = _trace(draft, dice, scene.world, scene.time)
    rows += [fold(f"{name}: {value}") for _, name, value in placed]
    # Only a subject that is wrong on purpose is not ASCII here; it is sent as 8-bit bytes of the message's charset.
    head = "\n".join(rows).encode("ascii" if "subject" not in draft.flaws else "utf-8")
    return head + b"\n\n" + whole.body
