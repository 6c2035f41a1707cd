package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
)

const aReport = `{"report":"FILINGS","start_date":"2026-01-01","end_date":"2026-12-31","total":1,"page":1,"size":50,"pages":1,
	"columns":[{"name":"country_code","kind":"TEXT"},{"name":"state_code","kind":"TEXT"},{"name":"start_date","kind":"DAY"},
	{"name":"filing_id","kind":"TEXT"},{"name":"status","kind":"TEXT"},{"name":"liability","kind":"AMOUNT"}],
	"items":[{"organization_id":"ORG","organization_name":"Shop","values":{"country_code":"US","state_code":"CA",
	"start_date":"2026-01-01","filing_id":"file_1","status":"FILED","liability":"1234.50"}}]}`

// A report is a table whose records can be opened. The organization is a column where it is another one.
func TestAReportIsATable(t *testing.T) {
	t.Parallel()
	for organization, more := range map[string]string{"org_1": "", "org_2": `<a href="/o/org_2">Shop</a>`} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/reports": strings.Replace(aReport, "ORG", organization, 1),
		}, "/o/org_1/reports?report=FILINGS&start_date=2026-01-01", nil)
		require.Equal(t, http.StatusOK, shown.Code, shown.Body)
		body := strings.Join(strings.Fields(shown.Body.String()), " ")
		for _, text := range []string{
			`<a href="/o/` + organization + `/filings/file_1">US: California</a>`, "1,234.50", "1 Jan 2026 – 31 Dec 2026",
			`<span class="badge" data-status="FILED">Filed</span>`, more,
			`href="/o/org_1/reports/export?report=FILINGS&amp;start_date=2026-01-01&amp;format=xlsx"`,
		} {
			require.Contains(t, body, text)
		}
		require.Contains(t, body, `<a href="/o/`+organization+`/transactions?filing_id=file_1">1,234.50</a>`)
		require.Equal(t, more != "", strings.Contains(body, ">Organization<"))
	}
	kept := visitedWith(t, map[string]string{"GET /v1/session": anAdmin, "GET /v1/reports": aReport},
		"/o/org_1/reports?report=FILINGS&organization_id=org_2", nil)
	require.Regexp(t, `<input type="hidden" name="organization_id" value="org_2"`, kept.Body.String(), "the form keeps it")
	shown := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/reports": `{"report":"LIABILITY","columns":[],"items":[],"total":0,"pages":0,"page":1}`,
	}, "/o/org_1/reports?report=UNKNOWN", nil)
	require.Equal(t, http.StatusOK, shown.Code, shown.Body)
	require.Contains(t, shown.Body.String(), "There is nothing to report")
}

// The first cell of a row is its header, which has a text also where its value is missing.
func TestARowOfAReportHasAHeader(t *testing.T) {
	t.Parallel()
	columns := []contract.ReportColumn{{Name: "product", Kind: string(models.ReportText)}}
	for value, text := range map[string]string{"": "none", "A-1": "A-1"} {
		row := &contract.ReportRow{Values: map[string]string{"product": value}}
		require.Equal(t, []reportCell{{Text: text}}, reportCells(models.ReportProducts, row, columns))
	}
}

// Numbers that no row of a report has take no room. A text that is missing keeps its column.
func TestAReportHasNoEmptyColumnsOfNumbers(t *testing.T) {
	t.Parallel()
	kinds := []models.ReportKind{models.ReportText, models.ReportText, models.ReportAmount, models.ReportAmount}
	r := contract.Report{Items: []contract.ReportRow{{Values: map[string]string{"product": "A-1", "tax": "0.00"}}}}
	for i, name := range []string{"product", "name", "tax", "marketplace_sales"} {
		r.Columns = append(r.Columns, contract.ReportColumn{Name: name, Kind: string(kinds[i])})
	}
	var page reportPage
	page.take("", &r)
	require.Equal(t, []column{{Label: "Product"}, {Label: "Name"}, {Label: "Tax", Number: true}}, page.Heads)
	require.Len(t, page.Rows[0], len(page.Heads))
}

