package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/models/report"
	"levy/tax/money"
)

func TestAReportIsCanonicalJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h, sales := sample()
		h.Filing.StateName = new(rapid.String().Draw(t, "state"))
		h.Jurisdictions[0].Name = rapid.String().Draw(t, "jurisdiction")
		sales[0].ExternalID = rapid.String().Draw(t, "external id")
		written := document(t, &h, sales)
		canonical := jsontext.Value(bytes.Clone(written))
		require.NoError(t, canonical.Canonicalize(), "RFC 8785")
		require.Equal(t, string(canonical), string(written))
	})
}

func TestTheHashOfAReport(t *testing.T) {
	t.Parallel()
	t.Run("is that of the document with null for the hash", func(t *testing.T) {
		t.Parallel()
		h, sales := sealed(t)
		written := document(t, &h, sales)
		emptied := regexp.MustCompile(`"report_hash":"[0-9a-f]*"`).ReplaceAll(written, []byte(`"report_hash":null`))
		sum := sha256.Sum256(emptied)
		require.Equal(t, hex.EncodeToString(sum[:]), *h.Hash)
	})
	t.Run("of this report never changes", func(t *testing.T) {
		t.Parallel()
		h, _ := sealed(t)
		require.Equal(
			t, "b1d5f0e7c7e61b8e1eebb0bcca7d0bc564103323721ece828121dff26547785d", *h.Hash,
			"a release that changes it makes every filed report differ from its hash",
		)
	})
}

func TestRead(t *testing.T) {
	t.Parallel()
	h, sales := sealed(t)
	written := document(t, &h, sales)
	var loose map[string]any
	require.NoError(t, json.Unmarshal(written, &loose))
	indented, err := json.MarshalIndent(loose, "", "\t")
	require.NoError(t, err)
	reordered := strings.Replace(string(written), `{"content_versions":["2026.11.1"],`, `{`, 1)
	reordered = reordered[:len(reordered)-1] + `,"content_versions":["2026.11.1"]}`
	for layout, file := range map[string]string{
		"canonical": string(written), "indented": string(indented), "in another order": reordered,
	} {
		t.Run("takes it "+layout, func(t *testing.T) {
			t.Parallel()
			result := check(t, file)
			require.Empty(t, result.Differences)
			require.Equal(t, *h.Hash, result.Hash)
			require.EqualValues(t, len(sales), result.Transactions)
		})
	}
	for fault, file := range map[string]string{
		"no JSON":            "report",
		"an array":           "[]",
		"an end too early":   string(written[:len(written)-2]),
		"something after it": string(written) + "{}",
		"an unknown member": strings.Replace(
			string(written), `{"content_versions"`, `{"amount":"1.00","content_versions"`, 1,
		),
		"an unknown detail":  strings.Replace(string(written), `"exempt":`, `"discount":"1.00","exempt":`, 1),
		"a member missing":   strings.Replace(string(written), `"content_versions":["2026.11.1"],`, ``, 1),
		"a member of a kind": strings.Replace(string(written), `"marketplace":false`, `"marketplace":"no"`, 1),
		"the same name twice": strings.Replace(
			string(written), `"marketplace":false`, `"marketplace":false,"marketplace":false`, 1,
		),
	} {
		t.Run("refuses "+fault, func(t *testing.T) {
			t.Parallel()
			none := func(*report.Transaction) error { return nil }
			err := report.Read(strings.NewReader(file), func(*report.Head) error { return nil }, none)
			require.ErrorIs(t, err, report.ErrNotReport)
		})
	}
}

