"""Calls of a running Levy, which LEVY_URL, LEVY_API_KEY and LEVY_ORGANIZATION name. It sends webhooks to this machine.

`make clients` runs this file; `python3 -m unittest` alone does not.
"""

from __future__ import annotations

import os
import queue
import threading
import time
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Dict, Tuple

from levy_client import Client, LevyError, SignatureError, verify_webhook

levy = Client(os.environ["LEVY_URL"], os.environ["LEVY_API_KEY"], os.environ["LEVY_ORGANIZATION"])
run = str(time.time_ns())


class Live(unittest.TestCase):
    def test_a_call_with_the_same_key_is_carried_out_once(self) -> None:
        made = [
            levy.create_product(
                {"external_id": "PY-ONCE-" + run, "name": "Once", "product_category": "PHYSICAL"},
                idempotency_key="py-" + run,
            )
            for _ in range(2)
        ]
        self.assertEqual(made[0]["id"], made[1]["id"])
        with self.assertRaises(LevyError) as raised:
            levy.create_product({"external_id": "PY-ONCE-" + run, "name": "Once", "product_category": "PHYSICAL"})
        self.assertEqual("duplicate_external_id", raised.exception.code)
        self.assertEqual(made[0]["id"], raised.exception.problem["existing_id"])

    def test_lists_are_read_page_by_page(self) -> None:
        wanted = {f"PY-{n}-{run}" for n in range(5)}
        for external_id in wanted:
            levy.create_product({"external_id": external_id, "name": external_id, "product_category": "PHYSICAL"})
        met = [one["external_id"] for one in levy.each_products(size=2)]
        self.assertEqual(len(met), len(set(met)))
        self.assertLessEqual(wanted, set(met))
        self.assertIn(b"PY-4-" + run.encode(), levy.export_products(format="csv"))

    def test_amounts_are_exact(self) -> None:
        estimate = levy.estimate_tax(
            {
                "date": "2026-05-15T10:00:00Z",
                "currency": "USD",
                "addresses": [
                    {"type": "SHIP_TO", "city": "New York", "state": "NY", "postal_code": "10118", "country": "US"}
                ],
                "transaction_items": [{"product_category": "PHYSICAL", "amount": Decimal("100.10")}],
            }
        )
        self.assertIsInstance(estimate["total_tax_amount"], Decimal)
        self.assertEqual(Decimal("8.88"), estimate["total_tax_amount"])

    def test_webhooks_are_verified(self) -> None:
        received: queue.Queue[Tuple[Dict[str, str], bytes]] = queue.Queue()

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.put((dict(self.headers.items()), self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        endpoint = levy.create_webhook_endpoint({"url": f"http://127.0.0.1:{server.server_port}/levy"})
        try:
            levy.test_webhook_endpoint(endpoint["id"])
            while True:
                headers, body = received.get(timeout=120)
                event = verify_webhook(endpoint["secret"], headers, body)
                if event["type"] == "test.ping":
                    break
            with self.assertRaises(SignatureError):
                verify_webhook(endpoint["secret"], headers, body + b" ")
        finally:
            levy.delete_webhook_endpoint(endpoint["id"])


if __name__ == "__main__":
    unittest.main()
