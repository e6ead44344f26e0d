"""systemd's units for the daemon: hardened, started by the first connection to its sockets. Text only.

One socket unit a protocol, since a unit names its sockets alike and the daemon knows them by their names. Sockets lie
in /run beside each other and not in a RuntimeDirectory=, which would be removed with them when the service stops.
"""

from typing import Final, NamedTuple

ACCOUNT: Final = "thresher"
HOME: Final = "/var/lib/thresher"


class Wanted(NamedTuple):
    """What the units are to do."""

    program: str
    """The command that starts thresher."""
    sockets: dict[str, str]
    """Protocol -> where to listen, as systemd writes it: a path, a port, HOST:PORT."""
    workers: int
    group: str
    """Whose members may connect to Unix sockets: the mail server's."""


SERVICE: Final = """\
[Unit]
Description=thresher, a spam filter
After=network.target
{needs}
[Service]
Type=notify
NotifyAccess=main
ExecStart={program} --home {home} serve --workers {workers}
ExecReload=/bin/kill -HUP $MAINPID
KillMode=mixed
TimeoutStopSec=60
Restart=on-failure
RestartSec=1

User={account}
Group={account}
StateDirectory={account}
StateDirectoryMode=0700
UMask=0077

CapabilityBoundingSet=
AmbientCapabilities=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""
SOCKET: Final = """\
[Unit]
Description=thresher: {protocol}

[Socket]
ListenStream={where}
FileDescriptorName={protocol}
Service=thresher.service
{access}
[Install]
WantedBy=sockets.target
"""
ACCESS: Final = "SocketUser={account}\nSocketGroup={group}\nSocketMode=0660\n"
PEOPLE: Final = 'u {account} - "thresher spam filter" {home}\n'


def units(wanted: Wanted) -> dict[str, str]:
    """Return the files by their names, as they go to /etc/systemd/system, and the account for /etc/sysusers.d."""
    names = [f"thresher-{protocol}.socket" for protocol in wanted.sockets]
    needs = f"Requires={' '.join(names)}\n" if names else ""
    made = {
        "thresher.service": SERVICE.format(
            needs=needs, program=wanted.program, home=HOME, workers=wanted.workers, account=ACCOUNT
        )
    }
    for name, (protocol, where) in zip(names, wanted.sockets.items(), strict=True):
        access = ACCESS.format(account=ACCOUNT, group=wanted.group) if where.startswith("/") else ""
        made[name] = SOCKET.format(protocol=protocol, where=where, access=access)
    return made


def account() -> str:
    """Return the file for sysusers.d."""
    return PEOPLE.format(account=ACCOUNT, home=HOME)
