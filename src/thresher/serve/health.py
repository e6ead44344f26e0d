"""What those who watch the daemon ask: figures for Prometheus, whether it is well, whether it can judge.

`/healthy` is about the journal: 503 with a sentence while lessons cannot be kept or followed. `/ready` is about mail: a
message is judged there and then, and 503 says why one could not be.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from thresher.serve.access import Access
from thresher.serve.answers import answer, failed, guarded
from thresher.serve.scanner import Scanner

FORMAT = "text/plain; version=0.0.4; charset=utf-8"


def routes(scanner: Scanner, access: Access) -> list[BaseRoute]:
    """Return the routes of one daemon."""

    async def metrics(request: Request) -> Response:
        if not access.opens(request):
            return failed("the token is missing or wrong: Authorization: Bearer TOKEN", 401)
        return Response(scanner.metrics.text(), media_type=FORMAT)

    async def healthy(_: Request) -> Response:
        trouble = scanner.keeper.trouble
        return failed(trouble, 503) if trouble else answer({"success": True})

    async def ready(_: Request) -> Response:
        if scanner.stopping:
            return failed("this worker is coming to its end", 503)
        unable = await scanner.probe()
        return failed(unable, 503) if unable else answer({"success": True})

    return [
        Route("/metrics", guarded(metrics), methods=["GET"]),
        Route("/healthy", guarded(healthy), methods=["GET"]),
        Route("/ready", guarded(ready), methods=["GET"]),
    ]
