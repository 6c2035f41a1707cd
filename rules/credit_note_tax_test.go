package rules

import (
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/money"
)

// followingTax is a credit note for which no collected tax was sent.
func followingTax(total string, items ...models.TransactionItem) *models.RefundDraft {
	d := creditOf(total, items...)
	d.Sent.TaxFromOriginal = true
	return d
}

func TestTheCollectedTaxOfARefund(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		total, lines string // product and amount
		alter        func(*models.CreditAccount, *models.RefundDraft)
		want         string // of the lines, and of the note
	}{
		"all of it":                       {"108.00", "book 60.00 cup 40.00", nil, "5.00 3.00 = 8.00"},
		"with the sign that was sent":     {"-108.00", "book -60.00 cup -40.00", nil, "-5.00 -3.00 = -8.00"},
		"whatever the signs of its lines": {"-108.00", "book 60.00 cup 40.00", nil, "-5.00 -3.00 = -8.00"},
		"a line":                          {"65.00", "book 60.00", nil, "5.00 = 5.00"},
		"a third of a line":               {"21.67", "book 20.00", nil, "1.67 = 1.67"},
		"twice of one line":               {"65.00", "book 20.00 book 40.00", nil, "1.67 3.33 = 5.00"},
		"the rest of a line": {
			"21.66", "book 20.00", taken("43.34", "3.34",
				map[int]models.LineCredit{1: {Amount: amountOf("40.00"), Collected: amountOf("3.34")}}),
			"1.66 = 1.66",
		},
		"nothing of a line that gave back more": {
			"21.66", "book 20.00", taken("43.34", "6.00",
				map[int]models.LineCredit{1: {Amount: amountOf("40.00"), Collected: amountOf("6.00")}}),
			"0.00 = 0.00",
		},
		"no more than is left of all": {
			"43.00", "cup 40.00", taken("10.00", "7.00", nil), "1.00 = 1.00",
		},
		"the rest of the sale, whatever its lines are": {
			"8.00", "cup 1.00", taken("100.00", "6.50", nil), "1.50 = 1.50",
		},
		"the same with the sign that was sent": {
			"-8.00", "cup -1.00", taken("100.00", "6.50", nil), "-1.50 = -1.50",
		},
		"nothing of a sale that gave back more than it had": {
			"43.00", "cup 40.00", taken("10.00", "9.00", nil), "0.00 = 0.00",
		},
		"nor as the rest of the sale": {"8.00", "cup 1.00", taken("100.00", "9.00", nil), "0.00 = 0.00"},
		"the rest of the sale to lines without tax": {
			"108.00", "book 30.00 cup 10.00", func(a *models.CreditAccount, _ *models.RefundDraft) {
				a.Sale.Items[0].TaxAmountImported, a.Sale.Items[1].TaxAmountImported = decimal.Zero, decimal.Zero
			}, "6.00 2.00 = 8.00",
		},
		"what was collected for the whole, by amount": {
			"65.00", "book 60.00", func(a *models.CreditAccount, _ *models.RefundDraft) {
				a.Sale.Items[0].TaxAmountImported, a.Sale.Items[1].TaxAmountImported = decimal.Zero, decimal.Zero
			}, "4.80 = 4.80",
		},
		"what was collected for the whole, as its lines say": {
			"70.00", "book 60.00", func(a *models.CreditAccount, _ *models.RefundDraft) {
				a.Sale.TotalTaxAmountImported = amountOf("16.00")
			}, "10.00 = 10.00",
		},
		"of a line with a discount, by what was paid": {
			"22.50", "book 20.00", func(a *models.CreditAccount, _ *models.RefundDraft) {
				a.Sale.Items[0].TotalDiscount = amountOf("20.00")
			}, "2.50 = 2.50",
		},
		"a coupon alone gives nothing back": {
			"10.00", "coupon -10.00", withCoupon, "0.00 = 0.00",
		},
		"a coupon against the others": {
			"97.20", "book 60.00 cup 40.00 coupon -10.00", withCoupon, "4.50 2.70 0.00 = 7.20",
		},
		"none where none was collected": {
			"65.00", "book 60.00", func(a *models.CreditAccount, _ *models.RefundDraft) {
				a.Sale.TotalTaxAmountImported = decimal.Zero
			}, "0.00 = 0.00",
		},
		"no more than the total leaves above the lines": {"63.20", "book 60.00", nil, "3.20 = 3.20"},
		"nothing if the total leaves nothing":           {"60.00", "book 60.00", nil, "0.00 = 0.00"},
		"a sum for the whole note, spread over its lines": {
			"108.00", "book 60.00 cup 40.00", func(_ *models.CreditAccount, d *models.RefundDraft) {
				d.Sent.TaxFromOriginal, d.TotalTaxAmountImported = false, amountOf("4.00")
			}, "2.50 1.50 = 4.00",
		},
		"tax alone, by what is left of the lines": {
			"4.00", "book 0.00 cup 0.00", func(a *models.CreditAccount, d *models.RefundDraft) {
				d.Sent.TaxFromOriginal, d.TotalTaxAmountImported = false, amountOf("4.00")
				a.Collected, a.Lines[1] = amountOf("4.00"), models.LineCredit{Collected: amountOf("4.00")}
			}, "1.00 3.00 = 4.00",
		},
		"what was sent stays": {
			"108.00", "book 60.00 cup 40.00", func(_ *models.CreditAccount, d *models.RefundDraft) {
				d.Sent.TaxFromOriginal = false
				d.Items[0].TaxAmountImported, d.TotalTaxAmountImported = amountOf("0.10"), amountOf("0.10")
			}, "0.10 0.00 = 0.10",
		},
		"a cancelled note takes none": {
			"108.00", "book 60.00", func(_ *models.CreditAccount, d *models.RefundDraft) { d.Status = models.StatusCancelled },
			"0.00 = 0.00",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, d := soldTwoLines(), followingTax(c.total)
			words := strings.Fields(c.lines)
			for i := 0; i < len(words); i += 2 {
				d.Items = append(d.Items, ofProduct(words[i], words[i+1]))
			}
			if c.alter != nil {
				c.alter(a, d)
			}
			require.NoError(t, AdmitRefund(a, d))
			var got []string
			for i := range d.Items {
				got = append(got, money.Format(d.Items[i].TaxAmountImported))
			}
			require.Equal(t, c.want, strings.Join(got, " ")+" = "+money.Format(d.TotalTaxAmountImported))
		})
	}
}

