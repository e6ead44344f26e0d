"""Who sends spam, and how it is dressed: bots, free accounts, sites broken into, firms that look like any other."""

from dataclasses import replace

from thresher.demo import files, links
from thresher.demo.campaigns import Campaign
from thresher.demo.disguise import STYLES, disguise, hidden
from thresher.demo.draft import Draft, File, Scene
from thresher.demo.ham_machines import list_headers
from thresher.demo.ham_people import dress
from thresher.demo.html import Look, letter
from thresher.demo.mailers import MACHINES, PEOPLE
from thresher.demo.people import Company, invent, invent_host, person

_BOTS = (MACHINES[3], PEOPLE[3], MACHINES[1], *MACHINES, *PEOPLE)
_BROKEN_INTO = (MACHINES[1], *PEOPLE[5:7], *MACHINES, *PEOPLE)
_UNDISCLOSED = (("", "undisclosed-recipients:;"),)


def campaign_of(scene: Scene) -> Campaign:
    """Return what the spam of the scene belongs to."""
    if scene.campaign is None:
        message = "spam is written in a scene with a campaign"
        raise ValueError(message)
    return scene.campaign


def firm(scene: Scene) -> Company:
    """Return the firm that has this sent, and let texts know it."""
    dice = scene.dice
    chosen = campaign_of(scene).firm
    scene.known["company"] = chosen.name
    scene.known["host"] = chosen.host
    scene.known["link"] = links.campaign(dice, chosen.links) if dice.chance(0.6) else links.article(dice, chosen.host)
    return chosen


def hand(scene: Scene, draft: Draft, chosen: Company | None = None) -> Draft:
    """Let somebody send the draft: a bot, a free account, a site broken into, or the firm itself."""
    dice, code = scene.dice, scene.language.code
    sender = campaign_of(scene).sender
    if sender == "firm" and chosen is not None:
        draft.sender = replace(
            chosen.post(dice.pick(("info", "news", "offers", "hello", "contact", "team", "service"))),
            name=dice.pick((chosen.name, scene.say("any"), f"{scene.say('any')} - {chosen.name}")),
            charset=dice.pick(scene.language.charsets), language=code, zone=dice.pick(scene.language.zones),
        )  # fmt: skip
        draft.route, draft.auth = "bulk", dice.pick(("pass", "pass", "pass", "none"))
        if dice.chance(0.5):
            draft.extra += list_headers(scene, chosen)
    elif sender in {"firm", "bot"}:
        draft.sender = person(dice, code, mailers=_BOTS)
        draft.route, draft.auth = "bot", dice.pick(("none", "none", "soft", "soft", "fail", "fail"))
    elif sender == "free":
        draft.sender = person(dice, code)
        draft.route, draft.auth = "people", "pass"
    else:
        draft.sender = person(dice, code, invent_host(dice), mailers=_BROKEN_INTO)
        draft.route, draft.auth = dice.pick(("people", "bulk")), dice.pick(("pass", "none"))
    scene.introduce(draft.sender)
    draft.message_id = scene.new_id(draft.sender) if dice.chance(0.93) else ""
    if dice.chance(0.12):
        draft.reply_to = f"{invent(dice).lower()}{dice.between(1, 99)}@{person(dice, 'en').host}"
    if dice.chance(0.08):
        draft.to = _UNDISCLOSED
    return draft


def somebody(scene: Scene) -> Draft:
    """Return an empty draft, whose sender is still to be found."""
    return Draft("", scene.world.owner, "")


def wording(scene: Scene, rule: str, low: int, high: int) -> list[str]:
    """Return what the spam says, sometimes disguised, sometimes between harmless words."""
    dice = scene.dice
    texts = scene.several(rule, low, high)
    if dice.chance(0.1):
        texts.insert(dice.between(0, len(texts)), scene.say(dice.pick(("family", "work", "reply"))))
    style = campaign_of(scene).style
    if scene.language.spaced and style:
        texts = [disguise(text, style, dice) for text in texts]
    return texts


