"""Client of a Levy service.

A call that failed for a passing reason is repeated with growing pauses. A call that writes carries an idempotency key, the
same one in all its repeats, so it is carried out once.
"""

from __future__ import annotations

from . import types
from .operations import Operations
from .transport import LevyError
from .webhooks import SignatureError, verify_webhook

__all__ = ["Client", "LevyError", "SignatureError", "types", "verify_webhook"]


class Client(Operations):
    """Calls one service as one organization."""

    def for_organization(self, organization_id: str) -> Client:
        """Return the same client for another organization, such as a client of a partner."""
        return Client(
            self._base_url,
            self._api_key,
            organization_id,
            repeats=self._repeats,
            first_pause=self._first_pause,
            longest_pause=self._longest_pause,
            timeout=self._timeout,
            send=self._send,
            sleep=self._sleep,
        )