// taken sets what earlier notes refunded.
func taken(total, collected string, lines map[int]models.LineCredit) func(*models.CreditAccount, *models.RefundDraft) {
	return func(a *models.CreditAccount, _ *models.RefundDraft) {
		a.Total, a.Collected, a.Lines = amountOf(total), amountOf(collected), lines
	}
}

// withCoupon takes 10.00 and its tax off the sale.
func withCoupon(a *models.CreditAccount, _ *models.RefundDraft) {
	coupon := ofProduct("coupon", "-10.00")
	coupon.LineNo, coupon.TaxAmountImported = 3, amountOf("-0.80")
	a.Sale.Items = append(a.Sale.Items, coupon)
	a.Sale.TotalAmount, a.Sale.TotalTaxAmountImported = amountOf("97.20"), amountOf("7.20")
	a.Sale.Subtotal = amountOf("90.00")
}

func TestALineIsRefundedAtMostWhatWasPaidForIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		amounts  string // of lines of one note, over a cup for 40.00 less 10.00
		taken    string
		discount string
	}{
		"what was paid":                 {"30.00", "0.00", "0.00"},
		"the price before the discount": {"40.00", "0.00", "10.00"},
		"the same, negative":            {"-40.00", "0.00", "-10.00"},
		"a part":                        {"20.00", "0.00", "0.00"},
		"after a part":                  {"20.00", "20.00", "10.00"},
		"after all of it":               {"20.00", "30.00", "20.00"},
		"after more than there was":     {"20.00", "35.00", "20.00"},
		"by two lines of a note":        {"25.00 15.00", "0.00", "0.00 10.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, d := soldTwoLines(), creditOf("100.00")
			a.Sale.Items[1].TotalDiscount = amountOf("10.00")
			a.Lines[2] = models.LineCredit{Amount: amountOf(c.taken)}
			sum := decimal.Zero
			for amount := range strings.FieldsSeq(c.amounts) {
				d.Items = append(d.Items, ofProduct("cup", amount))
			}
			require.NoError(t, AdmitRefund(a, d))
			var got []string
			for i := range d.Items {
				got = append(got, money.Format(d.Items[i].TotalDiscount))
				sum, _ = money.Add(sum, d.Items[i].TotalDiscount)
			}
			require.Equal(t, c.discount, strings.Join(got, " "))
			require.Equal(t, money.Format(sum), money.Format(d.TotalDiscount))
		})
	}
	t.Run("a refund of tax is limited by the tax", func(t *testing.T) {
		t.Parallel()
		d := creditOf("3.00", ofProduct("cup", "900.00"))
		d.Type = models.TypeTaxRefund
		require.NoError(t, AdmitRefund(soldTwoLines(), d))
		require.Equal(t, "0.00", money.Format(d.Items[0].TotalDiscount))
	})
}

