"""What the owner gets from people: family, friends, colleagues, strangers with a reason, and their machines."""

from dataclasses import replace

from thresher.demo import files
from thresher.demo.draft import Draft, File, Scene, Thread
from thresher.demo.html import personal
from thresher.demo.links import anywhere, article
from thresher.demo.mailers import CALENDAR, SCANNER
from thresher.demo.people import Person, invent, person

_ONE_BREATH = 2
"""Sentences that nobody divides into paragraphs."""
_REPLY_MARKS = {"de": "AW: ", "fr": "Re : ", "it": "R: ", "en": "Re: "}
_FORWARD_MARKS = {"de": "WG: ", "fr": "TR : ", "it": "I: ", "es": "RV: ", "en": "Fwd: "}
_PHONE_NOTES = (
    "Sent from my phone",
    "Sent from my mobile, excuse typos",
    "Von meinem Telefon gesendet",
    "Envoyé de mon téléphone",
)


def known_link(scene: Scene) -> str:
    """Return a link as people send it: often to the same few places."""
    dice = scene.dice
    if dice.chance(0.5):
        return anywhere(dice)
    return article(dice, dice.favour(scene.world.magazines + scene.world.services).host)


def _pose(scene: Scene, sender: Person) -> None:
    """Set the scene for a person who writes."""
    scene.speak(sender.language)
    scene.introduce(sender)
    scene.known["link"] = known_link(scene)
    scene.known["company"] = scene.world.office.name


def dress(scene: Scene, draft: Draft, blocks: list[str]) -> Draft:
    """Give the draft its text, and HTML if its sender's program writes HTML."""
    draft.text = "\n\n".join(blocks)
    mailer = draft.sender.mailer
    if scene.chance(mailer.html):
        draft.html = personal(mailer.layout, blocks, scene.dice, spaced=scene.language.spaced)
    return draft


def paragraphs(scene: Scene, sentences: list[str]) -> list[str]:
    """Return the sentences in a few paragraphs."""
    glue = " " if scene.language.spaced else ""
    if len(sentences) <= _ONE_BREATH or scene.chance(0.4):
        return [glue.join(sentences)]
    cut = scene.dice.between(1, len(sentences) - 1)
    return [glue.join(sentences[:cut]), glue.join(sentences[cut:])]


def closing(scene: Scene, sender: Person, rule: str) -> list[str]:
    """Return the end of a letter: good wishes and a name, sometimes a signature."""
    name = sender.given if rule == "bye" else sender.name
    rows = [f"{scene.say(rule)}\n{name}"]
    if sender.mailer.key == "pocket" and scene.chance(0.7):
        rows.append(scene.dice.pick(_PHONE_NOTES))
    elif sender.title and scene.chance(0.6):
        rows.append(
            f"-- \n{sender.name} | {sender.title}\n{scene.world.office.name}\nTel. +44 20 7946 0{scene.dice.digits(3)}"
        )
    return rows


def _letter(scene: Scene, kind: str, sender: Person, rule: str, *, most: int = 6) -> Draft:
    """Return a letter made of sentences of a rule."""
    _pose(scene, sender)
    draft = Draft(kind, sender, scene.say(f"{rule}_subject"), message_id=scene.new_id(sender))
    blocks = paragraphs(scene, scene.several(rule, 1, most))
    if scene.chance(0.85):
        blocks.insert(0, scene.say("hi"))
    if scene.chance(0.9):
        blocks += closing(scene, sender, "bye")
    return dress(scene, draft, blocks)


def family(scene: Scene) -> Draft:
    """A letter within the family."""
    sender = scene.dice.favour(scene.world.family)
    draft = _letter(scene, "family", sender, "family")
    scene.remember(draft, (sender,))
    return draft


def friend(scene: Scene) -> Draft:
    """A letter from a friend, who may be far away."""
    sender = scene.dice.favour(scene.world.friends)
    draft = _letter(scene, "friend", sender, "family", most=8)
    scene.remember(draft, (sender,))
    return draft


def work(scene: Scene) -> Draft:
    """A colleague begins a conversation."""
    dice, world = scene.dice, scene.world
    sender = dice.favour(world.colleagues)
    draft = _letter(scene, "work", sender, "work")
    copied = tuple(dice.some(world.colleagues, dice.between(0, 4))) if dice.chance(0.4) else ()
    draft.cc = tuple(one.mailbox for one in copied if one is not sender)
    if dice.chance(0.18):
        stem = scene.say("project" if scene.has("project") else "document").replace(" ", "_")
        name = f"{stem}{dice.pick(('', '_v2', '_final', f'_{dice.digits(4)}'))}.{dice.pick(('pdf', 'docx', 'xlsx'))}"
        draft.files.append(files.document(dice, name))
    scene.remember(draft, (sender, *copied))
    return draft


