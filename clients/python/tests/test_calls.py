"""Calls against answers that the tests make up."""

from __future__ import annotations

import json
import threading
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from levy_client import Client, LevyError
from levy_client.transport import Answer, decode, encode, send

UNAVAILABLE = Answer(503, {}, b'{"code":"service_unavailable","retryable":true,"outcome":"not_applied"}')
UNKNOWN = Answer(503, {}, b'{"code":"outcome_unknown","retryable":true,"outcome":"unknown"}')
PRODUCT = Answer(200, {}, b'{"id":"prod_1"}')


def listed(ids: List[str], **more: Any) -> Answer:
    return Answer(200, {}, json.dumps({"items": [{"id": one} for one in ids], **more}).encode())


class Service:
    """Gives the answers one after the other, the last one for good."""

    def __init__(self, *answers: Union[Answer, OSError]) -> None:
        self.answers = list(answers)
        self.calls: List[Tuple[str, str, Dict[str, str], Optional[bytes]]] = []
        self.pauses: List[float] = []

    def send(
        self, method: str, address: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float
    ) -> Answer:
        self.calls.append((method, address, dict(headers), body))
        answer = self.answers[min(len(self.calls), len(self.answers)) - 1]
        if isinstance(answer, OSError):
            raise answer
        return answer

    def client(self) -> Client:
        return Client("http://levy/", "key", "org_1", send=self.send, sleep=self.pauses.append)

    def keys(self) -> List[Optional[str]]:
        return [headers.get("Idempotency-Key") for _, _, headers, _ in self.calls]


class Repeats(unittest.TestCase):
    def test_a_write_is_repeated_with_its_key(self) -> None:
        in_use = Answer(409, {}, b'{"code":"idempotency_key_in_use","retryable":true}')
        service = Service(ConnectionResetError(), UNAVAILABLE, UNKNOWN, in_use, PRODUCT)
        client = service.client()
        self.assertEqual("prod_1", client.create_product({"external_id": "P", "name": "W", "product_category": "X"})["id"])
        self.assertEqual(1, len(set(service.keys())))
        self.assertIsNotNone(service.keys()[0])
        self.assertEqual(1, len({body for _, _, _, body in service.calls}))
        client.archive_product("prod_1")
        self.assertNotEqual(service.keys()[0], service.keys()[5], "another call is another thing")
        client.archive_product("prod_1", idempotency_key="mine")
        self.assertEqual("mine", service.keys()[6])

    def test_a_read_is_repeated_without_a_key(self) -> None:
        service = Service(OSError(), PRODUCT)
        service.client().get_product("a/b c")
        self.assertEqual([None, None], service.keys())
        self.assertEqual("http://levy/v1/products/a%2Fb%20c", service.calls[0][1])

    def test_only_what_is_safe_is_repeated(self) -> None:
        failures: List[Union[Answer, OSError]] = [OSError("gone"), UNKNOWN, Answer(502, {}, b"<html>")]
        for failure in failures:
            service = Service(failure)
            with self.assertRaises((OSError, LevyError)):
                service.client()._call("POST", "/v1/unsafe")
            self.assertEqual(1, len(service.calls))
        service = Service(UNAVAILABLE, Answer(429, {}, b""), Answer(204, {}, b""))
        service.client()._call("POST", "/v1/unsafe")
        self.assertEqual(3, len(service.calls), "nothing was written")

    def test_repeats_end_and_pauses_grow(self) -> None:
        service = Service(UNAVAILABLE)
        with self.assertRaises(LevyError) as raised:
            service.client().get_health()
        self.assertEqual("service_unavailable", raised.exception.code)
        self.assertEqual(5, len(service.calls))
        for pause, nominal in zip(service.pauses, (0.2, 0.4, 0.8, 1.6), strict=True):
            self.assertTrue(nominal / 2 <= pause <= nominal, service.pauses)

    def test_the_service_says_when(self) -> None:
        service = Service(Answer(429, {"retry-after": "7"}, b"{}"), Answer(429, {"Retry-After": "4000"}, b"{}"), PRODUCT)
        service.client().get_product("prod_1")
        self.assertEqual([7.0, 300.0], service.pauses)

    def test_a_final_answer_is_not_repeated(self) -> None:
        refused = Answer(
            400,
            {},
            b'{"code":"validation_failed","detail":"No.","request_id":"req_1",'
            b'"errors":[{"code":"required","location":"body.name","message":"is required"}]}',
        )
        service = Service(refused)
        with self.assertRaises(LevyError) as raised:
            service.client().get_product("prod_1")
        self.assertEqual(["body.name: is required"], raised.exception.faults())
        self.assertEqual((400, "req_1"), (raised.exception.status, raised.exception.problem["request_id"]))
        self.assertEqual(1, len(service.calls))


