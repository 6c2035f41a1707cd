package pdf_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/models/report"
	"levy/service/internal/pdf"
)

// head returns a filed report over this number of transactions.
func head(transactions int64) *report.Head {
	hash := "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	text := func(s string) *string { return &s }
	day := func(s string) time.Time { t, _ := time.Parse(time.DateOnly, s); return t }
	due, filed, approved := day("2026-04-20"), day("2026-04-17"), time.Date(2026, 4, 16, 9, 3, 11, 0, time.UTC)
	return &report.Head{
		ContentVersions: []string{"2026.11.1"},
		Filing: report.Filing{
			ID: "file_01jx4m9a2bfqv8m1x0c5t7hkde", OrganizationID: "org_01jx4kz3s6e2fvk9d8b7m1n4pq",
			RegistrationID: "regs_01jx4m0q5tb7cyd2f6g8h9j1k3",
			CountryCode:    "US", StateCode: text("NY"), StateName: text("New York"), StartDate: day("2026-01-01"),
			EndDate:  day("2026-03-31"),
			Category: "REGULAR", Frequency: text("QUARTERLY"), Currency: text("USD"), Status: "FILED", DueDate: &due,
			DateFiled:  &filed,
			ApprovedAt: &approved, ApprovedBy: text("akey_01jx4m9a2bfqv8m1x0c5t7hkde"),
			ReturnConfirmationID: text("SIM-2026-0417-000123"),
		},
		GeneratedAt: time.Date(2026, 4, 17, 14, 0, 5, 0, time.UTC),
		Hash:        &hash,
		Jurisdictions: []report.Jurisdiction{
			{Code: "36", Name: "New York", Type: "STATE", TaxableAmount: "1234567.80", TaxAmount: "49382.71"},
			{Code: "36061", Name: "New York City", Type: "CITY", TaxableAmount: "1034567.80", TaxAmount: "46555.55"},
			{
				Code: "8061", Name: "Metropolitan Commuter Transportation District", Type: "SPECIAL",
				TaxableAmount: "1034567.80", TaxAmount: "3879.63",
			},
		},
		Totals: report.Totals{
			Amount: "99817.89", AmountAdjusted: "0.00", AmountCalculated: "99817.89", AmountDiscounts: "200.00",
			AmountFees:      "0.00",
			AmountPenalties: "0.00", AmountSales: "123456789012345678.90", AmountTaxCollected: "99817.89",
			TaxRemitted:       "99617.89",
			TotalTaxLiability: "99817.89", TotalTaxableSales: "1234567.80", TransactionCount: transactions,
			MarketplaceTransactionCount: 0,
		},
	}
}

// write prints the report with this number of transactions of several kinds.
func write(t *testing.T, h *report.Head, rows int) []byte {
	t.Helper()
	r := pdf.New(h)
	for i := range rows {
		sale := &report.Transaction{
			ID: fmt.Sprintf("txn_%026d", i), ExternalID: fmt.Sprintf("ORDER-%05d", i), Type: "SALE",
			TaxDate:   h.Filing.StartDate.AddDate(0, 0, i%90),
			NetAmount: "1234.50", TaxableAmount: "1234.50", TaxCalculated: "109.56", TaxCollected: "109.56",
			TaxLiability: "109.56", Exempt: "NOT_EXEMPT",
		}
		switch i % 7 {
		case 3:
			sale.Type, sale.NetAmount, sale.TaxableAmount = "PARTIAL_CREDIT_NOTE", "-33.33", "-33.33"
			sale.TaxCalculated, sale.TaxLiability = "-2.96", "-2.96"
		case 5:
			sale.Marketplace, sale.TaxLiability = true, "0.00"
		case 6:
			sale.Exempt, sale.ExternalID = "PARTIALLY_EXEMPT", "Łódź-заказ-注文-🧾-"+sale.ExternalID+
				"-with-a-very-long-name-indeed"
		}
		r.Transaction(sale)
	}
	var out bytes.Buffer
	require.NoError(t, r.Write(&out))
	return out.Bytes()
}

