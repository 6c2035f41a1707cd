package console_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// setField is an expression that writes into a field by its id.
func setField(id, value string) string {
	return fmt.Sprintf(`((e) => e !== null && (e.value = %q, true))(document.getElementById(%q))`, value, id)
}

// aCatalogueIsKept has the admin, who is signed in, maintain the catalogue: a product with its tax in each state, a
// certificate with its document, and a rate override.
func aCatalogueIsKept(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	base := bed.API.URL() + "/o/" + bed.OrganizationID
	aProductIsClassified(t, b, base)
	aCertificateIsKept(t, b, bed, base)
	aRateIsSet(t, b, bed, base)

	b.do(chromedp.Navigate(base + "/nexus"))
	b.click(`main a[href$="/nexus/simulate"]`)
	b.is(setField("state-code", "US/GA") + ` && ` + setField("amount", "a lot"))
	b.click("main form button")
	b.is(`document.querySelector('#amount-wrong').innerText.length > 5 && ` +
		`document.querySelector('#state-code').value === 'US/GA'`)
	b.is(setField("amount", "600000"))
	b.click("main form button")
	b.is(`[...document.querySelectorAll('tbody tr')].some(e => e.innerText.includes('Georgia') && ` +
		`e.querySelector('b').innerText === 'Exposed')`)
	b.accessible("what if")
	require.Zero(t, bed.Count("SELECT count(*) FROM nexus_records WHERE state_code = 'GA' AND status <> 'NOT_EXPOSED'"),
		"nothing is stored")
}

func aProductIsClassified(t *testing.T, b *browser, base string) {
	t.Helper()
	b.do(chromedp.Navigate(base + "/products"))
	b.is(setField("external-id", "SHIRT-1"))
	b.click(`main form[method=post] button`)
	b.is(`document.querySelectorAll('main [role=alert] a').length === 2 && ` +
		`document.querySelector('#kind-wrong').innerText === 'This is needed.' && ` +
		`document.querySelector('#external-id').value === 'SHIRT-1'`)
	b.is(setField("name", hostile) + ` && ` + setField("kind", "CLOTHING/GENERAL_CLOTHING"))
	b.accessible("products")
	b.click(`main form[method=post] button`)
	b.is(`document.querySelector('.sums b').innerText === 'clothing' && !document.querySelector('main img, main script')`)
	b.is(setField("kind", "FOOD/GROCERY_FOOD"))
	b.click(`button[value=preview]`)
	b.is(`document.querySelector('#preview').innerText === 'As food' && document.querySelector('.sums ` +
		`b').innerText === 'clothing'`)
	b.accessible("product")
	b.click(`main a.button`)
	row := func(state, says string) string {
		return fmt.Sprintf(`[...document.querySelectorAll('tbody tr')].find(e => `+
			`e.querySelector('th').innerText.includes('%s')).innerText.includes('%s')`, state, says)
	}
	b.is(`document.querySelectorAll('tbody tr').length === 51 && document.querySelectorAll('.map path').length === 51`)
	b.is(row("Pennsylvania", "Not taxed") + ` && ` + row("Texas", "6.25 %") + ` && ` + row("Oregon", "Not taxed") +
		` && ` + row("New York", "Not taxed at this price"))
	b.accessible("product by state")
	b.is(setField("amount", "110"))
	b.click(`main form button`)
	b.is(row("New York", "4 %")) // from 110 dollars on the state taxes clothing
}

