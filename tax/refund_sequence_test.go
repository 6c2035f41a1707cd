package tax

import (
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
)

// Successive refunds of one sale are each taxed like a sale of their amount. None takes more than is left, and the one
// that uses up the line takes the remainder.
func TestRefundsOfOneSaleOneAfterTheOther(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		zip, sold, tax string
		refunds, taxes string
	}{
		{"75001", "100.00", "8.25", "33.33 33.33 33.34", "-2.75 -2.75 -2.75"},
		{"75001", "100.00", "8.25", "50.00 50.00", "-4.13 -4.12"},
		{"75001", "100.00", "8.25", "99.99 0.01", "-8.25 0.00"},
		{"75001", "100.00", "8.25", "0.01 99.99", "0.00 -8.25"},
		{"75001", "100.00", "8.25", "100.00", "-8.25"},
		{"75001", "100.00", "8.25", "60.00 60.00", "-4.95 -3.30"},
		{"75001", "100.00", "8.25", "60.00 40.00 1.00", "-4.95 -3.30 0.00"},
		{"75001", "19.99", "1.65", "9.99 10.00", "-0.82 -0.83"},
		{"75001", "1.00", "0.08", "0.50 0.50", "-0.04 -0.04"},
		{"75001", "10.00", "0.83", "2.50 2.50 2.50 2.50", "-0.21 -0.21 -0.21 -0.20"},
		{"75001", "0.07", "0.01", "0.06 0.01", "0.00 -0.01"},
		{"75001", "0.06", "0.00", "0.06", "0.00"},
		{"75001", "1000.00", "82.50", "999.99 0.01", "-82.50 0.00"},
		{"75001", "9999999999.99", "825000000.00", "9999999999.99", "-825000000.00"},
		{"75001", "9999999999.99", "825000000.00", "0.01 9999999999.98", "0.00 -825000000.00"},
		{"75002", "100.00", "6.75", "33.33 33.33 33.34", "-2.25 -2.25 -2.25"},
		{"75002", "0.40", "0.03", "0.10 0.10 0.10 0.10", "-0.01 -0.01 -0.01 0.00"},
		{"75002", "2.00", "0.14", "1.00 1.00", "-0.07 -0.07"},
		{"94001", "100.00", "8.25", "12.12 87.88", "-1.00 -7.25"},
		{"94002", "100.00", "9.25", "50.00 50.00", "-4.63 -4.62"},
		{"94002", "10.00", "0.93", "10.00", "-0.93"},
		{"94002", "10.00", "0.93", "5.00 5.00", "-0.46 -0.47"},
	} {
		place := zip(sampleContent(t), test.zip)
		original := soldAt(t, place, "", physical(test.sold))
		req := RefundRequest{TransactionID: "txn_1", TaxDate: calendar.MustDate("2026-09-09"), Original: original}
		var taxes []string
		for amount := range strings.FieldsSeq(test.refunds) {
			req.Lines = []RefundLine{{Amount: decimal.MustParse(amount)}}
			r, err := Refund(req)
			require.NoError(t, err)
			taxes = append(taxes, r.Tax.String())
			req.Earlier = append(req.Earlier, earlier(req.Lines, r)...)
		}
		require.Equal(
			t, test.taxes, strings.Join(taxes, " "), "%s at %s given back as %s", test.sold, test.zip,
			test.refunds,
		)
	}
}

// No jurisdiction keeps tax after refunds of a part and of the rest.
func TestEachJurisdictionRefundsItsTax(t *testing.T) {
	t.Parallel()
	for _, parts := range []string{
		"100.00", "50.00 50.00", "33.33 33.33 33.34", "0.01 99.99", "10.10 20.20 30.30 39.40",
	} {
		original := soldAt(t, zip(sampleContent(t), "75001"), "", physical("100.00"))
		left := map[string]decimal.Decimal{}
		for name, amount := range map[string]string{
			"Texas": "6.25", "Big County": "0.50", "Town": "1.25", "Rail": "0.25",
		} {
			left[name] = decimal.MustParse(amount)
		}
		req := RefundRequest{TransactionID: "txn_1", TaxDate: calendar.MustDate("2026-09-09"), Original: original}
		for amount := range strings.FieldsSeq(parts) {
			req.Lines = []RefundLine{{Amount: decimal.MustParse(amount)}}
			r, err := Refund(req)
			require.NoError(t, err)
			for _, item := range r.Lines[0].TaxItems {
				left[item.JurisdictionName], err = left[item.JurisdictionName].Add(item.Amount)
				require.NoError(t, err)
				require.False(
					t, left[item.JurisdictionName].IsNeg(), "%s gave back more than it took",
					item.JurisdictionName,
				)
			}
			req.Earlier = append(req.Earlier, earlier(req.Lines, r)...)
		}
		for name, rest := range left {
			require.True(t, rest.IsZero(), "%s keeps %s of %s", name, rest, parts)
		}
	}
}

