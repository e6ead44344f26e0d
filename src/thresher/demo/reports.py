"""Reports that a message could not be delivered (RFC 3464): of one's own mail, or of spam sent in one's name."""

from dataclasses import replace

from thresher.demo.draft import Draft, File, Scene
from thresher.demo.headers import encode
from thresher.demo.mailers import DAEMON

_SUBJECTS = (
    "Undelivered Mail Returned to Sender",
    "Delivery Status Notification (Failure)",
    "Mail delivery failed",
    "failure notice",
)
_REASONS = (
    "550 5.1.1 User unknown",
    "552 5.2.2 Mailbox full",
    "550 5.7.1 Message rejected due to content",
    "451 4.4.1 Connection timed out",
    "550 5.4.1 Recipient address rejected",
    "554 5.7.1 Relay access denied",
)


def report(scene: Scene, kind: str, lost: str, daemon: str, subject: str, message_id: str) -> Draft:
    """Return the report of the host `daemon` that the message of this subject did not reach the address `lost`."""
    dice, owner = scene.dice, scene.world.owner
    reporter = f"mx{dice.between(1, 3)}.{daemon}"
    sender = replace(
        owner,
        name="Mail Delivery System",
        address=f"MAILER-DAEMON@{daemon}",
        mailer=DAEMON,
        version="",
        charset="us-ascii",
        encoding="8bit",
        zone=dice.pick((0, 60, -300, 180)),
        relay=reporter,
        ip="198.51.100.77",
    )
    reason = dice.pick(_REASONS)
    code = reason.split()[1]
    status = f"Reporting-MTA: dns; {reporter}\n\nFinal-Recipient: rfc822; {lost}\nAction: failed\nStatus: {code}\n"
    returned = (
        f"From: <{owner.address}>\nTo: <{lost}>\nSubject: {encode(subject, 'utf-8', 'Q')}\nMessage-ID: {message_id}\n"
    )
    text = (
        f"This is the mail system at host {reporter}.\n\nYour message could not be delivered to one or more recipients."
        f"\n\n<{lost}>: host said: {reason}"
    )
    return Draft(
        kind,
        sender,
        dice.pick(_SUBJECTS),
        text,
        message_id=scene.new_id(sender),
        envelope="<>",
        container="report; report-type=delivery-status",
        files=[
            File("message/delivery-status", "", status.encode(), bare=True),
            File("text/rfc822-headers", "", returned.encode(), bare=True),
        ],
        extra=[("Auto-Submitted", "auto-replied")],
    )
