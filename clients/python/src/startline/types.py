"""The shapes of requests and responses, with the names of the reference."""
from ._operations import *  # noqa: F403
