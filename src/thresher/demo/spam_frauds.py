"""Spam that deceives: banks, parcels and bosses that are none, bills, heirs, threats, hijacked conversations."""

from dataclasses import replace

from thresher.demo import links
from thresher.demo.draft import Draft, Scene
from thresher.demo.ham_people import answer, dress
from thresher.demo.html import Look, anchor, card
from thresher.demo.mailers import MACHINES, PEOPLE
from thresher.demo.people import Company, company, invent, invent_host, person
from thresher.demo.reports import report
from thresher.demo.spammers import as_note, firm, hand, heading, somebody, trap, wording

_VICTIM = 0.55
"""Share of the phishing that names a company the owner deals with."""


def _mask(scene: Scene, firms: tuple[Company, ...], rule: str) -> Company:
    """Return whom a fraud pretends to be, and speak that company's language if it says anything on the rule."""
    dice = scene.dice
    victim = dice.favour(firms) if dice.chance(_VICTIM) else company(dice, "en")
    scene.speak(victim.desk.language)
    if not scene.has(rule) or dice.chance(0.3):
        scene.hear(rule)
    scene.known["company"] = victim.name
    scene.known["host"] = victim.host
    return victim


def _phish(scene: Scene, kind: str, rule: str, firms: tuple[Company, ...]) -> Draft:
    """Return a notice that looks like the company's, whose link leads elsewhere than it says."""
    dice = scene.dice
    victim = _mask(scene, firms, rule)
    trap_host = links.lookalike(dice, victim.host) if dice.chance(0.7) else firm(scene).host
    scene.known["company"] = victim.name
    link = (
        links.account(dice, trap_host)
        if dice.chance(0.8)
        else f"http://192.0.2.{dice.between(1, 254)}/{dice.token(6)}/"
    )
    scene.known["link"] = link
    sender = replace(
        person(
            dice,
            scene.language.code,
            dice.pick((victim.host, trap_host, trap_host, invent_host(dice))),
            mailers=MACHINES,
        ),
        name=victim.name,
    )
    local = dice.pick(("service", "no-reply", "security", "info", "support", "notice", "alert"))
    draft = Draft(kind, replace(sender, address=f"{local}@{sender.host}"), heading(scene, rule))
    forged = sender.host == victim.host
    draft.auth = dice.pick(("fail", "soft", "fail", "none")) if forged else dice.pick(("pass", "pass", "none"))
    draft.route = "bot" if forged or dice.chance(0.3) else "bulk"
    draft.message_id = scene.new_id(draft.sender)
    texts = wording(scene, rule, 2, 4)
    if dice.chance(0.25) and scene.has("notice"):
        texts.append(scene.say("notice"))
    if dice.chance(0.5):
        texts.insert(0, scene.say("dear"))
    texts.append(scene.say("regards"))
    draft.text = "\n\n".join(texts)
    if not any(link in text for text in texts):
        draft.text += f"\n\n{link}"
    if dice.chance(0.8):
        look = Look(victim.name, victim.colour, victim.font, victim.images, scene.say("click"), link)
        draft.html = card(look, draft.subject, texts, scene.several("unsubscribe", 0, 1), dice)
        if dice.chance(0.5):
            shown = anchor(link, f"https://www.{victim.host}/{dice.pick(('login', 'secure', 'account'))}")
            draft.html = draft.html.replace("<hr>", f"<p>{shown}</p>\n<hr>")
        if dice.chance(0.5):
            draft.text = ""
    return draft


def phishing_bank(scene: Scene) -> Draft:
    """A bank that is none."""
    return _phish(scene, "phishing-bank", "bank", scene.world.banks)


def phishing_parcel(scene: Scene) -> Draft:
    """A parcel that never was."""
    return _phish(scene, "phishing-parcel", "parcel", scene.world.carriers)


def phishing_account(scene: Scene) -> Draft:
    """A service or shop that wants a password, in the language of its notices."""
    return _phish(scene, "phishing-account", "bank", scene.world.services + scene.world.shops)


def phishing_mailbox(scene: Scene) -> Draft:
    """The owner's own provider, it says, has no room left."""
    world = scene.world
    home = replace(world.office, name=f"{world.owner.host} Webmail", host=world.owner.host)
    return _phish(scene, "phishing-mailbox", "mailbox", (home, world.office))


def invoice(scene: Scene) -> Draft:
    """A bill for nothing, attached or to be paid by telephone."""
    dice = scene.dice
    scene.hear("bill")
    chosen = firm(scene)
    draft = somebody(scene)
    draft.kind, draft.subject = "invoice", heading(scene, "bill")
    hand(scene, draft, chosen)
    blocks = [scene.say("dear"), *wording(scene, "bill", 2, 4), f"{scene.say('regards')}\n{draft.sender.name}"]
    if dice.chance(0.5):
        draft.files.append(trap(scene))
    return dress(scene, draft, blocks)


