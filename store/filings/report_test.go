package filings_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/models/report"
	"levy/store"
	"levy/store/storetest"
	"levy/tax/money"
)

// reports is a filing of New York for January 2026, with sales to report.
type reports struct {
	*store.Store
	url    string
	scope  models.Scope
	filing string
}

func setupReports(t *testing.T, sales int) reports {
	t.Helper()
	r := reports{url: storetest.URL(t)}
	r.Store, r.scope = storetest.Open(t, store.Options{URL: r.url}), storetest.Organization(t, r.url)
	r.filing = storetest.Return(t, r.Store, r.url, r.scope, sales)
	return r
}

func (r reports) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	storetest.Execute(t, r.url, sql, args...)
}

// document is the report as JSON, with its parts.
func (r reports) document(t *testing.T) (string, report.Head, []report.Transaction) {
	t.Helper()
	var out bytes.Buffer
	var w *report.JSONWriter
	var head report.Head
	var sales []report.Transaction
	err := r.Filings.ReadReport(t.Context(), r.scope, r.filing, report.Reader{Head: func(h *report.Head) (err error) {
		head = *h
		w, err = report.NewJSONWriter(&out, h)
		return err
	}, Taxes: true, Transaction: func(sale *report.Transaction) error {
		read := *sale
		read.Taxes = slices.Clone(sale.Taxes)
		sales = append(sales, read)
		return w.Transaction(sale)
	}})
	require.NoError(t, err)
	require.NoError(t, w.End())
	return out.String(), head, sales
}

func (r reports) verify(t *testing.T) *report.Result {
	t.Helper()
	_, result, err := r.Filings.VerifyReport(t.Context(), r.scope, r.filing)
	require.NoError(t, err)
	return result
}

