package console_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// screenshotsVariable is the folder that `make screenshots` has the pictures of the documentation in.
const screenshotsVariable = "LEVY_TEST_SCREENSHOTS"

// mostBytes is how large a picture of the documentation may be.
const mostBytes = 150_000

// window stores a picture of the part of a page that is visible without scrolling.
func (b *browser) window(folder, name string) {
	b.t.Helper()
	quality := int64(80)
	taken, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatWebp, Quality: &quality,
	})
	require.NoError(b.t, err)
	require.Less(b.t, len(taken.Data), mostBytes, name)
	require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+".webp"), taken.Data, 0o600))
}

// sharesOf are the shares of the sales to each of the addresses of the merchant's customers.
var sharesOf = []int{4, 3, 2, 1, 4, 2}

// customersOf are these addresses.
var customersOf = []map[string]any{
	{"street_1": "350 5th Ave", "city": "New York", "state": "NY", "postal_code": "10118"},
	{"street_1": "400 Broad St", "city": "Seattle", "state": "WA", "postal_code": "98109"},
	{"street_1": "1100 Congress Ave", "city": "Austin", "state": "TX", "postal_code": "78701"},
	{"street_1": "1 Dr Carlton B Goodlett Pl", "city": "San Francisco", "state": "CA", "postal_code": "94102"},
	{"street_1": "206 Washington St SW", "city": "Atlanta", "state": "GA", "postal_code": "30334"},
	{"street_1": "200 E Colfax Ave", "city": "Denver", "state": "CO", "postal_code": "80203"},
}

// sellAYear posts the sales of a year, more from month to month, and one that cannot be processed.
func sellAYear(t *testing.T, bed *testbed.Bed) {
	t.Helper()
	n := 0
	sell := func(name string, day time.Time, amount int, address map[string]any) {
		body, at := testbed.Sale(name, n), day.Format(time.DateOnly)+"T10:00:00Z"
		to := map[string]any{"type": "SHIP_TO", "country": "US"}
		for field, value := range address {
			to[field] = value
		}
		money := json.Number(fmt.Sprintf("%d.00", amount))
		body["date"], body["addresses"], body["total_amount"] = at, []any{to}, money
		item := body["transaction_items"].([]any)[0].(map[string]any)
		item["date"], item["amount"] = at, money
		answer := bed.Post("/v1/transactions", body)
		require.Equal(t, http.StatusAccepted, answer.Status, string(answer.Body))
		n++
	}
	for month := 12; month >= 1; month-- {
		for i, address := range customersOf {
			amount := 1500 + (12-month)*450 + (month*37+i*211)%900
			sell(fmt.Sprintf("SHOP-%04d", 1001+n), testbed.FirstOfMonth(month).AddDate(0, 0, 2+i*4), amount*sharesOf[i], address)
		}
	}
	sell("SHOP-2001", testbed.FirstOfMonth(0), 240, map[string]any{"city": "Sprangville", "state": "Wahsinton"})
	bed.Eventually("all sales are processed, but one", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'") >= n-1 &&
			bed.Count("SELECT count(*) FROM transaction_refetches") == 1 &&
			bed.Count("SELECT count(*) FROM nexus_changes WHERE pending") == 0, nil
	})
}

// The pictures of the documentation are taken from a real installation with the sales of a year.
func TestScreenshots(t *testing.T) {
	folder := os.Getenv(screenshotsVariable)
	if folder == "" {
		t.Skip("make screenshots takes them.")
	}
	b := open(t, 1280, 900)
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	bed.Exec("UPDATE organizations SET name = 'Harbor Goods', name_key = 'harbor goods' WHERE id = $1", bed.OrganizationID)
	registration := bed.Post("/v1/registrations", map[string]any{
		"country_code": "US", "state_code": "NY", "filing_frequency": "MONTHLY", "imported": true,
		"registration_date":   testbed.FirstOfMonth(12).Format(time.DateOnly),
		"create_filings_from": testbed.FirstOfMonth(3).Format(time.DateOnly),
	})
	require.Equal(t, http.StatusOK, registration.Status, string(registration.Body))
	sellAYear(t, bed)
	for i, name := range []string{"Blue Heron Outfitters", "Kestrel & Daughters", "Northwind Coffee Roasters",
		"Juniper Press"} {
		onboard(t, bed, name, 2+i)
	}
	bed.Exec("UPDATE onboarding_steps SET started_at = now() - number * interval '3 days'")
	bed.Eventually("there are returns", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM filings") >= 2, nil
	})
	id := func(sql string) string { return bed.Rows(sql)[0]["id"].(string) }
	own := "/o/" + bed.OrganizationID
	b.prefers("light")
	b.enter(invited(bed, "pat@example.com", "--name", "Pat Partner", "--organization", bed.OrganizationID,
		"--role", "admin"))
	for _, picture := range []struct{ name, path string }{
		{"console-clients", "/clients"}, {"console-exceptions", "/exceptions"}, {"console-nexus", own + "/nexus"},
		{"console-forecast", own + "/nexus/" +
			id("SELECT id FROM nexus_records WHERE country_code = 'US' AND state_code = 'CO' LIMIT 1")},
		{"console-return", own + "/filings/" + id("SELECT id FROM filings ORDER BY start_date LIMIT 1") + "#parts"},
	} {
		b.do(chromedp.Navigate(bed.API.URL() + picture.path))
		b.is(`document.querySelector('main h1') !== null && document.readyState === 'complete'`)
		b.window(folder, picture.name)
	}
}