func TestCheckFindsEveryChangeOfAReport(t *testing.T) {
	t.Parallel()
	h, sales := sealed(t)
	written := string(document(t, &h, sales))
	for what, c := range map[string]struct {
		from, to string
		where    []string
	}{
		"an amount of a transaction": {
			`"net_amount":"100.00"`, `"net_amount":"100.01"`, []string{"report_hash", "totals.amount_sales"},
		},
		"its date": {`"tax_date":"2026-02-03"`, `"tax_date":"2026-02-04"`, []string{"report_hash"}},
		"who pays": {
			`"marketplace":true`, `"marketplace":false`,
			[]string{"report_hash", "totals.transaction_count", "totals.marketplace_transaction_count"},
		},
		"the name of a transaction": {`"external_id":"A-2"`, `"external_id":"A-3"`, []string{"report_hash"}},
		"a transaction twice":       {sales[1].ID, sales[0].ID, []string{"order of " + sales[0].ID, "report_hash"}},
		"a total": {
			`"total_tax_liability":"5.92"`, `"total_tax_liability":"5.93"`,
			[]string{"report_hash", "totals.total_tax_liability", "totals.amount"},
		},
		"what is paid": {`"amount":"6.92"`, `"amount":"6.93"`, []string{"report_hash", "totals.amount"}},
		"the tax of a jurisdiction": {
			`"tax_amount":"4.00"`, `"tax_amount":"4.01"`, []string{"report_hash", "sum of jurisdictions"},
		},
		"the hash": {*h.Hash, strings.Repeat("0", 64), []string{"report_hash"}},
		"the confirmation": {
			`"return_confirmation_id":"SIM-1"`, `"return_confirmation_id":"SIM-2"`, []string{"report_hash"},
		},
	} {
		t.Run("finds a change of "+what, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, written, c.from)
			result := check(t, strings.Replace(written, c.from, c.to, 1))
			require.False(t, result.Same())
			var where []string
			for _, d := range result.Differences {
				where = append(where, d.Where)
			}
			require.ElementsMatch(t, c.where, where)
		})
	}
	t.Run("reports no more than a hundred differences", func(t *testing.T) {
		t.Parallel()
		var v report.Result
		for i := range 150 {
			v.Compare(fmt.Sprint(i), "1", "2")
		}
		require.Len(t, v.Differences, 100)
		require.True(t, v.Truncated)
	})
	t.Run("refuses what is not an amount", func(t *testing.T) {
		t.Parallel()
		for amount, want := range map[string]error{
			"": money.ErrFormat, "1e2": money.ErrFormat, "+1.00": money.ErrFormat, "1,00.00": money.ErrFormat,
			"1.001":                  money.ErrPrecision,
			"1000000000000000000.00": money.ErrOverflow,
		} {
			h, sales := sample()
			sales[0].NetAmount = amount
			c, err := report.NewCheck(&h)
			require.NoError(t, err)
			require.ErrorIs(t, c.Transaction(&sales[0]), want, amount)
		}
	})
}