def quote(scene: Scene, author: str, text: str) -> str:
    """Return what is quoted, as repliers quote it."""
    scene.known["quoted"] = author
    rows = text.split("\n")[: scene.dice.between(2, 12)]
    return "\n".join([scene.say("wrote"), *[f"> {row}" if row else ">" for row in rows]])


def answer(scene: Scene, thread: Thread, sender: Person, kind: str) -> Draft:
    """Return the next message of a conversation."""
    _pose(scene, sender)
    dice, owner = scene.dice, scene.world.owner
    mark = _REPLY_MARKS.get(sender.language, "Re: ")
    subject = thread.subject if thread.subject[:4].lower() in {"re: ", "aw: "} else mark + thread.subject
    draft = Draft(kind, sender, subject, message_id=scene.new_id(sender), references=thread.references)
    replies = scene.several("reply", 1, 2)
    topic = "work" if thread.kind in {"work", "invitation"} else "family"
    if dice.chance(0.5):
        replies += scene.several(topic, 1, 2)
    blocks = paragraphs(scene, replies)
    if dice.chance(0.35):
        # The owner has answered in between, which only the quotation shows.
        between = " ".join(scene.several("reply", 1, 2))
        quoted = f"{quote(scene, owner.name, between)}\n{quote(scene, thread.speaker.name, thread.text)}"
    else:
        quoted = quote(scene, thread.speaker.name, thread.text)
    if sender.mailer.key in {"hound", "bird", "kontakt", "cube"}:
        blocks = [quoted, *blocks]
    else:
        blocks.append(quoted)
    if dice.chance(0.5):
        blocks.insert(0, scene.say("hi"))
    if dice.chance(0.6):
        blocks[-1:-1] = closing(scene, sender, "bye")
    return dress(scene, draft, blocks)


def thread(scene: Scene) -> Draft:
    """Somebody answers in a conversation of late."""
    open_threads = [one for one in scene.threads if one.list_index < 0]
    if not open_threads:
        return work(scene)
    last = open_threads[-1 - int(scene.dice.random() ** 2 * len(open_threads))]
    sender = scene.dice.pick(last.people)
    draft = answer(scene, last, sender, "thread")
    others = tuple(one.mailbox for one in last.people if one is not sender)
    draft.cc = others[:4]
    scene.remember(draft, last.people)
    return draft


def note(scene: Scene) -> Draft:
    """A line or two, or nothing but a link or a file: little to judge by."""
    dice, world = scene.dice, scene.world
    sender = dice.favour(world.family + world.friends)
    _pose(scene, sender)
    subject = scene.say("family_subject") if dice.chance(0.6) else ""
    draft = Draft("short-note", sender, subject, message_id=scene.new_id(sender))
    text = scene.say("note") if scene.has("note") else scene.say("reply")
    blocks = [text if dice.chance(0.7) else scene.known["link"]]
    if dice.chance(0.4):
        blocks.append(sender.given)
    if dice.chance(0.25):
        draft.files.append(files.pdf(dice, f"{invent(dice).lower()}.pdf"))
    return dress(scene, draft, blocks)


def photos(scene: Scene) -> Draft:
    """Pictures, with hardly a word."""
    dice, world = scene.dice, scene.world
    sender = dice.favour(world.family + world.friends)
    _pose(scene, sender)
    draft = Draft("photos", sender, scene.say("family_subject"), message_id=scene.new_id(sender))
    stem = dice.pick(("IMG_", "DSC", "P10", "photo", scene.say("place").replace(" ", "-") + "_"))
    for _ in range(dice.between(1, 3)):
        draft.files.append(files.jpeg(dice, f"{stem}{dice.digits(4)}.{dice.pick(('jpg', 'jpeg', 'JPG'))}"))
    blocks = scene.several("family", 0, 2)
    return dress(scene, draft, [*blocks, sender.given])


