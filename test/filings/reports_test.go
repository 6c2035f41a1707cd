package filings_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"levy/tax/money"
	"levy/test/seed"
	"levy/test/testbed"
)

// reported are the rows of a report by the values of its first columns.
type reported map[string]map[string]string

// report reads a report, page by page.
func (b *bed) report(query string, keys ...string) reported {
	b.t.Helper()
	rows := reported{}
	for page, pages := 1, 1; page <= pages; page++ {
		var answer struct {
			Pages int `json:"pages"`
			Items []struct {
				Values map[string]string `json:"values"`
			} `json:"items"`
		}
		got := b.Get(fmt.Sprintf("/v1/reports?report=%s&size=3&page=%d", query, page))
		require.Equal(b.t, http.StatusOK, got.Status, string(got.Body))
		require.NoError(b.t, json.Unmarshal(got.Body, &answer))
		pages = answer.Pages
		for _, item := range answer.Items {
			key := []string{}
			for _, name := range keys {
				key = append(key, item.Values[name])
			}
			require.NotContains(b.t, rows, strings.Join(key, " "), "each row comes once")
			rows[strings.Join(key, " ")] = item.Values
		}
	}
	return rows
}

// adder adds up amounts by a key and a name.
type adder reported

func (a adder) add(key, name, amount string) {
	if a[key] == nil {
		a[key] = map[string]string{}
	}
	if a[key][name] == "" {
		a[key][name] = "0.00"
	}
	a[key][name] = sumOf(a[key][name], amount)
}

// equal compares the sums with the same values of a report.
func (a adder) equal(t *testing.T, rows reported, what string) {
	t.Helper()
	require.Equal(t, slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(rows)), what)
	for key, sums := range a {
		for name, sum := range sums {
			require.Equal(t, sum, rows[key][name], "%s: %s of %s", what, name, key)
		}
	}
}

// minus is an amount of a refund: it takes off, with whichever sign it was sent.
func minus(amount string) string {
	if strings.Trim(amount, "0.") == "" || strings.HasPrefix(amount, "-") {
		return amount
	}
	return "-" + amount
}

