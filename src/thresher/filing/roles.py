"""Which folder is for what. Pure.

A server says it (RFC 6154), the owner says it, or the folder's name does, in the languages people have their mail
programs in. A folder inside another is for the same, unless it is for something itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from thresher.boxes.mailbox import INBOX, Folder


class Role(StrEnum):
    """What a folder is for."""

    INBOX = "inbox"
    JUNK = "junk"
    SENT = "sent"
    ARCHIVE = "archive"
    TRASH = "trash"
    DRAFTS = "drafts"
    ALL = "all"
    """Everything there is once more: Gmail's All Mail."""
    OTHER = "other"


NEUTRAL: Final = frozenset({Role.TRASH, Role.DRAFTS})
"""Being there says nothing, nor does having been there."""
CHOSEN: Final = (Role.JUNK, Role.SENT, Role.ARCHIVE, Role.TRASH)
"""Roles an owner may give to folders."""
USES: Final = {
    "\\junk": Role.JUNK, "\\spam": Role.JUNK, "\\sent": Role.SENT, "\\archive": Role.ARCHIVE, "\\trash": Role.TRASH,
    "\\drafts": Role.DRAFTS, "\\all": Role.ALL, "\\allmail": Role.ALL, "\\flagged": Role.ALL, "\\important": Role.ALL,
}  # fmt: skip
NAMES: Final = {
    Role.JUNK: (
        "junk", "spam", "junk e-mail", "junk email", "junk mail", "bulk", "bulk mail", "junk-e-mail", "spamverdacht",
        "courrier indésirable", "indésirables", "pourriel", "correo no deseado", "posta indesiderata",
        "lixo eletrônico", "lixo", "ongewenste e-mail", "skräppost", "uønsket e-mail", "søppelpost", "roskaposti",
        "spam-e-post", "niechciane", "wiadomości-śmieci", "nevyžádaná pošta", "спам", "нежелательная почта",
        "ανεπιθύμητα", "gereksiz", "迷惑メール", "垃圾邮件", "垃圾郵件", "스팸", "spammail",
    ),
    Role.SENT: (
        "sent", "sent items", "sent mail", "sent messages", "sent-mail", "outbox-sent", "gesendet", "gesendete objekte",
        "gesendete elemente", "envoyés", "messages envoyés", "éléments envoyés", "enviados", "elementos enviados",
        "posta inviata", "inviati", "itens enviados", "verzonden", "verzonden items", "skickat", "sendt", "lähetetyt",
        "wysłane", "odeslané", "отправленные", "απεσταλμένα", "gönderilmiş", "送信済み", "送信済みメール", "已发送",
        "已傳送", "보낸편지함",
    ),
    Role.ARCHIVE: (
        "archive", "archives", "archiv", "archivio", "archivo", "archivados", "arquivo", "archief", "arkiv", "arkisto",
        "archiwum", "архив", "αρχειοθήκη", "arşiv", "アーカイブ", "归档", "封存",
    ),
    Role.TRASH: (
        "trash", "deleted", "deleted items", "deleted messages", "bin", "papierkorb", "gelöscht", "gelöschte objekte",
        "gelöschte elemente", "corbeille", "éléments supprimés", "papelera", "elementos eliminados", "cestino",
        "posta eliminata", "lixeira", "itens excluídos", "prullenbak", "verwijderde items", "papperskorgen",
        "papirkurv", "søppel", "roskakori", "kosz", "koš", "корзина", "κάδος", "çöp", "ゴミ箱", "已删除",
        "垃圾桶", "휴지통",
    ),
    Role.DRAFTS: (
        "drafts", "draft", "outbox", "templates", "entwürfe", "brouillons", "borradores", "bozze", "rascunhos",
        "concepten", "utkast", "kladder", "luonnokset", "szkice", "koncepty", "черновики", "πρόχειρα", "taslaklar",
        "下書き", "草稿", "草稿箱", "임시보관함",
    ),
}  # fmt: skip
_BY_NAME: Final = {name: role for role, names in NAMES.items() for name in names}
_TOP: Final = frozenset({"", INBOX, "[Gmail]", "[Google Mail]"})
"""Where a folder's name may say what it is for: ``Lists/Spam`` is a list about spam."""


def roles_of(folders: Iterable[Folder], chosen: Mapping[str, str]) -> dict[str, Role]:
    """Say what each folder is for; ``chosen`` names folders by role."""
    listed = sorted(folders)
    # A Maildir may hold Junk.2024 and no Junk.
    above = {parent for folder in listed for parent in _above(folder.name)} - {folder.name for folder in listed}
    named = [*listed, *map(Folder, sorted(above))]
    said = {INBOX: Role.INBOX}
    for folder in listed:
        if role := USES.get(folder.use.lower()):
            said.setdefault(folder.name, role)
    taken = set(said.values()) - {Role.ALL}
    for folder in named:
        parent, _, leaf = folder.name.rpartition("/")
        role = _BY_NAME.get(leaf.lower()) if parent in _TOP else None
        # A folder that is only named so does not count beside one the server knows.
        if role and role not in taken:
            said.setdefault(folder.name, role)
    for role_name, name in chosen.items():
        role = Role(role_name)
        said = {folder: known for folder, known in said.items() if known is not role} | {name: role}
    return {folder.name: _inherited(folder.name, said) for folder in listed}


def _inherited(name: str, said: Mapping[str, Role]) -> Role:
    return next((said[place] for place in (name, *_above(name)) if place in said), Role.OTHER)


def _above(name: str) -> Iterator[str]:
    """Name the folders around a folder, the nearest first."""
    while name := name.rpartition("/")[0]:
        yield name


def folder_for(role: Role, folders: Iterable[Folder], chosen: Mapping[str, str]) -> str | None:
    """Return the uppermost folder of a role."""
    listed = list(folders)
    found = [name for name, known in roles_of(listed, chosen).items() if known is role]
    return min(found, key=lambda name: (name.count("/"), name), default=chosen.get(role))
