import os
import time
from decimal import Decimal

from levy_client import Client, LevyError

levy = Client(os.environ["LEVY_URL"], os.environ["LEVY_API_KEY"], os.environ["LEVY_ORGANIZATION"])
run = str(time.time_ns())  # makes the names below unique, so that you can run this again

levy.create_product({"external_id": "LAMP-" + run, "name": "Desk lamp", "product_category": "PHYSICAL"})

[sale] = levy.create_transaction(
    {
        "external_id": "ORDER-" + run,
        "type": "SALE",
        "date": "2026-05-15T10:00:00Z",
        "currency": "USD",
        "total_amount": Decimal("108.88"),
        "customer": {"external_id": "CUSTOMER-1", "name": "Ada"},
        "addresses": [
            {
                "type": "SHIP_TO",
                "street_1": "350 5th Ave",
                "city": "New York",
                "state": "NY",
                "postal_code": "10118",
                "country": "US",
            }
        ],
        "transaction_items": [
            {
                "external_product_id": "LAMP-" + run,
                "date": "2026-05-15T10:00:00Z",
                "amount": Decimal("100"),
                "tax_amount_imported": Decimal("8.88"),
            }
        ],
    },
    idempotency_key="order-" + run,  # the sale is recorded once, also when this program starts again
)

# The tax is there when processing_status is PROCESSED, usually within a second.
for _ in range(300):
    if sale["processing_status"] == "PROCESSED":
        break
    time.sleep(0.2)
    sale = levy.get_transaction(sale["id"])
tax: Decimal = sale["total_tax_amount_calculated"]
print(sale["processing_status"], tax)

# All sales of the organization, read page by page.
total = sum((one["total_amount"] for one in levy.each_transactions(size=50)), Decimal(0))
print("sold", total)

# A refusal names each fault by its place in the body.
try:
    levy.create_product({"external_id": "", "name": "Desk lamp", "product_category": "PHYSICAL"})
except LevyError as refused:
    print(refused.code, refused.faults())