// Each figure of a report is the sum of what the list of transactions says, over generated sales with refunds, exempt
// products, sales of marketplaces and a cancelled sale.
func TestReportsAddUpTheTransactions(t *testing.T) {
	t.Parallel()
	t.Log(seed.Again())
	b := newBed(t, testbed.Options{})
	b.API.Start()
	b.Worker.Start()
	b.register("TX")
	b.Call(http.MethodPost, "/v1/products", map[string]any{"external_id": "P-CARE", "name": "Care", "source": "API",
		"product_category": "SERVICE", "product_subcategory": "SERVICE_GENERAL"}, 200)
	b.Exec("UPDATE products SET tax_class = 'NOT_TAXABLE' WHERE external_id = 'P-CARE'")

	random := rand.New(rand.NewPCG(seed.Seed(), 49)) //nolint:gosec // a seed repeats it
	cents := func(most int) string { return fmt.Sprintf("%d.%02d", random.IntN(most), random.IntN(100)) }
	var sales []string
	var bodies []map[string]any
	for i := range 24 {
		day := fmt.Sprintf("2026-%02d-%02d", 3+random.IntN(3), 1+random.IntN(28))
		lines := [][2]string{}
		for range 1 + random.IntN(3) {
			lines = append(lines, [2]string{"1" + cents(90), cents(9)})
		}
		sale := inHouston(fmt.Sprintf("G-%d", i), day, lines...)
		if i%3 == 1 {
			sale["addresses"] = testbed.Sale("", 1)["addresses"]
		}
		sale["marketplace"] = i%5 == 4
		items := sale["transaction_items"].([]any)
		if i%4 == 2 {
			items[0].(map[string]any)["external_product_id"] = "P-CARE"
		}
		answer := b.Post("/v1/transactions", sale)
		require.Equal(t, http.StatusAccepted, answer.Status, string(answer.Body))
		sales, bodies = append(sales, answer.Field("id")), append(bodies, sale)
	}
	b.Eventually("all sales are taxed", func(context.Context) (bool, error) {
		return b.Count("SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'") == len(sales), nil
	})
	first := b.Call(http.MethodGet, "/v1/transactions/"+sales[0], nil, 200)["transaction_items"].([]any)[0].(map[string]any)
	b.giveBack(sales[0], "GN-0", "2026-05-30", first["amount"].(string), "1.00")
	b.giveTaxBack(sales[3], "GR-0", "2026-05-30", "L1", "0.05")
	bodies[5]["status"] = "CANCELLED"
	b.Call(http.MethodPut, "/v1/transactions/"+sales[5], bodies[5], 200)

	liability, exempt, products, customers, rounded := adder{}, adder{}, adder{}, adder{}, adder{}
	customerID := ""
	list := b.Call(http.MethodGet, "/v1/transactions?size=100", nil, 200)["items"].([]any)
	require.Len(t, list, 26)
	for _, item := range list {
		x := item.(map[string]any)
		if x["status"] == "CANCELLED" {
			continue
		}
		text := func(of map[string]any, name string) string { return of[name].(string) }
		sign, credit := func(amount string) string { return amount }, x["type"] != "SALE"
		if credit {
			sign = minus
		}
		place := text(x, "country") + " " + text(x, "state")
		month := place + " " + text(x, "tax_date")[:7]
		of := ""
		if x["marketplace"] == true {
			of = "marketplace_"
		}
		rounded.add(month, "tax", sign(text(x, "total_tax_amount_calculated")))
		liability.add(month, "liability", sign(text(x, "total_tax_liability_amount")))
		liability.add(month, of+"collected", sign(text(x, "total_tax_amount_imported")))
		if of == "" {
			liability.add(month, "tax", sign(text(x, "total_tax_amount_calculated")))
			liability.add(month, "taxable", sign(text(x, "taxable_amount")))
			liability.add(month, "difference", sumOf(sign(text(x, "total_tax_amount_imported")),
				minusOf(sign(text(x, "total_tax_liability_amount")))))
		}
		for _, line := range x["transaction_items"].([]any) {
			l := line.(map[string]any)
			net, taxable := sign(text(l, "amount")), sign(text(l, "taxable_amount"))
			if x["type"] == "TAX_REFUND" {
				net = "0.00"
			}
			product, customer := text(l, "external_product_id"), x["customer"].(map[string]any)
			customerID = text(customer, "id")
			for report, key := range map[*adder]string{&products: product, &customers: text(customer, "external_id")} {
				report.add(key, "sales", net)
				report.add(key, "taxable", taxable)
				report.add(key, "tax", sign(text(l, "tax_amount_calculated")))
				report.add(key, "collected", sign(text(l, "tax_amount_imported")))
			}
			liability.add(month, of+"sales", net)
			if product == "P-CARE" {
				exempt.add(place+" NOT_TAXABLE", "exempt", sumOf(net, minusOf(taxable)))
			}
		}
	}
	const days = "&start_date=2026-01-01&end_date=2026-12-31"
	liability.equal(t, b.report("LIABILITY"+days, "country_code", "state_code", "month"), "liability")
	exempt.equal(t, b.report("EXEMPT_SALES"+days, "country_code", "state_code", "reason"), "exempt sales")
	products.equal(t, b.report("PRODUCTS"+days, "external_product_id"), "products")
	customers.equal(t, b.report("CUSTOMERS"+days, "external_customer_id"), "customers")
	require.Len(t, b.report("CUSTOMERS&customer_id="+customerID+days, "external_customer_id"), 1)
	require.Empty(t, b.report("CUSTOMERS&customer_id=cust_other"+days, "external_customer_id"))
	require.Len(t, b.report("CUSTOMERS&customer_id__in=cust_other,"+customerID+days, "external_customer_id"), 1,
		"as the list of customers asks")
	require.Empty(t, b.report("LIABILITY&start_date=2025-01-01&end_date=2025-12-31"), "no sales on these days")
	rounding := b.report("ROUNDING"+days, "country_code", "state_code", "month")
	rounded.equal(t, rounding, "rounding")
	b.rowsAreLists("LIABILITY"+days, "PRODUCTS"+days, "CUSTOMERS"+days, "EXEMPT_SALES"+days, "ROUNDING"+days)
	for key, row := range rounding {
		require.Equal(t, row["difference"], sumOf(row["tax"], minusOf(row["form_tax"])), key)
	}

	b.reportsAsFiles("LIABILITY"+days, len(liability))
	matrix := b.report("TAXABILITY", "tax_class")
	require.Equal(t, "0.0625", matrix["PHYSICAL"]["US-TX"])
	require.Equal(t, "RULE_FOUND_NOT_TAXABLE", matrix["PHYSICAL"]["US-OR"])
	require.NotEmpty(t, b.report("NEXUS", "country_code", "state_code")["US TX"])
	for query, location := range map[string]string{
		"report=OTHER": "query.report", "": "query.report", "report=NEXUS&start_date=2026-02-01&end_date=2026-01-01": "query.end_date",
	} {
		refused := b.Get("/v1/reports?" + query)
		require.Equal(t, http.StatusBadRequest, refused.Status, "%s", refused.Body)
		require.Contains(t, string(refused.Body), location)
	}
}

