# step: setup
BASE=http://127.0.0.1:8080
KEY=${LEVY_API_KEY:?}
ORGANIZATION=${LEVY_ORGANIZATION:?}
RUN=$(date +%s) # makes the names below unique, so that you can run this again
# step: product
curl -sS "$BASE/v1/products" \
  -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION" -H 'Content-Type: application/json' \
  -d '{"external_id": "LAMP-'$RUN'", "name": "Desk lamp", "product_category": "PHYSICAL"}'
# step: estimate
curl -sS "$BASE/v1/tax/estimate" \
  -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION" -H 'Content-Type: application/json' \
  -d '{"amount": 100, "external_product_id": "LAMP-'$RUN'", "date": "2026-05-15T10:00:00Z",
       "shipping_address": {"street_1": "350 5th Ave", "city": "New York", "state": "NY",
                            "postal_code": "10118", "country": "US"}}'
# step: sale
curl -sS "$BASE/v1/transactions" \
  -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: order-$RUN" \
  -d '{"external_id": "ORDER-'$RUN'", "type": "SALE", "date": "2026-05-15T10:00:00Z", "total_amount": 108.88,
       "customer": {"external_id": "CUSTOMER-1", "name": "Ada"},
       "addresses": [{"type": "SHIP_TO", "street_1": "350 5th Ave", "city": "New York", "state": "NY",
                      "postal_code": "10118", "country": "US"}],
       "transaction_items": [{"external_id": "L1", "date": "2026-05-15T10:00:00Z", "quantity": 2, "amount": 100,
                              "external_product_id": "LAMP-'$RUN'", "tax_amount_imported": 8.88}]}'

# The tax is there when processing_status is PROCESSED, usually within a second.
for attempt in $(seq 60); do
  SALE=$(curl -sS "$BASE/v1/transactions/external/ORDER-$RUN" \
    -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION")
  case $SALE in *'"processing_status":"PROCESSED"'*) break ;; esac
  sleep 1
done
echo "$SALE"
# step: refund
SALE_ID=$(echo "$SALE" | grep -o 'txn_[a-z0-9]*' | head -n 1)
curl -sS "$BASE/v1/transactions/$SALE_ID/credit_notes" \
  -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: refund-$RUN" \
  -d '{"external_id": "REFUND-'$RUN'", "date": "2026-06-01T10:00:00Z", "status": "COMMITTED", "currency": "USD",
       "total_amount": 54.44,
       "transaction_items": [{"external_id": "L1", "external_product_id": "LAMP-'$RUN'", "quantity": 1, "amount": 50}]}'
# step: webhook
# Something has to listen at this address: see the other languages.
ENDPOINT=$(curl -sS "$BASE/v1/webhook_endpoints" \
  -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION" -H 'Content-Type: application/json' \
  -d '{"url": "http://127.0.0.1:3000/levy", "enabled_events": ["transaction.*", "credit_note.*"]}')
echo "$ENDPOINT" # secret is shown only now
ENDPOINT_ID=$(echo "$ENDPOINT" | grep -o 'whep_[a-z0-9]*' | head -n 1)
curl -sS -X POST "$BASE/v1/webhook_endpoints/$ENDPOINT_ID/test" \
  -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION"
for attempt in $(seq 60); do
  DELIVERIES=$(curl -sS "$BASE/v1/webhook_endpoints/$ENDPOINT_ID/deliveries" \
    -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION")
  case $DELIVERIES in *'"status":"PENDING"'*) sleep 1 ;; *) break ;; esac
done
echo "$DELIVERIES"
curl -sS -X DELETE "$BASE/v1/webhook_endpoints/$ENDPOINT_ID" \
  -H "X-API-KEY: $KEY" -H "x-organization-id: $ORGANIZATION"
