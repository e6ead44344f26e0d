"""What the owner gets from machines: newsletters, receipts, notices, mailing lists, patches, reports, bounces."""

from dataclasses import replace

from thresher.demo import files, links
from thresher.demo.draft import Draft, Scene
from thresher.demo.ham_people import answer, dress
from thresher.demo.html import Look, card, letter
from thresher.demo.mailers import CRON, GIT
from thresher.demo.people import Company, invent
from thresher.demo.reports import report


def deal(scene: Scene, firm: Company) -> None:
    """Set the scene for a company that writes."""
    scene.speak(firm.desk.language)
    scene.introduce(firm.desk)
    scene.known["company"] = firm.name
    scene.known["host"] = firm.host


def bounce_address(scene: Scene, firm: Company) -> str:
    """Return an envelope sender that tells a mailing provider which message bounced."""
    return f"<bounce-{scene.dice.token(10)}@{firm.desk.relay.partition('.')[2]}>"


def list_headers(scene: Scene, firm: Company) -> list[tuple[str, str]]:
    """Return the headers by which honest bulk mail, and some other, lets itself be stopped."""
    dice = scene.dice
    url = links.campaign(dice, firm.links)
    headers = [("List-Unsubscribe", f"<{url}>,\n <mailto:leave-{dice.token(8)}@{firm.host}>")]
    if dice.chance(0.5):
        headers.append(("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
    if dice.chance(0.4):
        headers.append(("List-Id", f"<{dice.digits(6)}.{firm.host}>"))
    if dice.chance(0.4):
        headers.append(("Precedence", "bulk"))
    if dice.chance(0.3):
        headers.append(("Feedback-ID", f"{dice.digits(5)}:{dice.digits(6)}:{firm.host.partition('.')[0]}"))
    return headers


def _letter(scene: Scene, kind: str, firm: Company, subject: str, texts: list[str], offers: list[str]) -> Draft:
    """Return bulk mail of a company, which counts its readers."""
    dice = scene.dice
    sender = firm.post(dice.pick(("news", "newsletter", "hello", "offers", "info", "team")))
    draft = Draft(kind, sender, subject, message_id=scene.new_id(sender), route="bulk")
    look = Look(
        firm.name, firm.colour, firm.font, firm.images, scene.say("click"),
        links.campaign(dice, firm.links), texts[0] if dice.chance(0.5) else "",
        f"https://{firm.links}/o/{dice.token(20)}" if dice.chance(0.7) else "",
    )  # fmt: skip
    scene.known["link"] = links.campaign(dice, firm.links)
    footer = [*scene.several("unsubscribe", 1, 2), firm.footer]
    greeted = [scene.say("dear"), *texts] if dice.chance(0.4) else texts
    priced = [(offer, links.campaign(dice, firm.links)) for offer in offers]
    draft.html = letter(look, subject, greeted, priced, footer, dice)
    if dice.chance(0.7):
        rows = [f"{offer}\n{url}" for offer, url in priced]
        draft.text = "\n\n".join([*greeted, *rows, f"{look.button}: {look.link}", *footer])
    draft.extra = list_headers(scene, firm)
    draft.envelope = bounce_address(scene, firm) if dice.chance(0.7) else ""
    return draft


def newsletter(scene: Scene) -> Draft:
    """A shop the owner knows has offers, in the very words of those nobody asked for: the hard ham."""
    dice = scene.dice
    firm = dice.favour(scene.world.shops + scene.world.services[:4])
    deal(scene, firm)
    texts = scene.several("news", 2, 5)
    if scene.has("win") and dice.chance(0.05):
        scene.known["link"] = links.campaign(dice, firm.links)
        texts += scene.several("win", 1, 1)
    return _letter(scene, "newsletter", firm, scene.say("news_subject"), texts, scene.several("offer", 0, 5))


def digest(scene: Scene) -> Draft:
    """A magazine sends its summary; in other languages than English it is mostly offers too."""
    firm = scene.dice.favour(scene.world.magazines)
    deal(scene, firm)
    rule = "digest" if scene.has("digest") else "news"
    subject = scene.say(f"{rule}_subject")
    return _letter(scene, "news-digest", firm, subject, scene.several(rule, 3, 7), [])


def _notice(scene: Scene, kind: str, firm: Company, rule: str, texts: list[str], local: str) -> Draft:
    """Return mail that a company sends for a reason."""
    dice = scene.dice
    sender = firm.post(local)
    subject = scene.say(f"{rule}_subject")
    draft = Draft(kind, sender, subject, message_id=scene.new_id(sender), route="bulk")
    greeted = [scene.say("dear"), *texts, scene.say("regards")]
    draft.text = "\n\n".join(greeted)
    if dice.chance(0.75):
        button = scene.say("click") if dice.chance(0.6) else ""
        look = Look(firm.name, firm.colour, firm.font, firm.images, button, scene.known["link"])
        footer = [*scene.several("unsubscribe", 0, 1), firm.footer]
        draft.html = card(look, subject, greeted, footer, dice)
        if dice.chance(0.3):
            draft.text = ""
    if dice.chance(0.3):
        draft.envelope = bounce_address(scene, firm)
    if dice.chance(0.2):
        draft.extra.append(("Auto-Submitted", "auto-generated"))
    return draft


def receipt(scene: Scene) -> Draft:
    """A shop confirms an order, with the invoice attached."""
    dice = scene.dice
    firm = dice.favour(scene.world.shops)
    deal(scene, firm)
    scene.known["link"] = links.parcel(dice, firm.host) if dice.chance(0.6) else links.account(dice, firm.host)
    texts = scene.several("receipt", 2, 5)
    for _ in range(dice.between(0, 4)):
        texts.insert(1, f"{dice.between(1, 4)} x {scene.say('offer')}")
    draft = _notice(scene, "receipt", firm, "receipt", texts, dice.pick(("orders", "service", "no-reply", "shop")))
    if dice.chance(0.35):
        name = f"{dice.pick(('invoice', 'receipt', 'order', 'Rechnung', 'facture'))}-{dice.digits(6)}.pdf"
        draft.files.append(files.pdf(dice, name))
    return draft


def parcel_notice(scene: Scene) -> Draft:
    """A carrier says when it comes, in words that frauds copy."""
    dice = scene.dice
    firm = dice.favour(scene.world.carriers)
    deal(scene, firm)
    scene.known["link"] = links.parcel(dice, firm.host)
    own = "parcel_notice" if scene.has("parcel_notice") else "receipt"
    texts = scene.several(own, 1, 2)
    if dice.chance(0.2):
        # Customs is due now and then in earnest.
        texts += scene.several("parcel", 1, 1) if scene.has("parcel") else []
    rule = "parcel" if dice.chance(0.15) and scene.has("parcel") else "receipt"
    return _notice(scene, "parcel-notice", firm, rule, texts, dice.pick(("no-reply", "notice", "tracking")))


def account_notice(scene: Scene) -> Draft:
    """A service sends codes, new sign-ins and password resets."""
    dice = scene.dice
    firm = dice.favour(scene.world.services + scene.world.shops[:5])
    deal(scene, firm)
    scene.known["link"] = links.account(dice, f"{dice.pick(('', 'www.', 'id.', 'my.'))}{firm.host}")
    return _notice(scene, "account-notice", firm, "notice", scene.several("notice", 1, 3), "no-reply")


def bank_notice(scene: Scene) -> Draft:
    """The bank writes, and now and then it is as worried as those who pretend to be it."""
    dice = scene.dice
    firm = dice.favour(scene.world.banks)
    deal(scene, firm)
    scene.known["link"] = f"https://www.{firm.host}/{dice.pick(('login', 'inbox', 'notices', 'cards'))}"
    texts = scene.several("notice", 1, 3)
    if dice.chance(0.15):
        texts += scene.several("bank", 1, 1)
    rule = "bank" if dice.chance(0.1) else "notice"
    return _notice(scene, "bank-notice", firm, rule, texts, dice.pick(("service", "notice", "no-reply", "info")))


def forum(scene: Scene) -> Draft:
    """A forum or group tells what others did."""
    dice = scene.dice
    firm = dice.favour(scene.world.services)
    deal(scene, firm)
    scene.speak("en")
    scene.known["link"] = links.article(dice, firm.host)
    rows = scene.several("forum", 1, 3)
    sender = firm.post("notifications", f"{scene.say('any')} via {firm.name}" if dice.chance(0.5) else "")
    draft = Draft("forum-notice", sender, rows[0], message_id=scene.new_id(sender), route="bulk")
    draft.text = "\n\n".join([*rows, scene.known["link"], scene.say("unsubscribe")])
    if dice.chance(0.6):
        look = Look(firm.name, firm.colour, firm.font, firm.images, scene.say("click"), scene.known["link"])
        draft.html = card(look, rows[0], rows, [], dice)
    draft.extra = list_headers(scene, firm)
    return draft


def mailing_list(scene: Scene) -> Draft:
    """Somebody writes to a list; half of the time in a conversation that runs."""
    dice = scene.dice
    at = int(dice.random() ** 2 * len(scene.world.lists))
    group = scene.world.lists[at]
    running = [one for one in scene.threads if one.list_index == at]
    sender = group.carry(dice.favour(group.posters))
    topic = "list_talk" if group.technical else "family"
    if running and dice.chance(0.6):
        draft = answer(scene, dice.pick(running), sender, "list")
        extra = scene.several(topic, 1, 3)
        draft.text = f"{draft.text}\n\n{' '.join(extra)}"
        draft.html = ""
    else:
        scene.speak("en")
        scene.introduce(sender)
        scene.known["link"] = links.article(dice, group.host)
        subject = scene.say("list_subject" if group.technical else "family_subject")
        draft = Draft("list", sender, f"{group.tag} {subject}".strip(), message_id=scene.new_id(sender))
        dress(scene, draft, [scene.say("hi"), " ".join(scene.several(topic, 2, 6)), sender.given])
    draft.text += f"\n\n-- \n{group.address} mailing list\nhttps://{group.host}/listinfo/{group.name}"
    draft.to = ((group.name, group.address),)
    draft.route = "list"
    draft.envelope = f"<{group.name}-bounces@{group.host}>"
    draft.extra += [
        ("List-Id", f"<{group.name}.{group.host}>"),
        ("List-Post", f"<mailto:{group.address}>"),
        ("List-Unsubscribe", f"<https://{group.host}/options/{group.name}>"),
        ("Precedence", "list"),
        ("Sender", f"{group.name}-bounces@{group.host}"),
    ]
    draft.cc = ()
    scene.remember(draft, group.posters[:6], at)
    return draft


def _hunk(scene: Scene) -> list[str]:
    """Return a piece of a patch."""
    dice = scene.dice
    start = dice.between(1, 900)
    rows = [f"@@ -{start},{dice.between(4, 9)} +{start},{dice.between(4, 12)} @@ int {scene.say('ident')}(void)"]
    for _ in range(dice.between(4, 12)):
        left, right, number = scene.say("ident"), scene.say("ident"), dice.between(0, 64)
        code = dice.pick(
            (
                f"{left}({right});",
                f"if ({left} < {number})",
                f"return {left};",
                f"{left} = {right} + {number};",
                "}",
                "",
            )
        )
        rows.append(f"{dice.pick('  +-')}\t{code}")
    return rows


def patch(scene: Scene) -> Draft:
    """A patch is sent to a list."""
    dice = scene.dice
    group = scene.world.lists[0]
    sender = replace(group.carry(dice.favour(group.posters)), mailer=GIT, charset="us-ascii", encoding="8bit")
    sender = replace(sender, version=f"git-send-email 2.{dice.between(39, 47)}.{dice.between(0, 3)}")
    scene.speak("en")
    scene.introduce(sender)
    parts = dice.between(1, 7)
    count = f" {dice.between(1, parts)}/{parts}" if parts > 1 else ""
    title = f"{scene.say('component')}: {dice.pick(('fix', 'avoid', 'drop', 'add', 'test'))} {scene.say('ident')}"
    revision = dice.pick(("", "", " v2", " v3"))
    draft = Draft("patch", sender, f"[PATCH{revision}{count}] {title}", message_id=scene.new_id(sender), route="list")
    path = f"{scene.say('component').replace(' ', '_')}/{scene.say('ident')}.c"
    rows = [
        " ".join(scene.several("list_talk", 1, 3)), "", f"Signed-off-by: {sender.name} <{sender.address}>", "---",
        f" {path} | {dice.between(1, 40)} +++--", "", f"diff --git a/{path} b/{path}",
        f"index {dice.hexadecimal(9)}..{dice.hexadecimal(9)} 100644", f"--- a/{path}", f"+++ b/{path}",
    ]  # fmt: skip
    for _ in range(dice.between(1, 3)):
        rows += _hunk(scene)
    draft.text = "\n".join([*rows, "-- ", sender.version.rpartition(" ")[2]])
    draft.to = ((group.name, group.address),)
    draft.envelope = f"<{group.name}-bounces@{group.host}>"
    draft.extra = [("List-Id", f"<{group.name}.{group.host}>"), ("Precedence", "list")]
    return draft


def cron(scene: Scene) -> Draft:
    """The owner's own machine reports."""
    dice, world = scene.dice, scene.world
    sender = replace(
        world.owner, name=dice.pick(("root", "Cron Daemon", "backup")), address=f"root@{world.owner.host}", mailer=CRON,
        version="", charset="us-ascii", encoding="8bit",
    )  # fmt: skip
    scene.speak("en")
    machine = dice.pick(("attic", "cellar", "nas", "pi"))
    command = f"/usr/local/bin/{scene.say('ident')}"
    draft = Draft("cron", sender, f"Cron <root@{machine}> {command}", message_id=scene.new_id(sender), route="local")
    draft.text = "\n".join([line for _ in range(dice.between(1, 4)) for line in scene.several("cron", 1, 4)])
    draft.extra = [("Auto-Submitted", "auto-generated"), ("X-Cron-Env", "<SHELL=/bin/sh>")]
    draft.auth = "none"
    return draft


def bounce(scene: Scene) -> Draft:
    """A message of the owner's came back."""
    dice, owner = scene.dice, scene.world.owner
    friend = dice.favour(scene.world.friends + scene.world.colleagues)
    scene.speak("en")
    lost = friend.address if dice.chance(0.7) else f"{invent(dice).lower()}@{friend.host}"
    daemon = owner.host if dice.chance(0.5) else friend.host
    return report(scene, "bounce", lost, daemon, scene.say("work_subject"), scene.new_id(owner))
