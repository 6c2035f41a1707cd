// Calls of a running Levy, which LEVY_URL, LEVY_API_KEY and LEVY_ORGANIZATION name. It sends webhooks to this machine.
// `make clients` runs this file; `npm test` alone does not.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Client, LevyError, SignatureError, verifyWebhook } from "levy-client";

const levy = new Client({
  baseURL: process.env["LEVY_URL"]!,
  apiKey: process.env["LEVY_API_KEY"]!,
  organizationId: process.env["LEVY_ORGANIZATION"]!,
});
const run = Date.now().toString();

test("a call with the same key is carried out once", async () => {
  const once = { external_id: `TS-ONCE-${run}`, name: "Once", product_category: "PHYSICAL" };
  const made = await levy.createProduct(once, { idempotencyKey: `ts-${run}` });
  assert.equal((await levy.createProduct(once, { idempotencyKey: `ts-${run}` })).id, made.id);
  await assert.rejects(levy.createProduct(once), (error) => {
    assert.ok(error instanceof LevyError);
    assert.equal(error.code, "duplicate_external_id");
    assert.equal(error.problem.existing_id, made.id);
    return true;
  });
});

test("lists are read page by page", async () => {
  const wanted = [0, 1, 2, 3, 4].map((n) => `TS-${n}-${run}`);
  for (const id of wanted) await levy.createProduct({ external_id: id, name: id, product_category: "PHYSICAL" });
  const met: string[] = [];
  for await (const one of levy.eachProducts({ size: 2 })) met.push(one.external_id);
  assert.equal(new Set(met).size, met.length);
  for (const id of wanted) assert.ok(met.includes(id), id);
  assert.match(await (await levy.exportProducts({ format: "csv" })).text(), new RegExp(`TS-4-${run}`));
});

test("amounts are exact", async () => {
  const estimate = await levy.estimateTax({
    date: "2026-05-15T10:00:00Z",
    currency: "USD",
    addresses: [{ type: "SHIP_TO", city: "New York", state: "NY", postal_code: "10118", country: "US" }],
    transaction_items: [{ product_category: "PHYSICAL", amount: "100.10" }],
  });
  assert.equal(estimate.total_tax_amount, "8.88");
});

test("webhooks are verified", async () => {
  for (const scheme of ["v1", "v1a"] as const) {
    let arrived: (message: [IncomingHttpHeaders, Buffer]) => void = () => {};
    const server = createServer(async (request, response) => {
      arrived([request.headers, Buffer.concat(await request.toArray())]);
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/levy`;
    const endpoint = await levy.createWebhookEndpoint({ url, enabled_events: ["test.ping"], signature_scheme: scheme });
    try {
      const message = new Promise<[IncomingHttpHeaders, Buffer]>((resolve) => (arrived = resolve));
      await levy.testWebhookEndpoint(endpoint.id);
      const [headers, body] = await message;
      const key = (scheme === "v1" ? endpoint.secret : endpoint.public_key)!;
      assert.equal((await verifyWebhook(key, headers, body)).type, "test.ping");
      await assert.rejects(verifyWebhook(key, headers, `${body.toString()} `), SignatureError);
    } finally {
      await levy.deleteWebhookEndpoint(endpoint.id);
      server.closeAllConnections();
      server.close();
    }
  }
});