def stranger(scene: Scene) -> Draft:
    """Somebody never heard of has a good reason to write: the hard ham."""
    dice = scene.dice
    code = scene.hear("stranger")
    sender = person(dice, code, "" if dice.chance(0.6) else f"{invent(dice).lower()}.example")
    _pose(scene, sender)
    draft = Draft("stranger", sender, scene.say("stranger_subject"), message_id=scene.new_id(sender))
    blocks = paragraphs(scene, scene.several("stranger", 1, 4))
    if dice.chance(0.3):
        blocks.append(scene.known["link"])
    blocks = [scene.say("dear" if dice.chance(0.6) else "hi"), *blocks, *closing(scene, sender, "regards")]
    if dice.chance(0.2):
        name = (
            f"{dice.pick(('CV', 'letter', 'form', 'offer', invent(dice)))}_{sender.given}.{dice.pick(('pdf', 'docx'))}"
        )
        draft.files.append(files.document(dice, name))
    draft.auth = dice.pick(("pass", "pass", "none", "soft"))
    if dice.chance(0.5):
        scene.remember(draft, (sender,))
    return dress(scene, draft, blocks)


def forward(scene: Scene) -> Draft:
    """A friend or colleague passes on a newsletter or a fraud and asks about it: spam's words in ham."""
    dice, world = scene.dice, scene.world
    sender = dice.favour(world.family + world.colleagues)
    _pose(scene, sender)
    questions = scene.several("reply", 1, 1) + scene.several("family", 0, 1)
    rules = [rule for rule in ("bank", "invest", "parcel", "news", "pharma", "win", "bill") if scene.has(rule)]
    rule = dice.pick(rules)
    scene.known["link"] = anywhere(dice)
    scene.known["company"] = dice.pick(world.companies).name
    subject = scene.say(f"{rule}_subject")
    draft = Draft("forward", sender, _FORWARD_MARKS.get(sender.language, "Fwd: ") + subject)
    draft.message_id = scene.new_id(sender)
    origin = f"{invent(dice)} <{dice.token(6)}@{invent(dice).lower()}.example>"
    inner = "\n\n".join(scene.several(rule, 1, 4))
    if dice.chance(0.3):
        headers = f"From: {origin}\nTo: <{sender.address}>\nSubject: {dice.token(8)}\nMIME-Version: 1.0\n"
        kind = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"
        draft.files.append(File("message/rfc822", "", f"{headers}{kind}\n{inner}\n".encode(), bare=True))
        return dress(scene, draft, [*paragraphs(scene, questions), *closing(scene, sender, "bye")])
    head = f"---------- Forwarded message ---------\nFrom: {origin}\nSubject: {subject}\n\n{inner}"
    return dress(scene, draft, [*paragraphs(scene, questions), *closing(scene, sender, "bye"), head])


def scan(scene: Scene) -> Draft:
    """The copier at the office sends a scan; its software is old, and forgets the date."""
    dice, office = scene.dice, scene.world.office
    sender = replace(
        office.post("scanner", f"Copier {dice.between(1, 4)}"),
        mailer=SCANNER,
        version="Scan-to-Mail 2.4",
        charset="us-ascii",
        encoding="8bit",
    )
    number = dice.digits(5)
    draft = Draft(
        "scan", sender, dice.pick((f"Scan {number}", f"Scanned document {number}", "Message from copier", ""))
    )
    draft.text = dice.pick(
        (f"Pages: {dice.between(1, 30)}\nFormat: PDF", "Attached is your scan. Do not reply.", "", number)
    )
    draft.files.append(files.pdf(dice, f"{dice.pick(('scan', 'SCN_', 'doc'))}{number}.pdf"))
    draft.flaws = frozenset({"date"}) if dice.chance(0.5) else frozenset()
    draft.message_id = scene.new_id(sender) if dice.chance(0.6) else ""
    draft.auth = "none"
    return draft


def invitation(scene: Scene) -> Draft:
    """A calendar invites to a meeting."""
    dice, world = scene.dice, scene.world
    host = dice.favour(world.colleagues)
    _pose(scene, host)
    sender = replace(host, mailer=CALENDAR, version="")
    subject = scene.say("work_subject")
    place = f"Room {dice.between(100, 420)}" if dice.chance(0.6) else scene.say("place")
    draft = Draft(
        "invitation", sender, f"{dice.pick(('Invitation', 'Updated invitation', 'Accepted', 'Canceled'))}: {subject}"
    )
    draft.message_id = scene.new_id(sender)
    data = files.calendar(
        dice, subject, place, host.address, world.owner.address, scene.time + 3600 * dice.between(4, 300)
    )
    draft.files.append(File("text/calendar; charset=utf-8; method=REQUEST", "invite.ics", data))
    when = scene.say("when")
    join = article(dice, world.office.host)
    draft.text = f"{subject}\n\n{when}\n{place}\n{host.name}\n\n{' '.join(scene.several('work', 0, 1))}\n\n{join}"
    draft.html = personal("web", [subject, when, place, host.name, join], dice)
    scene.remember(draft, (host,))
    return draft