// minusOf is an amount with the other sign.
func minusOf(amount string) string {
	total, err := money.ParseTotal(amount)
	if err != nil {
		panic(err)
	}
	if strings.HasPrefix(amount, "-") {
		return strings.TrimPrefix(total.String(), "-")
	}
	return minus(amount)
}

// reportsAsFiles checks that both files of a report have the rows of its list.
func (b *bed) reportsAsFiles(query string, rows int) {
	b.t.Helper()
	asCSV := b.Get("/v1/reports/export?format=csv&report=" + query)
	require.Equal(b.t, http.StatusOK, asCSV.Status, string(asCSV.Body))
	table, err := csv.NewReader(bytes.NewReader(asCSV.Body)).ReadAll()
	require.NoError(b.t, err)
	require.Len(b.t, table, rows+1)
	workbook := b.Get("/v1/reports/export?format=xlsx&report=" + query)
	require.Equal(b.t, http.StatusOK, workbook.Status, string(workbook.Body))
	file, err := excelize.OpenReader(bytes.NewReader(workbook.Body))
	require.NoError(b.t, err)
	cells, err := file.GetRows(file.GetSheetName(0))
	require.NoError(b.t, err)
	require.Len(b.t, cells, rows+1)
	for i, row := range cells {
		for j, cell := range row {
			require.Equal(b.t, strings.ReplaceAll(table[i][j], ",", ""), strings.ReplaceAll(cell, ",", ""), "row %d, column %d", i, j)
		}
	}
	require.NoError(b.t, file.Close())
}

// rowsAreLists adds up the transactions that each row of the reports names, and compares them with the row.
func (b *bed) rowsAreLists(queries ...string) {
	b.t.Helper()
	for _, query := range queries {
		var answer struct {
			Items []struct {
				Row    string            `json:"report_row"`
				Values map[string]string `json:"values"`
			} `json:"items"`
		}
		got := b.Get("/v1/reports?size=100&report=" + query)
		require.Equal(b.t, http.StatusOK, got.Status, string(got.Body))
		require.NoError(b.t, json.Unmarshal(got.Body, &answer))
		require.NotEmpty(b.t, answer.Items)
		for _, row := range answer.Items {
			tax, own, lines := "0.00", 0, 0
			found := b.Call(http.MethodGet, "/v1/transactions?size=100&report_row="+row.Row, nil, 200)["items"].([]any)
			for _, item := range found {
				x := item.(map[string]any)
				if x["marketplace"] == false {
					own++
				}
				amount := x["total_tax_amount_calculated"].(string)
				if x["type"] != "SALE" {
					amount = minus(amount)
				}
				tax = sumOf(tax, amount)
				for _, line := range x["transaction_items"].([]any) {
					if line.(map[string]any)["external_product_id"] == row.Values["external_product_id"] {
						lines++
					}
				}
			}
			switch {
			case strings.HasPrefix(query, "LIABILITY"):
				require.Equal(b.t, row.Values["transactions"], fmt.Sprint(own), row.Values)
			case strings.HasPrefix(query, "PRODUCTS"):
				require.Equal(b.t, row.Values["lines"], fmt.Sprint(lines), row.Values)
			case strings.HasPrefix(query, "EXEMPT_SALES"), strings.HasPrefix(query, "CUSTOMERS"):
				require.Equal(b.t, row.Values["transactions"], fmt.Sprint(len(found)), row.Values)
			default:
				require.Equal(b.t, row.Values["tax"], tax, row.Values)
			}
		}
	}
	for _, unknown := range []string{"x", "WyJMSUFCSUxJVFkiXQ", "WyJORVhVUyIsIjIwMjYtMDEtMDEiLCIyMDI2LTAxLTMxIl0"} {
		require.Empty(b.t, b.Call(http.MethodGet, "/v1/transactions?report_row="+unknown, nil, 200)["items"])
	}
}
