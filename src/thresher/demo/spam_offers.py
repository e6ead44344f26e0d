"""Spam that sells: pills, copies, coins, company, rankings, prizes; in letters, notes, pictures and single lines."""

from thresher.demo import files, links
from thresher.demo.disguise import STYLES, disguise, hidden
from thresher.demo.draft import Draft, Scene
from thresher.demo.html import picture
from thresher.demo.people import invent_host
from thresher.demo.spammers import as_letter, as_note, campaign_of, filler, firm, hand, heading, somebody, wording


def _offer(scene: Scene, kind: str, rule: str, *, letters: float) -> Draft:
    """Return an offer; this share of the campaigns dresses it as a newsletter."""
    dice = scene.dice
    scene.hear(rule)
    chosen = firm(scene)
    draft = somebody(scene)
    draft.kind, draft.subject = kind, heading(scene, rule)
    hand(scene, draft, chosen)
    texts = wording(scene, rule, 3, 6)
    if campaign_of(scene).looks < letters:
        return as_letter(scene, draft, chosen, texts, scene.several("offer", 0, 3) if dice.chance(0.3) else [])
    return as_note(scene, draft, texts)


def pharma(scene: Scene) -> Draft:
    """Pills."""
    return _offer(scene, "pharma", "pharma", letters=0.4)


def counterfeit(scene: Scene) -> Draft:
    """Copies of what is dear."""
    return _offer(scene, "counterfeit", "copy", letters=0.5)


def dating(scene: Scene) -> Draft:
    """Company."""
    return _offer(scene, "dating", "date", letters=0.15)


def investment(scene: Scene) -> Draft:
    """Coins, robots and loans."""
    return _offer(scene, "investment", "invest", letters=0.4)


def prize(scene: Scene) -> Draft:
    """Prizes and surveys."""
    return _offer(scene, "prize", "win", letters=0.5)


def seo(scene: Scene) -> Draft:
    """Rankings, addresses and goods by the container, offered politely in plain text."""
    scene.hear("seo")
    firm(scene)
    draft = somebody(scene)
    draft.kind, draft.subject = "seo", heading(scene, "seo")
    hand(scene, draft)
    blocks = [scene.say("hi" if scene.chance(0.5) else "dear"), *wording(scene, "seo", 2, 5)]
    blocks.append(f"{scene.say('regards' if scene.chance(0.6) else 'bye')}\n{draft.sender.name}")
    draft.text = "\n\n".join(blocks)
    return draft


def bulk_newsletter(scene: Scene) -> Draft:
    """A newsletter nobody asked for, which says what any newsletter says: the hard spam."""
    scene.hear("news")
    chosen = firm(scene)
    draft = somebody(scene)
    draft.kind, draft.subject = "bulk-newsletter", scene.say("news_subject")
    hand(scene, draft, chosen)
    texts = scene.several("news", 1, 2)
    rule = scene.dice.pick(("win", "copy", "invest", "pharma", "news"))
    if scene.has(rule):
        texts += scene.several(rule, 1, 3)
    return as_letter(scene, draft, chosen, texts, scene.several("offer", 0, 5))


def image_only(scene: Scene) -> Draft:
    """A picture that says it all, inline or on a host."""
    dice = scene.dice
    rule = dice.pick(("pharma", "invest", "win", "copy", "news"))
    scene.hear(rule)
    chosen = firm(scene)
    draft = somebody(scene)
    draft.kind, draft.subject = "image-only", heading(scene, rule) if dice.chance(0.8) else ""
    hand(scene, draft, chosen)
    source = f"https://{chosen.links}/{dice.token(10)}.{dice.pick(('png', 'jpg', 'gif'))}"
    if dice.chance(0.5):
        cid = f"{dice.token(12)}@{chosen.host}"
        make = files.png if dice.chance(0.5) else files.jpeg
        draft.inline.append(make(dice, f"{dice.token(6)}.{'png' if make is files.png else 'jpg'}", 8_000, cid))
        source = f"cid:{cid}"
    draft.html = picture(scene.known["link"] if dice.chance(0.85) else "", source, dice)
    if dice.chance(0.3):
        draft.html = draft.html.replace("</body>", f"{hidden(filler(scene, 2, 6), dice)}</body>")
    return draft


def hidden_text(scene: Scene) -> Draft:
    """A short offer, and a long honest letter that nobody sees."""
    dice = scene.dice
    rule = dice.pick(("pharma", "invest", "date", "copy", "win"))
    scene.hear(rule)
    chosen = firm(scene)
    draft = somebody(scene)
    draft.kind, draft.subject = "hidden-text", heading(scene, rule)
    hand(scene, draft, chosen)
    texts = wording(scene, rule, 2, 4)
    as_letter(scene, draft, chosen, texts, [])
    hideout = hidden(filler(scene, 2, 6), dice)
    draft.html = draft.html.replace("</body>", f"{hideout}</body>")
    if dice.chance(0.5):
        draft.text = ""
    return draft


def obfuscated(scene: Scene) -> Draft:
    """Hardly a word is written as it should be."""
    dice = scene.dice
    rule = dice.pick(("pharma", "date", "copy", "invest", "win"))
    scene.speak("en")
    chosen = firm(scene)
    style = dice.pick(tuple(STYLES))
    draft = somebody(scene)
    draft.kind, draft.subject = "obfuscated", disguise(scene.say(f"{rule}_subject"), style, dice, 0.8)
    hand(scene, draft, chosen)
    texts = [disguise(text, style, dice, 0.7) for text in scene.several(rule, 1, 4)]
    return as_letter(scene, draft, chosen, texts, []) if dice.chance(0.3) else as_note(scene, draft, texts)


def one_liner(scene: Scene) -> Draft:
    """A line and a link, from a free account or a hijacked friend's name: as short as honest notes."""
    dice, world = scene.dice, scene.world
    rule = "note" if dice.chance(0.4) else dice.pick(("date", "win", "reply"))
    scene.hear(rule)
    firm(scene)
    scene.known["link"] = links.short(dice) if dice.chance(0.4) else links.article(dice, invent_host(dice))
    draft = somebody(scene)
    draft.kind = "one-liner"
    draft.subject = dice.pick(
        (scene.say("family_subject"), "", f"Re: {scene.say('family_subject')}", world.owner.given, "hi")
    )
    hand(scene, draft)
    text = scene.say(rule)
    blocks = [text if "http" in text else f"{text} {scene.known['link']}"]
    if dice.chance(0.4):
        friend = dice.favour(world.friends + world.family)
        # The name is a friend's, the address is not.
        draft.sender = draft.sender.rename(friend.name, friend.given)
        blocks.append(friend.given)
    draft.text = "\n\n".join(blocks)
    return draft


def sloppy(scene: Scene) -> Draft:
    """Bulk mail from a home-made program: raw 8-bit subject, no date, a multipart that never ends."""
    draft = _offer(scene, "sloppy", scene.dice.pick(("pharma", "invest", "bill", "win")), letters=0.4)
    flaws = [flaw for flaw in ("date", "subject", "boundary") if scene.chance(0.5)]
    draft.flaws = frozenset(flaws or ["date"])
    return draft
