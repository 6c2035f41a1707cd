package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func lines(amounts ...string) []models.TransactionItem {
	items := make([]models.TransactionItem, len(amounts))
	for i, amount := range amounts {
		items[i] = item(i, amount)
	}
	return items
}

func discount(appliedTo, amount string) *models.Discount {
	return &models.Discount{AppliedTo: appliedTo, Amount: amountOf(amount)}
}

func paths(faults []models.Fault) (paths []string) {
	for _, f := range faults {
		paths = append(paths, f.Path)
	}
	return paths
}

const wholeSale, largest = "TRANSACTION", "9999999999.99"

func TestDiscountsAreSpreadOverTheLines(t *testing.T) {
	t.Parallel()
	none := (*models.Discount)(nil)
	for _, c := range []struct {
		rule      string
		amounts   []string
		discounts []*models.Discount
		want      []string // of each line
		faults    []string
	}{
		{"none", []string{"10.00"}, []*models.Discount{none}, []string{"0"}, nil},
		{"of a line", []string{"10.00", "5.00"}, []*models.Discount{none, discount(models.DiscountOfLine, "1.00")},
			[]string{"0", "1.00"}, nil},
		{"of the sale, by the amounts", []string{"30.00", "10.00"}, []*models.Discount{none, discount(wholeSale, "4.00")},
			[]string{"3.00", "1.00"}, nil},
		{"both", []string{"30.00", "10.00"},
			[]*models.Discount{discount(wholeSale, "4.00"), discount(models.DiscountOfLine, "2.00")},
			[]string{"3.16", "2.84"}, nil},
		{"several of the sale are added up first", []string{"1.00", "1.00", "1.00"},
			[]*models.Discount{discount(wholeSale, "0.01"), discount(wholeSale, "0.01"), discount(wholeSale, "0.01")},
			[]string{"0.01", "0.01", "0.01"}, nil},
		{"of a line, all of it", []string{"10.00"}, []*models.Discount{discount(models.DiscountOfLine, "10.00")},
			[]string{"10.00"}, nil},
		{"of a line, more than it", []string{"10.00"}, []*models.Discount{discount(models.DiscountOfLine, "10.01")},
			[]string{"10.01"}, []string{"transaction_items[0].discount_builder.discount_amount"}},
		{"of the sale, all that is left", []string{"10.00", "5.00"},
			[]*models.Discount{discount(models.DiscountOfLine, "3.00"), discount(wholeSale, "12.00")},
			[]string{"10.00", "5.00"}, nil},
		{"of the sale, more than is left", []string{"10.00", "5.00"},
			[]*models.Discount{discount(models.DiscountOfLine, "3.00"), discount(wholeSale, "12.01")},
			[]string{"3.00", "0"}, []string{"transaction_items[1].discount_builder.discount_amount"}},
		{"of the sale, by what a coupon line leaves", []string{"30.00", "20.00", "-10.00"},
			[]*models.Discount{discount(wholeSale, "8.00"), none, none}, []string{"4.80", "3.20", "0"}, nil},
		{"of the sale, not of lines below zero", []string{"30.00", "-30.00"},
			[]*models.Discount{none, discount(wholeSale, "0.01")}, []string{"0", "0"},
			[]string{"transaction_items[1].discount_builder.discount_amount"}},
		{"of nothing", []string{"10.00", "-10.00"}, []*models.Discount{discount(wholeSale, "1.00"), none},
			[]string{"0", "0"}, []string{"transaction_items[0].discount_builder.discount_amount"}},
		{"of the sale, with too many digits", []string{largest, largest, largest},
			[]*models.Discount{discount(wholeSale, largest), discount(wholeSale, "0.01"), none},
			[]string{"0", "0", "0"}, []string{"transaction_items[0].discount_builder.discount_amount"}},
	} {
		items := lines(c.amounts...)
		require.Equal(t, c.faults, paths(SpreadDiscounts(items, c.discounts, "USD")), c.rule)
		for i, want := range c.want {
			require.Zero(t, amountOf(want).Cmp(items[i].TotalDiscount), "%s: line %d: %s", c.rule, i, items[i].TotalDiscount)
		}
	}
}

func TestTheSumsOfATransactionAreAmounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule   string
		alter  func(*models.Transaction)
		faults []string
	}{
		{"all of it", nil, nil},
		{"the amounts", func(txn *models.Transaction) { txn.Items = lines(largest, "0.01") }, []string{"transaction_items"}},
		{"the discounts", func(txn *models.Transaction) {
			txn.Items = lines(largest, "-0.01")
			txn.Items[0].TotalDiscount, txn.Items[1].TotalDiscount = amountOf(largest), amountOf("0.01")
		}, []string{"transaction_items"}},
		{"a line after its discount", func(txn *models.Transaction) {
			txn.Items = lines(largest, "-1.00")
			txn.Items[0].TotalDiscount = amountOf("-0.01")
		}, []string{"transaction_items[0].amount"}},
		{"the total with the tax", func(txn *models.Transaction) {
			txn.Items, txn.TotalTaxLiabilityAmount = lines(largest), amountOf("0.01")
		}, []string{"total_tax_liability_amount"}},
		{"the imported tax", func(txn *models.Transaction) {
			txn.Items[0].TaxAmountImported, txn.Items[1].TaxAmountImported = amountOf(largest), amountOf("0.01")
		}, []string{"total_tax_amount_imported"}},
		{"a fee and its coupon cancel", func(txn *models.Transaction) { txn.Items = lines(largest, "1.00", "-1.00") }, nil},
	} {
		txn := sale()
		txn.Items = lines("30.00", "10.00")
		txn.Items[0].TotalDiscount = amountOf("3.00")
		if c.alter != nil {
			c.alter(&txn)
		}
		require.Equal(t, c.faults, paths(SumTransaction(&txn)), c.rule)
	}

	txn := sale()
	txn.Items, txn.TotalTaxLiabilityAmount = lines("30.00", "10.00"), amountOf("3.70")
	txn.Items[0].TotalDiscount, txn.Items[0].TaxAmountImported = amountOf("3.00"), amountOf("1.50")
	require.Empty(t, SumTransaction(&txn))
	require.Equal(t, []string{"40.00", "3.00", "1.50", "40.70"}, []string{
		txn.Subtotal.String(), txn.TotalDiscount.String(), txn.TotalTaxAmountImported.String(), FinalTotal(&txn).String(),
	})
	txn.TotalTaxAmountImported = amountOf("9.00")
	require.Empty(t, SumTransaction(&txn))
	require.Equal(t, "9.00", txn.TotalTaxAmountImported.String(), "the document says its imported tax")
}

func TestWhatTheLinesSayWasPaid(t *testing.T) {
	t.Parallel()
	sold := lines("30.00", "10.00")
	sold[0].TotalDiscount = amountOf("3.00")
	require.Equal(t, "39.00", PaidByLines(sold, amountOf("2.00")).String())
	require.True(t, PaidByLines(sold, amountOf("0")).IsZero(), "without tax it is unknown")
	sold[1].TaxAmountImported = amountOf("1.00")
	require.Equal(t, "38.00", PaidByLines(sold, amountOf("0")).String())
	require.True(t, IsImportedTaxOf(amountOf("1"), sold))
	require.False(t, IsImportedTaxOf(amountOf("1.01"), sold))
	require.True(t, PaidByLines(lines("-30.00"), amountOf("2.00")).IsZero(), "no sale has a negative total")
	require.True(t, PaidByLines(lines(largest), amountOf("0.01")).IsZero(), "nor one with too many digits")
}