func TestTheReportOfAFiling(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 25)

	r.exec(t, `
		INSERT INTO organization_details (organization_id, id, business_details, business_address, created_at, updated_at)
		VALUES ($1, 'orgd_1', '{"ein":"12-3456789"}', '{"business_name":"Example Goods LLC","company_address_1":"1 Main St",
		  "company_city":"Albany","company_state":"NY","company_postal_code":"12207","company_country_code":"US"}', now(),
		        now())
		ON CONFLICT (organization_id) DO UPDATE
		  SET business_details = excluded.business_details,
		       business_address = excluded.business_address`, r.scope.OrganizationID)
	r.exec(t, "UPDATE registrations SET sales_tax_id = 'NY-778899' WHERE organization_id = $1", r.scope.OrganizationID)
	_, preview, before := r.document(t)
	require.Nil(t, preview.Hash)
	require.Len(t, before, 25)
	taxpayer := &report.Taxpayer{
		Name: "Example Goods LLC", EIN: "12-3456789", SalesTaxID: "NY-778899",
		Address: []string{"1 Main St", "Albany NY 12207", "US"},
	}
	require.Equal(t, taxpayer, preview.Taxpayer)
	require.Nil(t, r.verify(t), "there is nothing to verify yet")

	hash := storetest.File(t, r.Store, r.scope, r.filing).ReportHash
	filed, head, sales := r.document(t)
	require.Equal(t, hash, head.Hash)
	r.exec(t, `UPDATE organization_details
		SET business_address = '{"business_name":"Another LLC"}'
		WHERE organization_id = $1`,
		r.scope.OrganizationID)
	require.Equal(t, taxpayer, head.Taxpayer)
	again, _, _ := r.document(t)
	require.Equal(t, filed, again, "the same bytes every time")
	require.Equal(t, before, sales)
	require.Equal(t, preview.Jurisdictions, head.Jurisdictions)
	require.Equal(t, []report.Jurisdiction{
		{
			Type: "STATE", Name: "New York", Code: "36", TaxableAmount: "1933.34", TaxAmount: "77.34",
			TaxableCalculated: new("2233.34"), TaxCalculated: new("89.34"),
		},
		{
			Type: "CITY", Name: "New York City", Code: "8081", TaxableAmount: "1933.34", TaxAmount: "87.00",
			TaxableCalculated: new("2233.34"), TaxCalculated: new("100.50"),
		},
		{
			Type: "SPECIAL", Name: "Metropolitan Commuter Transportation District", Code: "8061",
			TaxableAmount: "1933.34", TaxAmount: "7.34", TaxableCalculated: new("2233.34"), TaxCalculated: new("8.48"),
		},
	}, head.Jurisdictions, "three of them are of a marketplace, which remits their tax")
	require.Equal(t, report.Totals{
		AmountSales: "2233.34", TotalTaxableSales: "2233.34", AmountCalculated: "198.32",
		AmountTaxCollected: "204.24", TotalTaxLiability: "171.68",
		AmountAdjusted: "-1.00", AmountCreditApplied: "0.00", AmountCreditCarried: "0.00", AmountPrepaid: "0.00",
		AmountDiscounts: "2.00", AmountFees: "3.00",
		AmountPenalties: "4.00", Amount: "175.68", TaxRemitted: "175.68",
		TransactionCount: 22, MarketplaceTransactionCount: 3,
	}, head.Totals)
	require.Equal(t, []string{"2026.11.1"}, head.ContentVersions)
	require.Equal(t, []string{"-1.33", "-1.50", "-0.13"}, sales[9].Taxes)
	require.NotEmpty(t, head.Filing.Findings)
	require.Equal(t, preview.Filing.Findings, head.Filing.Findings)

	result := r.verify(t)
	require.Empty(t, result.Differences)
	require.Equal(t, *head.Hash, result.Hash)
	require.EqualValues(t, 25, result.Transactions)

	t.Run("has no findings where an earlier release has sealed it", func(t *testing.T) {
		r.exec(t, "UPDATE filing_reports SET findings = NULL")
		early, _, _ := r.document(t)
		require.NotContains(t, early, "findings")
	})
	t.Run("is that of its organization alone", func(t *testing.T) {
		other := storetest.Organization(t, r.url)
		none := report.Reader{Head: func(*report.Head) error { return errors.New("read") }}
		require.ErrorIs(t, r.Filings.ReadReport(t.Context(), other, r.filing, none), models.ErrNotFound)
		_, _, err := r.Filings.VerifyReport(t.Context(), other, r.filing)
		require.ErrorIs(t, err, models.ErrNotFound)
	})
	t.Run("ends where its reader has enough", func(t *testing.T) {
		n, enough := 0, errors.New("enough")
		to := report.Reader{
			Head:        func(*report.Head) error { return nil },
			Transaction: func(*report.Transaction) error { n++; return enough },
		}
		err := r.Filings.ReadReport(t.Context(), r.scope, r.filing, to)
		require.ErrorIs(t, err, enough)
		require.Equal(t, 1, n)
		n, to.Limit, to.Transaction = 0, 7, func(*report.Transaction) error { n++; return nil }
		require.NoError(t, r.Filings.ReadReport(t.Context(), r.scope, r.filing, to))
		require.Equal(t, 7, n)
	})
	t.Run("says when nothing was filed with anybody", func(t *testing.T) {
		for _, c := range []struct {
			ofTests      bool
			confirmation string
			want         bool
		}{{false, "C-1", false}, {true, "C-1", true}, {false, models.SimulatedConfirmation + "2026", true}} {
			r.exec(t, "UPDATE organizations SET is_test = $2 WHERE id = $1", r.scope.OrganizationID, c.ofTests)
			r.exec(t, "UPDATE filings SET return_confirmation_id = $2 WHERE organization_id = $1",
				r.scope.OrganizationID, c.confirmation)
			_, head, _ := r.document(t)
			require.Equal(t, c.want, head.Test, "%v", c)
		}
	})
}

