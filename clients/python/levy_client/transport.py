"""How calls are sent, repeated and read."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal
from http.client import HTTPException
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, cast

from .types import DECIMALS, Problem

_MOST_WAITED = 300.0  # seconds, whatever Retry-After says


class LevyError(Exception):
    """An answer of the service other than a success."""

    def __init__(self, status: int, problem: Problem) -> None:
        self.status = status
        """The HTTP status."""
        self.problem = problem
        """What the service said. It may be empty where something in between answered."""
        self.code: str = problem.get("code", "")
        """The stable code, such as validation_failed."""
        super().__init__(
            f"levy: {status} {self.code}: {problem.get('detail', '')} (request {problem.get('request_id', '')})"
        )

    def faults(self) -> List[str]:
        """Return the place and message of each fault that the service found, sorted."""
        return sorted(f"{fault['location']}: {fault['message']}" for fault in self.problem.get("errors", []))


class Answer(NamedTuple):
    """An answer as it came over the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Send = Callable[[str, str, Mapping[str, str], Optional[bytes], float], Answer]
"""Sends method, address, headers and body with a time limit in seconds. It raises OSError without an answer."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key of the organization belongs to one service."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send(method: str, address: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float) -> Answer:
    """Send a call by the standard library."""
    request = urllib.request.Request(address, data=body, headers=dict(headers), method=method)
    try:
        try:
            response = _opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as refused:
            response = refused
        with response:
            return Answer(response.status, dict(response.headers.items()), response.read())
    except HTTPException as broken:
        raise ConnectionError(str(broken)) from broken


def encode(value: Any) -> Any:
    """Return a value as JSON has it: a Decimal as a text. Raises TypeError for a float."""
    if isinstance(value, float):
        raise TypeError("levy: a float cannot hold an amount exactly: use decimal.Decimal")
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Mapping):
        return {name: encode(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(one) for one in value]
    return value


def decode(value: Any, type_name: str) -> Any:
    """Return an answer with its decimals as Decimal. type_name is a type of the contract; empty for none."""
    if isinstance(value, list):
        return [decode(one, type_name) for one in value]
    if not isinstance(value, dict):
        return value
    for field, inner in DECIMALS.get(type_name, {}).items():
        if field in value:
            value[field] = _decimals(value[field]) if inner is None else decode(value[field], inner)
    return value


def _decimals(value: Any) -> Any:
    if isinstance(value, str):
        return Decimal(value)
    if isinstance(value, list):
        return [_decimals(one) for one in value]
    return value


def query_text(query: Mapping[str, Any]) -> str:
    """Return the parameters that are set, as a query with its question mark. Lists are separated by commas."""
    values: Dict[str, str] = {}
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, bool):
            values[name] = "true" if value else "false"
        elif isinstance(value, (list, tuple)):
            values[name] = ",".join(str(one) for one in value)
        else:
            values[name] = str(encode(value))
    return "?" + urllib.parse.urlencode(values) if values else ""


class Transport:
    """Sends calls to one service as one organization. It may be used by several threads."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        organization_id: str,
        *,
        repeats: int = 4,
        first_pause: float = 0.2,
        longest_pause: float = 30.0,
        timeout: float = 30.0,
        send: Send = send,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Make a client.

        repeats is how often a call is repeated at most. Pauses double from first_pause to longest_pause, in seconds.
        timeout is the limit of one attempt in seconds. send and sleep may be replaced, for tests or another HTTP library.
        """
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._organization_id = organization_id
        self._repeats = repeats
        self._first_pause = first_pause
        self._longest_pause = longest_pause
        self._timeout = timeout
        self._send = send
        self._sleep = sleep

    @staticmethod
    def _path(template: str, *values: str) -> str:
        for value in values:
            before, _, rest = template.partition("{")
            template = before + urllib.parse.quote(value, safe="") + rest.partition("}")[2]
        return template

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        json_body: Any = None,
        csv: Optional[bytes] = None,
        file: Optional[Tuple[str, bytes]] = None,
        key: Optional[str] = None,
        keyed: bool = False,
        repeatable: bool = False,
        answer: str = "",
    ) -> Any:
        """Send a call until it is answered for good, and return the answer."""
        headers = {"Accept": "application/json"}
        body: Optional[bytes] = None
        if json_body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(encode(json_body), ensure_ascii=False, allow_nan=False).encode()
        elif csv is not None:
            headers["Content-Type"], body = "text/csv", csv
        elif file is not None:
            headers["Content-Type"], body = form(*file)
        if keyed:
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        got = self._carry(method, path + query_text(query or {}), headers, body, keyed or repeatable)
        if not got.body:
            return None
        return decode(json.loads(got.body, parse_float=Decimal), answer)

    def _download(
        self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, repeatable: bool = False
    ) -> bytes:
        """Return a file. Its timeout is for each piece of it."""
        return self._carry(method, path + query_text(query or {}), {"Accept": "*/*"}, None, repeatable).body

    def _carry(
        self, method: str, target: str, headers: Dict[str, str], body: Optional[bytes], safe: bool
    ) -> Answer:
        headers["X-API-KEY"] = self._api_key
        headers["x-organization-id"] = self._organization_id
        headers["User-Agent"] = "levy-client-python"
        pause = self._first_pause
        for repeat in range(self._repeats + 1):
            wanted = 0.0
            try:
                got = self._send(method, self._base_url + target, headers, body, self._timeout)
            except OSError:
                if not safe or repeat == self._repeats:
                    raise
            else:
                if 200 <= got.status <= 299:
                    return got
                error = LevyError(got.status, _problem(got))
                if repeat == self._repeats or not _may_pass(error, safe):
                    raise error
                wanted = _retry_after(got.headers)
            self._sleep(max(random.uniform(pause / 2, pause), wanted))
            pause = min(2 * pause, self._longest_pause)
        raise AssertionError("the last attempt returns or raises")

    @staticmethod
    def _each(by: str, fetch: Callable[..., Any], path: Sequence[str], query: Mapping[str, Any]) -> Iterator[Any]:
        """Return the rows of a list. by says how it is continued: after a cursor, or by the number of the page."""
        place: Dict[str, Any] = {}
        page = 1
        while True:
            got = fetch(*path, **{**query, **place})
            yield from got["items"]
            first = not place and query.get("after") is None
            if by == "after" and first and got["next_cursor"] is None and got.get("pages", 0) > 1:
                by = "page"  # sorted by a tax number, a list has no cursors
            if by == "after":
                if got["next_cursor"] is None or not got.get("has_more", True):
                    return
                place = {"after": got["next_cursor"]}
            else:
                if page >= got["pages"]:
                    return
                page += 1
                place = {"page": page}


def _problem(got: Answer) -> Problem:
    try:
        problem = json.loads(got.body)
    except ValueError:
        problem = None
    return cast(Problem, problem if isinstance(problem, dict) else {})


def _may_pass(error: LevyError, safe: bool) -> bool:
    """Report whether a repeat may help. Where something may have been written, only a safe call is repeated."""
    if error.status == 429 or error.code == "service_unavailable":
        return True
    return safe and (error.problem.get("retryable", False) or error.status in (502, 503, 504))


def _retry_after(headers: Mapping[str, str]) -> float:
    for name, value in headers.items():
        if name.lower() == "retry-after" and value.isdecimal():
            return min(float(value), _MOST_WAITED)
    return 0.0


def form(filename: str, content: Union[bytes, bytearray]) -> Tuple[str, bytes]:
    """Return the type and the bytes of a form with one file."""
    boundary = uuid.uuid4().hex
    name = filename.replace("\\", "_").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return f"multipart/form-data; boundary={boundary}", head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