func TestAllAmountsOfARefundHaveOneSign(t *testing.T) {
	t.Parallel()
	refund := func(total string) *models.Transaction {
		back := inTexas(item(1, "60.00"), item(2, "-10.00"))
		back.Type, back.TotalAmount = models.TypePartialCreditNote, amountOf(total)
		back.Subtotal, back.TotalDiscount = amountOf("50.00"), amountOf("5.00")
		back.Items[0].TotalDiscount = amountOf("5.00")
		back.Items[0].TaxAmountImported, back.Items[1].TaxAmountImported = amountOf("-5.00"), amountOf("1.00")
		back.TotalTaxAmountImported, back.TotalTaxAmountCalculated = amountOf("4.00"), amountOf("-3.96")
		back.TotalTaxLiabilityAmount, back.TaxableAmount = amountOf("-3.96"), amountOf("-45.00")
		base := amountOf("-55.00")
		back.Items[0].TaxAmountCalculated, back.Items[0].TaxableAmount = amountOf("-4.84"), base
		back.Items[1].TaxAmountCalculated, back.Items[1].TaxableAmount = amountOf("0.88"), amountOf("10.00")
		back.Items[0].TaxItems = []models.TaxItem{
			{Type: models.TaxItemCalculated, Amount: amountOf("-4.84"), TaxableAmount: &base},
			{Type: "IMPORTED", Amount: amountOf("-5.00")},
		}
		return &back
	}
	amounts := func(back *models.Transaction) (all []string) {
		for _, d := range []decimal.Decimal{back.TotalAmount, back.Subtotal, back.TotalDiscount,
			back.TotalTaxAmountImported, back.TotalTaxAmountCalculated,
			back.TotalTaxLiabilityAmount, back.TaxableAmount} {
			all = append(all, money.Format(d))
		}
		for _, i := range back.Items {
			for _, d := range []decimal.Decimal{i.Amount, i.TotalDiscount, i.TaxAmountImported, i.TaxAmountCalculated,
				i.TaxableAmount} {
				all = append(all, money.Format(d))
			}
			for _, part := range i.TaxItems {
				all = append(all, money.Format(part.Amount))
				if part.TaxableAmount != nil {
					all = append(all, money.Format(*part.TaxableAmount))
				}
			}
		}
		return all
	}
	positive := "54.00 50.00 5.00 4.00 3.96 3.96 45.00 60.00 5.00 5.00 4.84 55.00 4.84 55.00 5.00 -10.00 " +
		"0.00 -1.00 -0.88 -10.00"
	negative := "-54.00 -50.00 -5.00 -4.00 -3.96 -3.96 -45.00 -60.00 -5.00 -5.00 -4.84 -55.00 -4.84 -55.00 -5.00 10.00 " +
		"0.00 1.00 0.88 10.00"
	for total, want := range map[string]string{"54.00": positive, "-54.00": negative} {
		back := refund(total)
		before := strings.Join(amounts(back), " ")
		require.Equal(t, want, strings.Join(amounts(WithOneSign(back)), " "))
		require.Equal(t, before, strings.Join(amounts(back), " "), "the record is as it was")
	}
	sold := refund("54.00")
	sold.Type = models.TypeSale
	require.Same(t, sold, WithOneSign(sold))
}

// The rest of the collected tax is allocated to the lines by their shares of it, else by amount, else evenly.
func TestCollectedTaxIsAllocatedToLines(t *testing.T) {
	t.Parallel()
	amounts := func(list string) (all []decimal.Decimal) {
		for amount := range strings.FieldsSeq(list) {
			all = append(all, amountOf(amount))
		}
		return all
	}
	for name, c := range map[string]struct{ amount, shares, nets, want string }{
		"like their shares":              {"3.00", "1.00 2.00", "9.00 1.00", "1.00 2.00"},
		"a cent to the larger remainder": {"1.00", "1.00 2.00", "1.00 1.00", "0.33 0.67"},
		"a line that has none":           {"1.00", "0.00 0.01", "9.00 1.00", "0.00 1.00"},
		"a coupon among them":            {"4.00", "8.00 -4.00", "1.00 1.00", "8.00 -4.00"},
		"by amount":                      {"1.00", "0.00 0.00", "10.00 30.00", "0.25 0.75"},
		"shares that cancel: by amount":  {"1.00", "4.00 -4.00", "10.00 30.00", "0.25 0.75"},
		"evenly":                         {"1.01", "0.00 0.00", "0.00 0.00", "0.51 0.50"},
		"below zero":                     {"-1.00", "0.00 0.00", "10.00 30.00", "-0.25 -0.75"},
		"nothing":                        {"0.00", "0.00 0.00", "0.00 0.00", "0.00 0.00"},
	} {
		spread, err := spreadOver(amountOf(c.amount), amounts(c.shares), amounts(c.nets))
		require.NoError(t, err)
		require.Equal(t, amounts(c.want), spread, name)
	}
}