def malware(scene: Scene) -> Draft:
    """An attachment and hardly a word; the bytes are noise."""
    dice = scene.dice
    scene.hear("bill")
    firm(scene)
    draft = somebody(scene)
    draft.kind = "malware"
    draft.subject = heading(scene, "bill") if dice.chance(0.6) else scene.say("work_subject")
    hand(scene, draft)
    blocks = wording(scene, "bill", 1, 2) + scene.several("work" if dice.chance(0.5) else "reply", 0, 1)
    draft.files.append(trap(scene))
    return dress(scene, draft, [*blocks, draft.sender.name])


def advance_fee(scene: Scene) -> Draft:
    """Millions for an honest helper."""
    dice = scene.dice
    scene.hear("fee")
    draft = somebody(scene)
    draft.kind, draft.subject = "advance-fee", heading(scene, "fee")
    hand(scene, draft)
    elsewhere = person(dice, "en").address
    scene.known["address2"] = elsewhere
    draft.reply_to = elsewhere if dice.chance(0.5) else ""
    blocks = [scene.say("dear"), *wording(scene, "fee", 3, 7), f"{scene.say('regards')}\n{draft.sender.name}"]
    draft.text = "\n\n".join(blocks)
    return draft


def business_compromise(scene: Scene) -> Draft:
    """A few plain words to one person, from somebody with a superior's name: the hard spam."""
    dice, world = scene.dice, scene.world
    boss = dice.pick(world.colleagues[:8])
    scene.speak(boss.language if dice.chance(0.7) else "en")
    if not scene.has("bec"):
        scene.hear("bec")
    sender = person(dice, scene.language.code, dice.pick(("", links.lookalike(dice, world.office.host))))
    sender = sender.rename(boss.name, boss.given)
    scene.introduce(sender)
    scene.known["company"] = world.office.name
    draft = Draft("business-compromise", sender, scene.say("bec_subject"), message_id=scene.new_id(sender))
    texts = scene.several("bec", 2, 4)
    if dice.chance(0.15):
        texts.append(scene.say("work"))
    ending = f"{scene.say('bye')}\n{boss.given if dice.chance(0.5) else boss.name}"
    dress(scene, draft, [scene.say("hi"), " ".join(texts), ending])
    draft.reply_to = person(dice, "en").address if dice.chance(0.3) else ""
    return draft


def blackmail(scene: Scene) -> Draft:
    """I saw you, pay."""
    scene.hear("blackmail")
    draft = somebody(scene)
    draft.kind, draft.subject = "blackmail", heading(scene, "blackmail")
    hand(scene, draft)
    if scene.chance(0.3):
        # As if sent from the owner's own account.
        draft.sender = replace(draft.sender, address=scene.world.owner.address, name=scene.world.owner.name)
        draft.auth, draft.route = "fail", "bot"
    draft.text = "\n\n".join(wording(scene, "blackmail", 3, 6))
    return draft


def job(scene: Scene) -> Draft:
    """Work that launders money."""
    scene.hear("job")
    firm(scene)
    draft = somebody(scene)
    draft.kind, draft.subject = "job-offer", heading(scene, "job")
    hand(scene, draft)
    scene.known["address2"] = person(scene.dice, "en").address
    return as_note(scene, draft, wording(scene, "job", 2, 4))


def hijacked_thread(scene: Scene) -> Draft:
    """An answer in a real conversation, quoted from a broken-into mailbox, with a link or file that does not belong."""
    dice = scene.dice
    running = [one for one in scene.threads if one.list_index < 0]
    if not running:
        return invoice(scene)
    last = dice.pick(running)
    draft = answer(scene, last, last.speaker, "hijacked-thread")
    thief = person(dice, last.speaker.language, invent_host(dice), mailers=MACHINES + PEOPLE)
    draft.sender = thief.rename(last.speaker.name, last.speaker.given)
    draft.auth, draft.route = dice.pick(("pass", "none", "soft")), "people"
    draft.message_id = scene.new_id(draft.sender)
    scene.known["link"] = links.article(dice, invent_host(dice))
    rule = "bill" if scene.has("bill") else "reply"
    # The thief knows the conversation, not what to say in it.
    quoted = draft.text.partition("\n>")
    draft.text = f"{' '.join(scene.several(rule, 1, 1))}\n\n{scene.known['link']}\n\n{quoted[0]}{quoted[1]}{quoted[2]}"
    draft.html = ""
    if dice.chance(0.5):
        draft.files.append(trap(scene))
    return draft


def backscatter(scene: Scene) -> Draft:
    """A bounce of a message the owner never sent, because spam used the owner's address."""
    dice = scene.dice
    rule = dice.pick(("pharma", "invest", "date", "copy", "fee"))
    scene.speak("en")
    firm(scene)
    host = invent_host(dice)
    forged = f"<{dice.token(12)}@{dice.token(6)}>"
    subject = scene.say(f"{rule}_subject")
    return report(scene, "backscatter", f"{invent(dice).lower()}@{host}", host, subject, forged)
