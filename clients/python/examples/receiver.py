import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from levy_client import SignatureError, verify_webhook

SECRET = os.environ["LEVY_WEBHOOK_SECRET"]


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(SECRET, dict(self.headers.items()), body)
        except SignatureError:
            self.send_response(400)
        else:
            print(event["type"], event["id"], flush=True)
            self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
