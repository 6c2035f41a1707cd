# step: setup
import base64, hashlib, hmac, json, os, queue, threading, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

BASE = "http://127.0.0.1:8080"
KEY, ORGANIZATION = os.environ["LEVY_API_KEY"], os.environ["LEVY_ORGANIZATION"]
RUN = str(int(time.time()))  # makes the names below unique, so that you can run this again


def call(method, path, body=None, idempotency_key=None):
    headers = {"X-API-KEY": KEY, "x-organization-id": ORGANIZATION, "Content-Type": "application/json"}
    if idempotency_key:
        headers["Idempotency-Key"] = idempotency_key
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or "null")
    except urllib.error.HTTPError as refusal:  # its body says what is wrong, and where
        raise SystemExit(refusal.read().decode())
# step: product
product = call("POST", "/v1/products",
               {"external_id": "LAMP-" + RUN, "name": "Desk lamp", "product_category": "PHYSICAL"})
print("product", product["id"])
# step: estimate
address = {"street_1": "350 5th Ave", "city": "New York", "state": "NY", "postal_code": "10118", "country": "US"}
estimate = call("POST", "/v1/tax/estimate", {
    "amount": 100, "external_product_id": "LAMP-" + RUN, "date": "2026-05-15T10:00:00Z", "shipping_address": address})
print("estimated tax", estimate["total_tax_amount"], *(step["text"] for step in estimate["explanation"]), sep="\n  ")
# step: sale
[sale] = call("POST", "/v1/transactions", {
    "external_id": "ORDER-" + RUN, "type": "SALE", "date": "2026-05-15T10:00:00Z", "total_amount": "108.88",
    "customer": {"external_id": "CUSTOMER-1", "name": "Ada"}, "addresses": [{"type": "SHIP_TO", **address}],
    "transaction_items": [{"external_id": "L1", "date": "2026-05-15T10:00:00Z", "quantity": 2, "amount": "100",
                           "external_product_id": "LAMP-" + RUN, "tax_amount_imported": "8.88"}]},
    idempotency_key="order-" + RUN)

# The tax is there when processing_status is PROCESSED, usually within a second.
until = time.time() + 60
while sale["processing_status"] != "PROCESSED" and time.time() < until:
    time.sleep(0.2)
    sale = call("GET", "/v1/transactions/" + sale["id"])
print("sale", sale["id"], sale["processing_status"], "tax", sale["total_tax_amount_calculated"])
# step: refund
refund = call("POST", "/v1/transactions/" + sale["id"] + "/credit_notes", {
    "external_id": "REFUND-" + RUN, "date": "2026-06-01T10:00:00Z", "status": "COMMITTED", "currency": "USD",
    "total_amount": "54.44",
    "transaction_items": [{"external_id": "L1", "external_product_id": "LAMP-" + RUN, "quantity": 1, "amount": "50"}]},
    idempotency_key="refund-" + RUN)
print("refund", refund["id"], refund["type"])
# step: webhook
endpoint, received = None, queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        secret = base64.b64decode(endpoint["secret"].removeprefix("whsec_"))
        wanted = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        genuine = any(hmac.compare_digest(wanted, one) for one in self.headers["webhook-signature"].split())
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine:
            received.put(json.loads(body))


server = HTTPServer(("127.0.0.1", 3000), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()

endpoint = call("POST", "/v1/webhook_endpoints",
                {"url": "http://127.0.0.1:3000/levy", "enabled_events": ["transaction.*", "credit_note.*"]})
call("POST", "/v1/webhook_endpoints/" + endpoint["id"] + "/test")
print("received", received.get(timeout=60)["type"])
call("DELETE", "/v1/webhook_endpoints/" + endpoint["id"])
