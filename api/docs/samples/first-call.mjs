// step: setup
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const base = "http://127.0.0.1:8080";
const { LEVY_API_KEY: key, LEVY_ORGANIZATION: organization } = process.env;
const run = Math.floor(Date.now() / 1000); // makes the names below unique, so that you can run this again

async function call(method, path, body, idempotencyKey) {
  const headers = { "X-API-KEY": key, "x-organization-id": organization, "Content-Type": "application/json" };
  if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text); // says what is wrong, and where
  return text ? JSON.parse(text) : null;
}
// step: product
const product = await call("POST", "/v1/products",
  { external_id: `LAMP-${run}`, name: "Desk lamp", product_category: "PHYSICAL" });
console.log("product", product.id);
// step: estimate
const address = { street_1: "350 5th Ave", city: "New York", state: "NY", postal_code: "10118", country: "US" };
const estimate = await call("POST", "/v1/tax/estimate",
  { amount: 100, external_product_id: `LAMP-${run}`, date: "2026-05-15T10:00:00Z", shipping_address: address });
console.log("estimated tax", estimate.total_tax_amount, ...estimate.explanation.map(step => "\n  " + step.text));
// step: sale
let [sale] = await call("POST", "/v1/transactions", {
  external_id: `ORDER-${run}`, type: "SALE", date: "2026-05-15T10:00:00Z", total_amount: "108.88",
  customer: { external_id: "CUSTOMER-1", name: "Ada" }, addresses: [{ type: "SHIP_TO", ...address }],
  transaction_items: [{ external_id: "L1", date: "2026-05-15T10:00:00Z", quantity: 2, amount: "100",
                        external_product_id: `LAMP-${run}`, tax_amount_imported: "8.88" }],
}, `order-${run}`);

// The tax is there when processing_status is PROCESSED, usually within a second.
for (let i = 0; i < 300 && sale.processing_status !== "PROCESSED"; i++) {
  await sleep(200);
  sale = await call("GET", `/v1/transactions/${sale.id}`);
}
console.log("sale", sale.id, sale.processing_status, "tax", sale.total_tax_amount_calculated);
// step: refund
const refund = await call("POST", `/v1/transactions/${sale.id}/credit_notes`, {
  external_id: `REFUND-${run}`, date: "2026-06-01T10:00:00Z", status: "COMMITTED", currency: "USD",
  total_amount: "54.44",
  transaction_items: [{ external_id: "L1", external_product_id: `LAMP-${run}`, quantity: 1, amount: "50" }],
}, `refund-${run}`);
console.log("refund", refund.id, refund.type);
// step: webhook
let endpoint;
const server = createServer();
const received = new Promise((resolve) => server.on("request", async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const signed = `${request.headers["webhook-id"]}.${request.headers["webhook-timestamp"]}.${body}`;
  const secret = Buffer.from(endpoint.secret.replace("whsec_", ""), "base64");
  const wanted = Buffer.from("v1," + createHmac("sha256", secret).update(signed).digest("base64"));
  const genuine = request.headers["webhook-signature"].split(" ").map((one) => Buffer.from(one))
    .some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
  response.writeHead(genuine ? 204 : 400, { Connection: "close" }).end();
  if (genuine) resolve(JSON.parse(body));
}));
await new Promise((listening) => server.listen(3000, "127.0.0.1", listening));

endpoint = await call("POST", "/v1/webhook_endpoints",
  { url: "http://127.0.0.1:3000/levy", enabled_events: ["transaction.*", "credit_note.*"] });
await call("POST", `/v1/webhook_endpoints/${endpoint.id}/test`);
console.log("received", (await received).type);
await call("DELETE", `/v1/webhook_endpoints/${endpoint.id}`);
server.close();