// Sales in another currency are converted as a whole; their jurisdictions share that.
func TestTheJurisdictionsOfConvertedSalesAddUp(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 25)
	r.exec(t, "UPDATE transactions SET currency = 'CAD', conversion_rate = 0.7345 WHERE tax_date > '2026-01-10'")
	r.exec(t, `UPDATE transaction_totals
		SET sales = round(sales * 0.7345, 2), taxable = round(taxable * 0.7345, 2), tax = round(tax * 0.7345, 2),
		collected = round(collected * 0.7345, 2), liability = round(liability * 0.7345, 2) WHERE tax_date > '2026-01-10'`)
	storetest.File(t, r.Store, r.scope, r.filing)
	_, head, sales := r.document(t)
	sums := make([]money.Total, len(head.Jurisdictions))
	add := func(sum *money.Total, amount string) {
		plus, err := money.ParseTotal(amount)
		require.NoError(t, err)
		*sum, err = sum.Plus(plus)
		require.NoError(t, err)
	}
	for _, sale := range sales {
		var own money.Total
		for i, part := range sale.Taxes {
			add(&own, part)
			add(&sums[i], part)
		}
		require.Equal(t, sale.TaxLiability, own.String(), sale.ID)
	}
	for i, j := range head.Jurisdictions {
		require.Equal(t, j.TaxAmount, sums[i].String(), j.Name)
	}
	require.Empty(t, r.verify(t).Differences)
}

// A refund that uses up its sale takes the converted rest of it, which may be a cent away from its own amounts as converted.
func TestARefundThatTookAConvertedRestIsWhatWasFiled(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 25)
	r.exec(t, "UPDATE transactions SET currency = 'CAD', conversion_rate = 0.7345")
	r.exec(t, `UPDATE transaction_totals
		SET sales = round(sales * 0.7345, 2), taxable = round(taxable * 0.7345, 2), tax = round(tax * 0.7345, 2),
		    collected = round(collected * 0.7345, 2), liability = round(liability * 0.7345, 2)`)
	const note = "txn_00000000000000000000000010"
	r.exec(t, `UPDATE transaction_totals
		SET sales = sales + 0.01, taxable = taxable + 0.01, tax = tax - 0.01, collected = collected - 0.01,
		    liability = liability - 0.01 WHERE transaction_id = $1`, note)
	storetest.File(t, r.Store, r.scope, r.filing)
	require.Empty(t, r.verify(t).Differences)
	r.exec(t, "UPDATE filing_transactions SET sales = sales - 0.01 WHERE transaction_id = $1", note)
	require.Contains(t, fmt.Sprint(r.verify(t).Differences), note+" net_amount")
}

// A return in euro is verified by the rate with which its sales were converted, whatever rates are loaded later.
func TestVerifyConvertsAsTheClaimDid(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 25)
	r.exec(t, "UPDATE filings SET country_code = 'ZZ_EU', state_code = 'ZZ_EU', currency = 'EUR'")
	r.exec(t, "UPDATE transaction_totals SET country_code = 'ZZ_EU', state_code = 'ZZ_EU', member_code = 'SE'")
	r.exec(t, "INSERT INTO fx_rates (currency, day, rate, source) VALUES ('USD', '2026-02-02', 1.2345, 'test')")
	filed := storetest.File(t, r.Store, r.scope, r.filing)
	require.NotEqual(t, "2233.34", filed.AmountSales.String(), "they were converted")
	r.exec(t, "INSERT INTO fx_rates (currency, day, rate, source) VALUES ('USD', '2026-01-31', 1.5, 'test')")
	require.Empty(t, r.verify(t).Differences)

	const one, other = "txn_00000000000000000000000001", "txn_00000000000000000000000002"
	r.exec(
		t,
		`UPDATE filing_transactions
		    SET tax = tax + CASE transaction_id WHEN $1 THEN 0.01 ELSE -0.01 END
		  WHERE transaction_id IN ($1, $2)`,
		one, other,
	)
	var where []string
	for _, d := range r.verify(t).Differences {
		where = append(where, d.Where)
	}
	require.Subset(t, where, []string{
		"report_hash", one + " tax_calculated", other + " tax_calculated",
	}, "also where the totals do not change")
	r.exec(t, "UPDATE transactions SET total_tax_liability_amount = 1 WHERE id = $1", one)
	require.Contains(t, fmt.Sprint(r.verify(t).Differences), one+" liability of the transaction")
}

