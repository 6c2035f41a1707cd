import { Client, LevyError } from "levy-client";

const levy = new Client({
  baseURL: process.env["LEVY_URL"]!,
  apiKey: process.env["LEVY_API_KEY"]!,
  organizationId: process.env["LEVY_ORGANIZATION"]!,
});
const run = Date.now().toString(); // makes the names below unique, so that you can run this again

await levy.createProduct({ external_id: `LAMP-${run}`, name: "Desk lamp", product_category: "PHYSICAL" });

let [sale] = await levy.createTransaction(
  {
    external_id: `ORDER-${run}`,
    type: "SALE",
    date: "2026-05-15T10:00:00Z",
    currency: "USD",
    total_amount: "108.88",
    customer: { external_id: "CUSTOMER-1", name: "Ada" },
    addresses: [
      { type: "SHIP_TO", street_1: "350 5th Ave", city: "New York", state: "NY", postal_code: "10118", country: "US" },
    ],
    transaction_items: [
      { external_product_id: `LAMP-${run}`, date: "2026-05-15T10:00:00Z", amount: "100.00", tax_amount_imported: "8.88" },
    ],
  },
  { idempotencyKey: `order-${run}` }, // the sale is recorded once, also when this program starts again
);

// The tax is there when processing_status is PROCESSED, usually within a second.
for (let n = 0; n < 300 && sale!.processing_status !== "PROCESSED"; n++) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  sale = await levy.getTransaction(sale!.id);
}
console.log(sale!.processing_status, sale!.total_tax_amount_calculated);

// All sales of the organization, read page by page.
let sales = 0;
for await (const one of levy.eachTransactions({ size: 50 })) {
  if (one.type === "SALE") sales++;
}
console.log("sales", sales);

// A refusal names each fault by its place in the body.
try {
  await levy.createProduct({ external_id: "", name: "Desk lamp", product_category: "PHYSICAL" });
} catch (error) {
  if (!(error instanceof LevyError)) throw error;
  console.log(error.code, error.faults());
}