func aCertificateIsKept(t *testing.T, b *browser, bed *testbed.Bed, base string) {
	t.Helper()
	customer := bed.Post("/v1/customers", map[string]any{"external_id": "RESELLER-1", "name": "Ada Trading"})
	require.Equal(t, http.StatusOK, customer.Status, string(customer.Body))
	b.do(chromedp.Navigate(base + "/exemptions"))
	b.is(setField("customer-id", "NOBODY") + ` && ` + setField("exemption-type", "wholesale") + ` && ` +
		setField("start-date", "2026-01-01"))
	b.click(`main form[method=post] button`)
	b.is(`document.querySelector('#customer-id-wrong').innerText === 'No customer has this name or ID.' && ` +
		`document.querySelector('#exemption-type').value === 'wholesale'`)
	b.is(`document.querySelector('#customer-id-list option[value="RESELLER-1"]').label === 'Ada Trading'`)
	b.is(setField("customer-id", "ada trad"))
	b.click(`main form[method=post] button`)
	b.is(`document.querySelector('h1').innerText === 'Ada Trading' && ` +
		`document.querySelector('.badge').innerText === 'Active'`)

	folder := t.TempDir()
	file := func(name, content string) []string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return []string{path}
	}
	b.do(chromedp.SetUploadFiles("#file", file("certificate.pdf", "no certificate at all")))
	b.click(`form[enctype] button`)
	b.is(`document.querySelector('main [role=alert]').innerText.includes('must be a PDF, PNG or JPEG')`)
	b.do(chromedp.SetUploadFiles("#file", file("certificate.pdf", "%PDF-1.7 resale")))
	b.click(`form[enctype] button`)
	b.is(`document.querySelector('tbody a').innerText === 'certificate.pdf'`)
	b.accessible("exemption")
	b.click(`main a[href*="/customers/"]`)
	b.is(`document.querySelector('h1').innerText === 'Ada Trading' && ` +
		`document.querySelectorAll('tbody a[href*="/exemptions/"]').length === 1`)
	b.accessible("customer")
	b.do(chromedp.Navigate(base + "/customers?search_query=RESELLER-1"))
	b.is(`document.querySelectorAll('tbody tr').length === 1`)
	b.accessible("customers")
	b.click(`tbody a`)
	b.click(`tbody a[href*="/exemptions/"]`)
	b.is(`(fetch(document.querySelector('tbody a').href).then(r => r.text()).then(t => ` +
		`document.body.dataset.read = t), true)`)
	b.is(`document.body.dataset.read === '%PDF-1.7 resale'`)
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM audit
		WHERE entity_type = 'exemption_attachment' AND action = 'read' AND user_name = 'Pat Partner'`))
	b.click(`.acts button`)
	b.is(`document.querySelector('.badge').innerText === 'Deactivated'`)
	b.do(chromedp.Navigate(base + "/exemptions?status__in=DEACTIVATED"))
	b.is(`document.querySelectorAll('tbody tr').length === 1`)
	b.accessible("exemptions")
}

func aRateIsSet(t *testing.T, b *browser, bed *testbed.Bed, base string) {
	t.Helper()
	b.do(chromedp.Navigate(base + "/rates"))
	for id, value := range map[string]string{
		"state-code": "CO", "jurisdiction-type": "CITY", "jurisdiction-name": "Denver", "rate": "525",
		"start-date": "2026-01-01", "reason": "Ballot measure",
	} {
		b.is(setField(id, value))
	}
	b.click(`main form button`)
	b.is(`document.querySelector('#rate-wrong').innerText.includes('percent from 0 to 100') && ` +
		`document.querySelector('#jurisdiction-name').value === 'Denver'`)
	b.is(setField("rate", "0.0525"))
	b.click(`main form button`)
	b.is(`document.querySelector('#sure') !== null`)
	b.accessible("a rate to confirm")
	b.is(setField("rate", "5.25"))
	b.click(`main form button`)
	b.is(`document.querySelector('#preview') !== null && document.querySelector('#sure') === null`)
	b.click(`main form button`)
	b.is(`document.querySelector('tbody').innerText.includes('5.25 %') && ` +
		`document.querySelector('tbody').innerText.includes('Ballot measure')`)
	b.accessible("rates")
	b.click(`tbody button`)
	b.is(`document.querySelector('.empty') !== null`)
	require.Zero(t, bed.Count("SELECT count(*) FROM rate_overrides"))
}