// The test changes rows directly in the database that the service never changes.
func TestVerifyFindsEveryChange(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 25)
	storetest.File(t, r.Store, r.scope, r.filing)
	const first, note = "txn_00000000000000000000000001", "txn_00000000000000000000000010"
	for what, c := range map[string]struct {
		change, back string
		where        []string
	}{
		"an amount of a member": {
			"UPDATE filing_transactions SET sales = sales + 0.01 WHERE transaction_id = '" + first + "'",
			"UPDATE filing_transactions SET sales = sales - 0.01 WHERE transaction_id = '" + first + "'",
			[]string{"report_hash", "totals.amount_sales", first + " net_amount", first + " net of the transaction"},
		},
		"the liability of a transaction": {
			"UPDATE transactions SET total_tax_liability_amount = 0 WHERE id = '" + first + "'",
			"UPDATE transactions SET total_tax_liability_amount = 8.88 WHERE id = '" + first + "'",
			[]string{first + " liability of the transaction"},
		},
		"the name of a transaction": {
			"UPDATE transactions SET external_id = 'ORDER-X' WHERE id = '" + first + "'",
			"UPDATE transactions SET external_id = 'ORDER-1' WHERE id = '" + first + "'",
			[]string{"report_hash"},
		},
		"a version of a transaction": {
			"UPDATE transactions SET epoch = 2 WHERE id = '" + first + "'",
			"UPDATE transactions SET epoch = 1 WHERE id = '" + first + "'",
			[]string{first + " version"},
		},
		"a line of a transaction": {
			"UPDATE transaction_items SET amount = 99 WHERE transaction_id = '" + first + "'",
			"UPDATE transaction_items SET amount = 100 WHERE transaction_id = '" + first + "'",
			[]string{first + " subtotal of the lines"},
		},
		"the tax of a jurisdiction": {
			`UPDATE transaction_items
			    SET tax_items = jsonb_set(tax_items, '{1,amount}', '"-1.60"')
			  WHERE transaction_id = '` + note + "'",
			`UPDATE transaction_items
			    SET tax_items = jsonb_set(tax_items, '{1,amount}', '"-1.50"')
			  WHERE transaction_id = '` + note + "'",
			[]string{"jurisdiction CITY New York City", note + " tax of the jurisdictions"},
		},
		"what a jurisdiction gets": {
			"UPDATE filing_jurisdictions SET tax = tax + 1 WHERE position = 1",
			"UPDATE filing_jurisdictions SET tax = tax - 1 WHERE position = 1",
			[]string{"report_hash", "sum of jurisdictions", "jurisdiction STATE New York"},
		},
		"a total": {
			"UPDATE filings SET total_tax_liability = total_tax_liability - 100",
			"UPDATE filings SET total_tax_liability = total_tax_liability + 100",
			[]string{"report_hash", "totals.total_tax_liability"},
		},
		"a transaction that is missing": {
			"CREATE TABLE gone AS SELECT * FROM filing_transactions WHERE transaction_id = '" + note +
				"'; DELETE FROM filing_transactions WHERE transaction_id = '" + note + "'",
			"INSERT INTO filing_transactions SELECT * FROM gone",
			nil,
		},
		"a finding": {
			`UPDATE filing_reports SET findings = findings || '[{"code":"NO_OBLIGATION"}]'`,
			"UPDATE filing_reports SET findings = findings - -1",
			[]string{"report_hash"},
		},
		"the confirmation": {
			"UPDATE filings SET return_confirmation_id = 'C-2'",
			"UPDATE filings SET return_confirmation_id = 'C-1'",
			[]string{"report_hash"},
		},
	} {
		for _, sql := range strings.Split(c.change, "; ") {
			r.exec(t, sql)
		}
		result := r.verify(t)
		var where []string
		for _, d := range result.Differences {
			where = append(where, d.Where)
		}
		if c.where == nil {
			require.NotEmpty(t, where, what)
		} else {
			require.Equal(t, c.where, where, what)
		}
		r.exec(t, c.back)
		require.Empty(t, r.verify(t).Differences, what)
	}
}