// A report that is complete on its page has the sums of its amounts, in one currency.
func TestAReportHasTotals(t *testing.T) {
	t.Parallel()
	shown := func(currency, pages string) string {
		row := func(currency, amount string) string {
			return `{"organization_id":"org_1","values":{"country_code":"US","state_code":"CA","currency":"` + currency +
				`","transactions":"2","sales":"` + amount + `"}}`
		}
		return visitedWith(t, map[string]string{"GET /v1/session": anAdmin, "GET /v1/reports": `{"report":"LIABILITY","page":1,
			"columns":[{"name":"country_code","kind":"TEXT"},{"name":"state_code","kind":"TEXT"},{"name":"currency","kind":"TEXT"},
			{"name":"transactions","kind":"COUNT"},{"name":"sales","kind":"AMOUNT"}],"total":2,"pages":` + pages +
			`,"items":[` + row("USD", "1000.10") + "," + row(currency, "-0.35") + `]}`}, "/o/org_1/reports", nil).Body.String()
	}
	total := shown("USD", "1")
	require.Contains(t, total, ">Total</th>")
	require.Contains(t, total, `<td data-column="Sales" role="cell" class="num">999.75</td>`)
	require.NotContains(t, shown("EUR", "1"), ">Total</th>", "amounts of several currencies do not add up")
	require.NotContains(t, shown("USD", "2"), ">Total</th>", "the other rows are on another page")
}

// The tax of a prepayment is that of the return of its period, too: a total has it once. What is paid adds up.
func TestATotalHasTheTaxOfAPrepaymentOnce(t *testing.T) {
	t.Parallel()
	row := func(category, liability, ledger, paid string) string {
		return `{"organization_id":"org_1","values":{"country_code":"US","state_code":"CA","currency":"USD","filing_category":"` + category +
			`","liability":"` + liability + `"` + ledger + `,"paid":"` + paid + `"}}`
	}
	shown := func(rows ...string) string {
		return visitedWith(t, map[string]string{"GET /v1/session": anAdmin, "GET /v1/reports": `{"report":"FILINGS","page":1,"pages":1,
			"columns":[{"name":"country_code","kind":"TEXT"},{"name":"state_code","kind":"TEXT"},{"name":"filing_category","kind":"TEXT"},
			{"name":"currency","kind":"TEXT"},{"name":"liability","kind":"AMOUNT"},{"name":"ledger_liability","kind":"AMOUNT"},
			{"name":"paid","kind":"AMOUNT"}],"total":2,"items":[` + strings.Join(rows, ",") + `]}`,
		}, "/o/org_1/reports?report=FILINGS", nil).Body.String()
	}
	cell := func(head, text string) string {
		return `<td data-column="` + head + `" role="cell" class="num">` + text + `</td>`
	}
	prepaid := row("PREPAYMENT", "400.00", "", "360.00")
	_, total, _ := strings.Cut(shown(prepaid, row("REGULAR", "1000.00", `,"ledger_liability":"1000.00"`, "640.00")), ">Total</th>")
	require.Contains(t, total, cell("Liability", "1,000.00"))
	require.Contains(t, total, cell("Ledger liability", "1,000.00"))
	require.Contains(t, total, cell("Paid", "1,000.00"))
	_, total, _ = strings.Cut(shown(prepaid, prepaid), ">Total</th>")
	require.Contains(t, total, cell("Liability", ""))
	require.Contains(t, total, cell("Paid", "720.00"))
}

func TestAReportAsAFile(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"csv", "xlsx"} {
		shown := visitedWith(t, map[string]string{"GET /v1/session": anAdmin, "GET /v1/reports/export": "a,b\r\n"},
			"/o/org_1/reports/export?report=LIABILITY&format="+format, nil)
		require.Equal(t, http.StatusOK, shown.Code)
	}
}