class Values(unittest.TestCase):
    def test_amounts_are_sent_as_texts(self) -> None:
        service = Service(Answer(202, {}, b"[]"))
        service.client().create_transaction(
            {
                "external_id": "O-1",
                "date": "2026-05-15T10:00:00Z",
                "type": "SALE",
                "addresses": [],
                "customer": {},  # type: ignore[typeddict-item]
                "transaction_items": [
                    {"date": "2026-05-15T10:00:00Z", "external_product_id": "P", "amount": Decimal("1E+2"), "quantity": 2}
                ],
            }
        )
        body = service.calls[0][3] or b""
        self.assertEqual({"amount": "100", "quantity": 2}, {
            name: value for name, value in json.loads(body)["transaction_items"][0].items() if name in ("amount", "quantity")
        })
        with self.assertRaises(TypeError):
            encode({"amount": 0.1})

    def test_amounts_of_answers_are_decimals(self) -> None:
        sale = {
            "total_amount": "108.88",
            "external_id": "108.88",
            "unknown": "1.00",
            "transaction_items": [{"amount": "100.00", "tax_items": [{"rate": "0.045000000"}]}],
            "customer": {"name": "1.00"},
        }
        got = decode([json.loads(json.dumps(sale))], "Transaction")[0]
        self.assertEqual(Decimal("108.88"), got["total_amount"])
        self.assertEqual("108.88", str(got["total_amount"]))
        self.assertEqual(Decimal("100.00"), got["transaction_items"][0]["amount"])
        self.assertEqual(Decimal("0.045"), got["transaction_items"][0]["tax_items"][0]["rate"])
        self.assertEqual(("108.88", "1.00", "1.00"), (got["external_id"], got["unknown"], got["customer"]["name"]))

    def test_queries_are_written(self) -> None:
        service = Service(listed([], next_cursor=None))
        service.client().list_transactions(country=["US", "CA"], marketplace=True, search_query="a&b", page=2)
        _, _, query = service.calls[0][1].partition("?")
        self.assertEqual({"country=US%2CCA", "marketplace=true", "search_query=a%26b", "page=2"}, set(query.split("&")))


class Lists(unittest.TestCase):
    def test_rows_are_read_behind_a_cursor(self) -> None:
        service = Service(listed(["a", "b"], next_cursor="x"), listed(["c"], next_cursor=None))
        self.assertEqual(["a", "b", "c"], [one["id"] for one in service.client().each_products(size=2)])
        self.assertEqual(["size=2", "after=x&size=2"], [address.partition("?")[2] for _, address, _, _ in service.calls])

    def test_rows_are_read_by_pages(self) -> None:
        service = Service(listed(["a"], page=1, pages=2), listed(["b"], page=2, pages=2))
        self.assertEqual(["a", "b"], [one["id"] for one in service.client().each_api_keys()])
        self.assertEqual("page=2", service.calls[1][1].partition("?")[2])

    def test_a_list_without_cursors_is_read_by_pages(self) -> None:
        service = Service(listed(["a"], next_cursor=None, page=1, pages=2), listed(["b"], next_cursor=None, page=2, pages=2))
        self.assertEqual(["a", "b"], [one["id"] for one in service.client().each_exemptions(order_by=["FEIN"])])
        self.assertIn("page=2", service.calls[1][1])
        behind = Service(listed(["b"], next_cursor=None, page=1, pages=2))
        self.assertEqual(["b"], [one["id"] for one in behind.client().each_products(after="x")])
        self.assertEqual(1, len(behind.calls))

    def test_the_feed_ends_where_nothing_is_left(self) -> None:
        service = Service(listed(["a"], next_cursor="a", has_more=False))
        self.assertEqual(["a"], [one["id"] for one in service.client().each_events()])

    def test_nothing_is_read_that_nobody_wants(self) -> None:
        service = Service(listed(["a"], next_cursor="x"))
        self.assertEqual("a", next(service.client().each_products())["id"])
        self.assertEqual(1, len(service.calls))


class Files(unittest.TestCase):
    def test_a_document_is_a_form_with_the_same_bytes_in_each_repeat(self) -> None:
        service = Service(UNAVAILABLE, Answer(200, {}, b'{"id":"attm_1"}'))
        stored = service.client().upload_exemption_attachment("exmp_1", 'a"\r\n.pdf', b"%PDF-1.7\n")
        self.assertEqual("attm_1", stored["id"])
        self.assertEqual(service.calls[0][3], service.calls[1][3])
        body = service.calls[0][3] or b""
        self.assertIn(b'filename="a%22%0D%0A.pdf"', body)
        boundary = service.calls[0][2]["Content-Type"].partition("boundary=")[2].encode()
        self.assertEqual(b"%PDF-1.7\n", body.partition(b"\r\n\r\n")[2].partition(b"\r\n--" + boundary + b"--")[0])

    def test_a_file_is_bytes(self) -> None:
        service = Service(Answer(200, {}, b"a,b\n"))
        self.assertEqual(b"a,b\n", service.client().export_products(format="csv"))

    def test_another_organization_has_its_own_client(self) -> None:
        service = Service(PRODUCT)
        service.client().for_organization("org_2").get_product("prod_1")
        self.assertEqual("org_2", service.calls[0][2]["x-organization-id"])


class Wire(unittest.TestCase):
    """What the standard library does with answers."""

    def setUp(self) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status = int(self.path[1:4])
                self.send_response(status)
                self.send_header("Location", "/200")
                self.send_header("Content-Length", "100" if self.path.endswith("cut") else "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, format: str, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.address = f"http://127.0.0.1:{server.server_port}/"

    def test_every_answer_is_read_and_no_redirect_is_followed(self) -> None:
        for status in (200, 302, 404, 503):
            got = send("GET", f"{self.address}{status}", {"X-API-KEY": "key"}, None, 60)
            self.assertEqual((status, b"{}"), (got.status, got.body))

    def test_an_answer_that_breaks_off_is_none(self) -> None:
        for status in (200, 503):
            with self.assertRaises(OSError):
                send("GET", f"{self.address}{status}cut", {}, None, 60)


if __name__ == "__main__":
    unittest.main()
