"""The client of the Startline API, of the standard library only.

    from startline import Client

    client = Client("https://api.example.com", os.environ["STARTLINE_API_KEY"])
    for participant in client.every("/v0/participants"):
        print(participant["bibNumber"])

`startline.types` has the shapes of requests and responses, `startline.errors` what is raised, `startline.webhooks` the check
of webhooks, and `startline.digests` the comparison of a copy.
"""
from ._operations import VERSION as __version__
from ._reports import ImportReport, Progress, Retry
from .client import ChangeEvents, Client
from .digests import Differences
from .errors import ApiError, StartlineError

__all__ = [
    "ApiError", "ChangeEvents", "Client", "Differences", "ImportReport", "Progress", "Retry", "StartlineError", "__version__",
]
