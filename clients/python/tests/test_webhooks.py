"""Signatures of webhooks. The first one is the example of the Standard Webhooks specification."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unittest

from levy_client import SignatureError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
AT = 1614265330


class Signatures(unittest.TestCase):
    def test_what_was_signed_is_read(self) -> None:
        self.assertEqual({"test": 2432232314}, verify_webhook(SECRET, HEADERS, BODY, now=AT))
        rotated = {**HEADERS, "webhook-signature": "v1a,AAAA v1,bm8= é " + HEADERS["webhook-signature"]}
        self.assertEqual({"test": 2432232314}, verify_webhook(SECRET, rotated, BODY, now=AT + 300))

    def test_anything_else_is_refused(self) -> None:
        other = "whsec_" + base64.b64encode(b"x" * 24).decode()
        for name, secret, headers, body, now in (
            ("another secret", other, HEADERS, BODY, AT),
            ("another body", SECRET, HEADERS, BODY + b" ", AT),
            ("another id", SECRET, {**HEADERS, "Webhook-Id": "msg_2"}, BODY, AT),
            ("another time", SECRET, {**HEADERS, "webhook-timestamp": str(AT + 1)}, BODY, AT),
            ("a time that is none", SECRET, {**HEADERS, "webhook-timestamp": "²"}, BODY, AT),
            ("a time beyond a float", SECRET, {**HEADERS, "webhook-timestamp": "9" * 400}, BODY, AT),
            ("a time beyond an integer", SECRET, {**HEADERS, "webhook-timestamp": "9" * 5000}, BODY, AT),
            ("too old", SECRET, HEADERS, BODY, AT + 301),
            ("too new", SECRET, HEADERS, BODY, AT - 301),
            ("no signature", SECRET, {**HEADERS, "webhook-signature": ""}, BODY, AT),
            ("another scheme", SECRET, {**HEADERS, "webhook-signature": "v2" + HEADERS["webhook-signature"][2:]}, BODY, AT),
        ):
            with self.subTest(name), self.assertRaises(SignatureError):
                verify_webhook(secret, headers, body, now=now)

    def test_a_secret_that_is_none(self) -> None:
        for secret in ("", "whpk_AAAA", "whsec_?", "whsec_"):
            with self.subTest(secret), self.assertRaises(ValueError):
                verify_webhook(secret, HEADERS, BODY, now=AT)

    def test_the_example_is_what_it_says(self) -> None:
        key = base64.b64decode(SECRET[6:])
        signed = hmac.new(key, f"msg_p5jXN8AQM9LWM0D4loKWxJek.{AT}.".encode() + BODY, hashlib.sha256).digest()
        self.assertIn(base64.b64encode(signed).decode(), HEADERS["webhook-signature"])


if __name__ == "__main__":
    unittest.main()