def heading(scene: Scene, rule: str) -> str:
    """Return a subject line, in capitals or disguised or pretending an answer now and then."""
    dice = scene.dice
    subject = scene.say(f"{rule}_subject")
    match dice.between(0, 24):
        case 0:
            return subject.upper()
        case 1 | 2:
            return f"{dice.pick(('Re: ', 'RE:', 'Fwd: ', 'FW: '))}{subject}"
        case 3 if scene.language.spaced:
            return disguise(subject, dice.pick(tuple(STYLES)), dice, 0.7)
        case 4:
            return f"{subject} {dice.token(6)}"
        case _:
            return subject


def as_letter(scene: Scene, draft: Draft, chosen: Company, texts: list[str], offers: list[str]) -> Draft:
    """Dress the draft as a newsletter."""
    dice = scene.dice
    look = Look(
        chosen.name, chosen.colour, chosen.font, chosen.images, scene.say("click"), scene.known["link"],
        texts[0] if dice.chance(0.3) else "",
        f"https://{chosen.links}/o/{dice.token(20)}" if dice.chance(0.6) else "",
        hidden(filler(scene, 2, 6), dice) if dice.chance(0.12) else "",
    )  # fmt: skip
    footer = [*scene.several("unsubscribe", 0, 2), chosen.footer]
    priced = [(offer, links.campaign(dice, chosen.links)) for offer in offers]
    draft.html = letter(look, draft.subject, texts, priced, footer, dice)
    if dice.chance(0.5):
        rows = [f"{offer}\n{url}" for offer, url in priced]
        draft.text = "\n\n".join([*texts, *rows, f"{look.button}: {look.link}", *footer])
    return draft


def as_note(scene: Scene, draft: Draft, texts: list[str]) -> Draft:
    """Dress the draft as a person's letter, with a link if need be."""
    dice = scene.dice
    blocks = [scene.say("dear")] if dice.chance(0.5) else [scene.say("hi")] if dice.chance(0.4) else []
    blocks += texts if dice.chance(0.4) else [" ".join(texts)]
    if not any("http" in text for text in texts) and dice.chance(0.8):
        blocks.append(scene.known["link"] if dice.chance(0.5) else f"{scene.say('click')}: {scene.known['link']}")
    if dice.chance(0.4):
        blocks.append(f"{scene.say('regards' if dice.chance(0.6) else 'bye')}\n{draft.sender.name}")
    if dice.chance(0.3):
        blocks += scene.several("unsubscribe", 1, 1)
    dress(scene, draft, blocks)
    if draft.html and dice.chance(0.1):
        draft.html = draft.html.replace("</body>", f"{hidden(filler(scene, 2, 6), dice)}</body>")
    return draft


def filler(scene: Scene, low: int, high: int) -> list[str]:
    """Return harmless sentences, as honest people write them."""
    return scene.several(scene.dice.pick(("family", "work", "reply", "news")), low, high)


def trap(scene: Scene) -> File:
    """Return an attachment that would be dangerous if it were not noise."""
    dice = scene.dice
    stem = dice.pick(("invoice", "document", "scan", "order", "payment", "details", "photo", "contract", "statement"))
    name = f"{stem}{dice.pick(('_', '-', ''))}{dice.digits(dice.between(3, 7))}"
    match dice.between(0, 6):
        case 0 | 1:
            return files.archive(dice, f"{name}.zip", f"{name}.{dice.pick(('js', 'exe', 'vbs', 'lnk', 'scr'))}")
        case 2:
            return files.opaque(
                dice, f"{name}.{dice.pick(('pdf', 'doc', 'jpg'))}.exe", "application/x-msdownload", b"MZ"
            )
        case 3:
            return files.document(dice, f"{name}.{dice.pick(('docx', 'xlsx'))}")
        case 4:
            page = f"<html><body><form action='https://{invent_host(dice)}/x'><input name=p></form></body></html>"
            return File("text/html", f"{name}.{dice.pick(('html', 'htm', 'shtml'))}", page.encode())
        case 5:
            return files.opaque(dice, f"{name}.{dice.pick(('iso', 'img', 'rar', 'ace', 'xlsm', 'docm', '7z'))}")
        case _:
            return files.pdf(dice, f"{name}.pdf")
