package tax

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
)

// The sentences of a refund say which part of which amount is refunded, what earlier refunds took, and what limits
// it.
func TestARefundSaysHowItCameAbout(t *testing.T) {
	t.Parallel()
	town := zip(sampleContent(t), "75001") // 8.25 %
	hundred := []Line{physical("100.00")}
	back := func(line int, amount, tax string) RefundLine {
		return RefundLine{Line: line, Amount: decimal.MustParse(amount), Tax: decimal.MustParse(tax)}
	}
	for _, test := range []struct {
		rule         string
		sold         []Line
		before, then []RefundLine
		says         []string
	}{
		{"a part", hundred, nil, []RefundLine{back(0, "33.33", "0")},
			[]string{"RATE: 33.33 of 100.00 at the original's tax of 8.25 gives 2.749725, rounded to 2.75."}},
		{"the rest", hundred, []RefundLine{back(0, "33.33", "0")}, []RefundLine{back(0, "66.67", "0")},
			[]string{"RATE: 66.67 of 100.00, after 33.33 before it, at the original's tax of 8.25 uses the line up and takes " +
				"the rest of its tax, 5.50."}},
		{"more than is left", hundred, []RefundLine{back(0, "60.00", "0")}, []RefundLine{back(0, "60", "0")},
			[]string{"RATE: 60.00 of 100.00, after 60.00 before it, at the original's tax of 8.25 uses the line up and takes " +
				"the rest of its tax, 3.30."}},
		{"tax alone", hundred, nil, []RefundLine{back(0, "0", "5")},
			[]string{"RATE: Tax alone is given back: 5.00; with it goes 60.61 of the base, which was exempt to this extent."}},
		{"more tax than is left", hundred, []RefundLine{back(0, "0", "5")}, []RefundLine{back(0, "0", "5")},
			[]string{"RATE: Tax alone is given back: 3.25, which is all that is left of the line's tax; with it goes 39.39 of the base, " +
				"which was exempt to this extent."}},
		{"less tax than the share", hundred, []RefundLine{back(0, "0", "8")}, []RefundLine{back(0, "50", "0")},
			[]string{"RATE: 50.00 of 100.00 at the tax that lower prices and refunds of tax left of it, 0.25, gives 0.125, " +
				"rounded to 0.13."}},
		{"nothing", hundred, nil, []RefundLine{back(0, "0", "0")},
			[]string{"RATE: No amount and no tax is given back."}},
		{"a line without tax", []Line{{Class: ClassNotTaxable, Amount: decimal.MustParse("9.00")}}, nil,
			[]RefundLine{back(0, "9", "0")}, []string{"EXEMPTION: The original line bore no tax: there is none to give back."}},
		{"two lines", []Line{physical("100.00"), physical("50.00")}, nil, []RefundLine{back(1, "50", "0"), back(0, "0", "1")},
			[]string{
				"RATE: Line 1: 50.00 of 50.00 at the original's tax of 4.125 uses the line up and takes the rest of its tax, 4.13.",
				"RATE: Line 2: Tax alone is given back: 1.00; with it goes 12.12 of the base, which was exempt to this extent.",
			}},
	} {
		req := RefundRequest{
			TransactionID: "txn_1", TaxDate: calendar.MustDate("2026-09-09"), Original: soldAt(t, town, "", test.sold...),
		}
		if test.before != nil {
			req.Lines = test.before
			r, err := Refund(req)
			require.NoError(t, err, test.rule)
			req.Earlier = earlier(test.before, r)
		}
		req.Lines = test.then
		r, err := Refund(req)
		require.NoError(t, err, test.rule)
		texts := said(r)
		require.Equal(t, "JURISDICTIONS: Texas, Big County, Town and Rail: found by ZIP.", texts[1], test.rule)
		require.Equal(t, test.says, texts[2:len(texts)-1], test.rule)
		require.Equal(t, "ROUNDING: Rounded half away from zero, once per tax and line, and never more than is left of the "+
			"original's tax; what uses a line up takes the rest.", texts[len(texts)-1], test.rule)
	}
}