func TestCompareFindsTheDifferencesOfTwoReports(t *testing.T) {
	t.Parallel()
	h, sales := sealed(t)
	source := func(h report.Head, sales []report.Transaction) report.Source {
		return func(head func(*report.Head) error, each func(*report.Transaction) error) error {
			if err := head(&h); err != nil {
				return err
			}
			for i := range sales {
				if err := each(&sales[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	same, err := report.Compare(source(h, sales), source(h, sales))
	require.NoError(t, err)
	require.True(t, same.Same())

	other, changed := h, slices.Clone(sales)
	other.Totals.AmountFees, other.Filing.ReturnConfirmationID = "1.00", nil
	changed[1].ExternalID = "A-3"
	result, err := report.Compare(source(h, sales), source(other, changed[1:]))
	require.NoError(t, err)
	require.Equal(t, []report.Difference{
		{Where: "filing.return_confirmation_id", Stated: `"SIM-1"`, Found: "null"},
		{Where: "totals.amount_fees", Stated: `"0.50"`, Found: `"1.00"`},
		{Where: "transaction " + sales[0].ID, Stated: "A-1", Found: "nothing"},
		{Where: "transaction " + sales[1].ID + " external_id", Stated: "A-2", Found: "A-3"},
	}, result.Differences)
	result, err = report.Compare(source(h, sales[:2]), source(h, sales))
	require.NoError(t, err)
	require.Equal(t, []report.Difference{
		{Where: "transaction " + sales[2].ID, Stated: "nothing", Found: sales[2].ExternalID},
	}, result.Differences)

	broken := errors.New("broken")
	fails := func(func(*report.Head) error, func(*report.Transaction) error) error { return broken }
	_, err = report.Compare(source(h, sales), fails)
	require.ErrorIs(t, err, broken)
	_, err = report.Compare(fails, source(h, sales))
	require.ErrorIs(t, err, broken)
}

// check checks a report in JSON.
func check(t *testing.T, file string) *report.Result {
	t.Helper()
	var c *report.Check
	err := report.Read(strings.NewReader(file), func(h *report.Head) (err error) {
		c, err = report.NewCheck(h)
		return err
	}, func(sale *report.Transaction) error { return c.Transaction(sale) })
	require.NoError(t, err)
	result, err := c.Result()
	require.NoError(t, err)
	return result
}

func document(t require.TestingT, h *report.Head, sales []report.Transaction) []byte {
	var out bytes.Buffer
	w, err := report.NewJSONWriter(&out, h)
	require.NoError(t, err)
	for i := range sales {
		require.NoError(t, w.Transaction(&sales[i]))
	}
	require.NoError(t, w.End())
	return out.Bytes()
}

// sealed is a report with its hash.
func sealed(t *testing.T) (report.Head, []report.Transaction) {
	t.Helper()
	h, sales := sample()
	hash, err := report.NewHash(&h)
	require.NoError(t, err)
	for i := range sales {
		require.NoError(t, hash.Transaction(&sales[i]))
	}
	sum, err := hash.Sum()
	require.NoError(t, err)
	h.Hash = &sum
	return h, sales
}

func sample() (report.Head, []report.Transaction) {
	day := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC) }
	due := day(4, 20)
	h := report.Head{
		ContentVersions: []string{"2026.11.1"},
		Filing: report.Filing{
			ID: "file_01jx4m9a2bfqv8m1x0c5t7hkde", OrganizationID: "org_01jx4kz3s6e2fvk9d8b7m1n4pq",
			RegistrationID: "regs_01jx4m0q5tb7cyd2f6g8h9j1k3",
			CountryCode:    "US", StateCode: new("NY"), StateName: new("New York"), StartDate: day(
				1, 1,
			), EndDate: day(3, 31), Category: "REGULAR",
			Frequency: new("QUARTERLY"), Currency: new("USD"), Status: "FILED",
			DueDate: &due, DateFiled: &due, ReturnConfirmationID: new("SIM-1"),
		},
		GeneratedAt: time.Date(2026, 4, 20, 14, 0, 5, 120_000_000, time.UTC),
		Jurisdictions: []report.Jurisdiction{
			{Code: "36", Name: "New York", Type: "STATE", TaxableAmount: "66.67", TaxAmount: "4.00"},
			{Code: "36061", Name: "New York City", Type: "CITY", TaxableAmount: "66.67", TaxAmount: "1.92"},
		},
		Totals: report.Totals{
			Amount: "6.92", AmountAdjusted: "0.50", AmountCalculated: "5.92",
			AmountDiscounts: "0.25", AmountFees: "0.50", AmountPenalties: "0.25",
			AmountSales: "167.67", AmountTaxCollected: "8.88", TaxRemitted: "6.92",
			TotalTaxLiability: "5.92", TotalTaxableSales: "66.67",
			TransactionCount: 2, MarketplaceTransactionCount: 1,
		},
	}
	sale := report.Transaction{
		ID: "txn_01jx4m9a2bfqv8m1x0c5t7hkd1", ExternalID: "A-1", Type: "SALE", TaxDate: day(2, 3), Exempt: "NOT_EXEMPT",
		NetAmount: "100.00", TaxableAmount: "100.00", TaxCalculated: "8.88", TaxCollected: "8.88", TaxLiability: "8.88",
	}
	note := sale
	note.ID, note.ExternalID, note.Type = "txn_01jx4m9a2bfqv8m1x0c5t7hkd2", "A-2", "PARTIAL_CREDIT_NOTE"
	note.NetAmount, note.TaxableAmount, note.TaxCalculated, note.TaxCollected, note.TaxLiability = "-33.33", "-33.33",
		"-2.96", "0.00", "-2.96"
	market := sale
	market.ID, market.ExternalID, market.Marketplace = "txn_01jx4m9a2bfqv8m1x0c5t7hkd3", "A-\"<&>\u2028\x7f\t注文🧾", true
	market.NetAmount, market.TaxableAmount, market.TaxCalculated, market.TaxCollected, market.TaxLiability = "101.00",
		"0.00", "0.00", "0.00", "0.00"
	return h, []report.Transaction{sale, note, market}
}