func TestPlacesAreNamedByCountryAndState(t *testing.T) {
	t.Parallel()
	for codes, name := range map[[2]string]string{
		{"US", "CA"}: "US: California", {"CA", "CA"}: "Canada", {"CA", "ON"}: "CA: Ontario", {"DE", "DE"}: "Germany", {"US", "ZZ"}: "US: ZZ",
		{"XX", ""}: "XX",
	} {
		require.Equal(t, name, placeName(codes[0], codes[1]))
	}
}

func TestCellsOfTheTaxabilityMatrix(t *testing.T) {
	t.Parallel()
	for value, text := range map[string]string{
		"0.0625": "6.25 %", "NO_SALES_TAX": "No sales tax", "RULE_FOUND_NOT_TAXABLE": "Not taxed", "TAX_HOLIDAY": "Not taxed in a tax holiday",
	} {
		require.Equal(t, text, plainText(taxabilityLabel(value)))
	}
}

// A place of a filter is a country and a state: California is not Canada. A code that both share selects none of them.
func TestPlacesOfFilters(t *testing.T) {
	t.Parallel()
	for chosen, want := range map[string][2]string{
		"US-CA": {"US-CA", ""}, "TX": {"US-TX", ""}, "texas": {"US-TX", ""}, "US: Texas": {"US-TX", ""}, "CA": {"", "CA"}, "DE": {"", "DE"},
		"CA-CA": {"CA-CA", ""}, "FR": {"FR-FR", ""}, "": {"", ""},
	} {
		list := regionListOf(jurisdictions, chosen)
		require.Equal(t, want, [2]string{list.Value, list.Other}, chosen)
	}
	asked := map[string]string{}
	for _, code := range []string{"US-CA", "CA-CA", "TX", "Baden-Baden"} {
		asked[code] = placed(url.Values{"state_code": {code}}, "country_code").Encode()
	}
	require.Equal(t, map[string]string{
		"US-CA": "country_code=US&state_code=CA", "CA-CA": "country_code=CA&state_code=CA", "TX": "state_code=TX",
		"Baden-Baden": "state_code=Baden-Baden",
	}, asked)
	for code, query := range asked {
		sent, err := url.ParseQuery(query)
		require.NoError(t, err)
		require.Equal(t, url.Values{"state_code": {code}}, unplaced(sent, "country_code"))
	}
}

// Each figure of a report leads to what it adds up.
func TestFiguresOfReportsLeadToTheirTransactions(t *testing.T) {
	t.Parallel()
	for report, want := range map[models.ReportName]map[string]string{
		models.ReportLiability: {
			"sales": "/o/org_1/transactions?marketplace=false&report_row=row", "difference": "/o/org_1/transactions?report_row=row",
			"marketplace_sales": "/o/org_1/transactions?marketplace=true&report_row=row", "month": "",
		},
		models.ReportExemptSales: {"exempt": "/o/org_1/transactions?report_row=row", "sales": "/o/org_1/transactions?report_row=row"},
		models.ReportFilings:     {"liability": "/o/org_1/transactions?filing_id=file_1", "open": "/o/org_1/filings/file_1"},
		models.ReportRounding:    {"over_collected": "/o/org_1/transactions?report_row=row", "beyond_rounding": ""},
		models.ReportNexus:       {"sales": "/o/org_1/nexus/nexus_1", "reasons": ""},
	} {
		row := contract.ReportRow{OrganizationID: "org_1", Values: map[string]string{"filing_id": "file_1", "nexus_id": "nexus_1"}}
		if report.AddsUpTransactions() {
			row.ReportRow = "row"
		}
		for name, address := range want {
			kind := contract.ReportColumn{Name: name, Kind: string(models.ReportAmount)}
			if address == "" && name != "beyond_rounding" {
				kind.Kind = string(models.ReportText)
			}
			require.Equal(t, address, listOf(report, &row, &kind), "%s %s", report, name)
		}
	}
}