// Outside the United States each tax is refunded by itself, by the unit of rounding of the sale, by the authority that
// took it. British Columbia has 5 % GST and 7 % PST, Quebec 5 % GST and 9.975 % QST. Germany has 19 %, Madeira 22 %.
func TestRefundsOfSalesAbroad(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	for _, test := range []struct {
		country, state, postal string
		unit                   RoundingUnit
		sold                   string   // amounts of the lines
		refunds                []string // amounts of the same lines, 0 for none
		parts                  []string // tax of each refund, each line by tax
	}{
		{"CA", "BC", "", TaxPerLine, "0.50", []string{"0.25", "0.25"}, []string{"-0.01 -0.02", "-0.02 -0.02"}},
		{"CA", "BC", "", TaxPerLine, "0.50 0.50", []string{"0.50 0.50"}, []string{"-0.03 -0.04 -0.03 -0.04"}},
		{"CA", "BC", "", TaxPerDocument, "0.50 0.50", []string{"0.25 0.25", "0.25 0.25"},
			[]string{"-0.02 -0.02 -0.01 -0.02", "-0.01 -0.02 -0.01 -0.01"}},
		{"CA", "QC", "", TaxPerLine, "100.00", []string{"50.00", "50.00"}, []string{"-2.50 -4.99", "-2.50 -4.99"}},
		{"CA", "QC", "", TaxPerLine, "-100.00", []string{"50.00", "50.00"}, []string{"2.50 4.99", "2.50 4.99"}},
		{"CA", "ON", "", JurisdictionPerLine, "1.00", []string{"0.33", "0.67"}, []string{"-0.04", "-0.09"}},
		{"DE", "", "", TaxPerLine, "119.00", []string{"19.00", "100.00"}, []string{"-3.61", "-19.00"}},
		{"PT", "", "9000-001", TaxPerLine, "0.05", []string{"0.02", "0.03"}, []string{"0.00", "-0.01"}},
		{"EG", "", "", TaxPerLine, "100.00", []string{"100.00"}, []string{"0.00"}},
	} {
		sale := Request{
			TaxDate: calendar.MustDate("2026-05-15"), Rounding: test.unit,
			Destination: c.Resolve(Address{Country: test.country, State: test.state, PostalCode: test.postal}),
		}
		for amount := range strings.FieldsSeq(test.sold) {
			sale.Lines = append(sale.Lines, physical(amount))
		}
		original, err := c.Calculate(sale)
		require.NoError(t, err)
		text, err := json.Marshal(original.Explanation)
		require.NoError(t, err)
		req := RefundRequest{TaxDate: calendar.MustDate("2026-09-09")}
		require.NoError(t, json.Unmarshal(text, &req.Original))
		total := original.Tax
		for i, amounts := range test.refunds {
			req.Lines = nil
			for amount := range strings.FieldsSeq(amounts) {
				req.Lines = append(req.Lines, RefundLine{Line: len(req.Lines), Amount: decimal.MustParse(amount)})
			}
			r, err := Refund(req)
			require.NoError(t, err)
			var parts []string
			for line := range r.Lines {
				for j, item := range r.Lines[line].TaxItems {
					parts = append(parts, item.Amount.String())
					require.Equal(t, original.Lines[line].TaxItems[j].Authority, item.Authority, "%+v", test)
				}
			}
			require.Equal(t, test.parts[i], strings.Join(parts, " "), "refund %d of %+v", i+1, test)
			total, err = money.Add(total, r.Tax)
			require.NoError(t, err)
			req.Earlier = append(req.Earlier, earlier(req.Lines, r)...)
		}
		require.Equal(t, "0.00", total.String(), "all of it is refunded: %+v", test)
	}
}

// A sum of refunds that is too large for a document is refused, like a sale of that amount.
func TestARefundIsBounded(t *testing.T) {
	t.Parallel()
	original := soldAt(t, zip(sampleContent(t), "75001"), "", physical("9999999999.99"))
	original.Items = append(original.Items, original.Items[0])
	req := RefundRequest{Original: original, Lines: []RefundLine{{Line: 0, Amount: decimal.MustParse("9999999999.99")}}}
	_, err := Refund(req)
	require.NoError(t, err)
	req.Lines = append(req.Lines, RefundLine{Line: 1, Amount: decimal.MustParse("0.01")})
	_, err = Refund(req)
	require.ErrorIs(t, err, money.ErrOverflow)
}