func TestReport(t *testing.T) {
	t.Parallel()
	t.Run("says what was filed, and its hash on every numbered page", func(t *testing.T) {
		t.Parallel()
		h := head(120)
		pages := read(t, write(t, h, 120))
		require.Len(t, pages, 4)
		for i, page := range pages {
			require.Contains(t, page, *h.Hash)
			require.Contains(t, page, fmt.Sprintf("Page %d of 4", i+1))
		}
		for _, text := range []string{
			"New York, 1 January 2026 to 31 March 2026", h.Filing.ID, "SIM-2026-0417-000123", "123,456,789,012,345,678.90",
			"-200.00", "99,817.89", "Metropolitan Commuter Transportation District", "46,555.55",
		} {
			require.Contains(t, pages[0], text)
		}
		all := strings.Join(pages, "\n")
		require.Contains(t, all, "ORDER-00000")
		require.Contains(t, all, "ORDER-00119")
		require.Contains(t, all, "-33.33")
		require.NotContains(t, all, "are printed")
	})
	t.Run("is the same for the same report, to the byte", func(t *testing.T) {
		t.Parallel()
		require.True(t, bytes.Equal(write(t, head(120), 120), write(t, head(120), 120)))
		h := head(120)
		h.GeneratedAt = h.GeneratedAt.In(time.FixedZone("elsewhere", 3600))
		require.True(t, bytes.Equal(write(t, head(120), 120), write(t, h, 120)), "wherever it is printed")
	})
	t.Run("says for whom it is, that it is late, and that it is a test", func(t *testing.T) {
		t.Parallel()
		h := head(1)
		h.Taxpayer = &report.Taxpayer{
			Name: "Example Goods LLC", DBA: "Harbor Goods", EIN: "12-3456789", TaxID: "DE-445566", SalesTaxID: "NY-778899",
			Address: []string{"1 Main St", "Albany NY 12207", "US"},
		}
		late := h.Filing.DueDate.AddDate(0, 0, 62)
		h.Filing.DateFiled, h.Test = &late, true
		page := read(t, write(t, h, 1))[0]
		for _, text := range []string{
			"Legal name", "Example Goods LLC", "Harbor Goods", "EIN", "12-3456789", "DE-445566", "NY-778899", "Address",
			"1 Main St", "Albany NY 12207",
			"Late: it was due on 20 April 2026 and filed 62 days later.", "TEST: nothing was filed",
		} {
			require.Contains(t, page, text)
		}
		inTime := read(t, write(t, head(1), 1))[0]
		require.NotContains(t, inTime, "Late:")
		require.NotContains(t, inTime, "TEST")
		open := head(1)
		open.Filing.DateFiled, open.Hash, open.Filing.Status = nil, nil, "UNFILED"
		open.GeneratedAt = open.Filing.DueDate.Add(30 * time.Hour)
		require.Contains(t, read(t, write(t, open, 1))[0], "Overdue: it was due on 20 April 2026, 1 day ago.")
	})
	t.Run("says what was left out, by whom, and what happened before", func(t *testing.T) {
		t.Parallel()
		h := head(1)
		ann, amount, reason := "Ann", "9999.00", "The state of the destination is not certain."
		h.Excluded = &report.Exclusion{Amount: amount, DecidedBy: &ann, DecidedAt: h.Filing.ApprovedAt, Count: 1}
		h.Excluded.Transactions = []report.Excluded{{
			Amount: &amount, ExternalID: "ORDER-LOST", Reason: &reason, TaxDate: h.Filing.StartDate, ID: "txn_1", Type: "SALE",
		}}
		h.History = []report.Event{
			{
				At: h.GeneratedAt, Action: "REJECTED", By: "Levy",
				Note: "E-17; The number of the registration is not one that the authority knows, says its portal",
			},
			{At: h.GeneratedAt, Action: "RETRIED", By: "Bob"},
		}
		all := strings.Join(read(t, write(t, h, 1)), "\n")
		for _, text := range []string{
			"Left out, unresolved", "Ann decided on 2026-04-16", "9,999.00", "ORDER-LOST", reason, "rejected", "E-17",
			"says its portal", "retried", "Bob",
		} {
			require.Contains(t, all, text)
		}
	})
	t.Run("has the codes of jurisdictions whole, however long", func(t *testing.T) {
		t.Parallel()
		h := head(1)
		h.Jurisdictions[2].Code = "36-MCTD-0000000000-WHOLE"
		page := strings.Join(strings.Fields(read(t, write(t, h, 1))[0]), "")
		require.Contains(t, page, "City36061")
		require.Regexp(t, `36-MCTD-0000[0-9.,]+-WHOLE`, page, "on a second line, behind the amounts of the first")
		require.NotContains(t, page, "…")
	})
	t.Run("of a preview says that it is one", func(t *testing.T) {
		t.Parallel()
		h := head(1)
		h.Hash, h.Filing.Status = nil, "UNFILED"
		page := read(t, write(t, h, 1))[0]
		require.Contains(t, page, "Preview: the filing is unfiled")
		require.Contains(t, page, "Preview, not filed: no hash")
	})
	t.Run("prints a limited number of transactions and says so", func(t *testing.T) {
		t.Parallel()
		pages := read(t, write(t, head(1_000_000), pdf.Printed+1))
		require.Contains(t, pages[0], "The first 5,000 of 1,000,000 transactions are printed.")
		all := strings.Join(pages, "\n")
		require.Contains(t, all, fmt.Sprintf("ORDER-%05d", pdf.Printed-1))
		require.NotContains(t, all, fmt.Sprintf("ORDER-%05d", pdf.Printed))
	})
	t.Run("without transactions says so", func(t *testing.T) {
		t.Parallel()
		h := head(0)
		h.Jurisdictions = nil
		require.Contains(t, read(t, write(t, h, 0))[0], "There are no transactions in this period.")
	})
	t.Run("survives every text", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			h := head(1)
			h.Filing.StateName = new(rapid.String().Draw(t, "state"))
			h.Filing.Category = rapid.String().Draw(t, "category")
			h.Excluded = &report.Exclusion{Amount: "0.00", DecidedBy: new(rapid.String().Draw(t, "decided by")), Count: 1}
			h.Taxpayer = &report.Taxpayer{Name: rapid.String().Draw(t, "name")}
			h.History = []report.Event{{Note: rapid.String().Draw(t, "note")}}
			r := pdf.New(h)
			r.Transaction(&report.Transaction{ExternalID: rapid.String().Draw(t, "external id"), NetAmount: "0.00"})
			var out bytes.Buffer
			require.NoError(t, r.Write(&out))
			require.Contains(t, out.String(), "%%EOF")
		})
	})
}

// The largest amounts are printed in full, because a cut amount is useless.
func TestLargeAmountsAreNotCut(t *testing.T) {
	t.Parallel()
	const sum, amount = "-123456789012345678.90", "-9999999999.99"
	h := head(1)
	h.Jurisdictions[0].TaxableAmount, h.Jurisdictions[0].TaxAmount = sum, sum
	h.Totals.AmountCalculated = sum
	r := pdf.New(h)
	r.Transaction(&report.Transaction{
		ID: "txn_1", ExternalID: "A", Type: "SALE", TaxDate: h.Filing.StartDate, NetAmount: amount, TaxableAmount: amount,
		TaxCalculated: amount, TaxCollected: amount, TaxLiability: amount, Exempt: "NOT_EXEMPT",
	})
	var out bytes.Buffer
	require.NoError(t, r.Write(&out))
	all := strings.Join(read(t, out.Bytes()), "\n")
	require.NotContains(t, all, "…")
	require.Equal(t, 5, strings.Count(all, "-9,999,999,999.99"))
	require.Equal(t, 4, strings.Count(all, "-123,456,789,012,345,678.90"))
}