// A jurisdiction of which earlier refunds left nothing refunds nothing, whatever its share: the others refund it.
func TestAJurisdictionWithNothingLeftRefundsNothing(t *testing.T) {
	t.Parallel()
	original := soldAt(t, zip(sampleContent(t), "75001"), "", physical("100.00")) // 6.25 + 0.50 + 1.25 + 0.25
	county := original.Items[0].Lines[1]
	req := RefundRequest{
		TaxDate: calendar.MustDate("2026-09-09"), Original: original,
		Earlier: []RefundedLine{{Amount: decimal.MustParse("10.00"), Taxes: []RefundedTax{{
			RuleID: county.RuleID, JurisdictionType: county.JurisdictionType, JurisdictionName: county.JurisdictionName,
			TaxableAmount: decimal.MustParse("10.00"), Amount: county.Amount,
		}}}},
		Lines: []RefundLine{{Amount: decimal.MustParse("10.01")}},
	}
	r, err := Refund(req)
	require.NoError(t, err)
	var given []string
	for _, item := range r.Lines[0].TaxItems {
		given = append(given, item.JurisdictionName+" "+item.Amount.String())
	}
	require.Equal(t, []string{"Texas -0.69", "Big County 0.00", "Town -0.14", "Rail -0.03"}, given)
	require.Equal(t, "-0.86", r.Tax.String())
	require.Equal(t, []string{"Town", "Rail"}, r.Explanation.Items[0].Rounding.Allocation)
}

// A refund of tax alone takes the same part of the base along, also of a line whose amount is used up. 1.00 of 8.25 is
// 12.12 of 100.00.
func TestARefundOfTaxAloneTakesTheBaseAlong(t *testing.T) {
	t.Parallel()
	req := RefundRequest{
		TaxDate:  calendar.MustDate("2026-09-09"),
		Original: soldAt(t, zip(sampleContent(t), "75001"), "", physical("100.00"), physical("10.00")),
		Earlier:  []RefundedLine{{Line: 0, Amount: decimal.MustParse("100.00")}}, // without its tax
		Lines:    []RefundLine{{Line: 0, Tax: decimal.MustParse("1.00")}, {Line: 1, Amount: decimal.MustParse("10.00")}},
	}
	r, err := Refund(req)
	require.NoError(t, err)
	require.Equal(t, []string{"-1.00", "-12.12", "0.082508251"}, []string{
		r.Lines[0].Tax.String(), r.Lines[0].TaxableAmount.String(), r.Lines[0].Rate.String(),
	})
	require.Equal(t, []string{"-1.83", "-22.12"}, []string{r.Tax.String(), r.TaxableAmount.String()})
}

// Leftover cents are allocated only where several jurisdictions share a tax.
func TestOneJurisdictionSharesNoCents(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Places = rows(content.PlaceRow{
		At: content.RowRef{File: "sample", Line: 1}, ZIP: "75009", City: "Plain", State: "TX", Primary: true,
		Jurisdictions: "US-TX", Basis: "POSTAL_CITY", Completeness: "COMPLETE",
	})
	c, err := newContent(d)
	require.NoError(t, err)
	for place, leftovers := range map[string]int{"75009": 0, "75001": 2} {
		of := c
		if place == "75001" {
			of = sampleContent(t)
		}
		r, err := Refund(RefundRequest{
			TaxDate: calendar.MustDate("2026-09-09"), Original: soldAt(t, zip(of, place), "", physical("100.00")),
			Lines: []RefundLine{{Amount: decimal.MustParse("10.00")}}, // 62.5 + 5 + 12.5 + 2.5 cents
		})
		require.NoError(t, err)
		require.Len(t, r.Explanation.Items[0].Rounding.Allocation, leftovers, place)
	}
}
