package rules

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/money"
)

// soldTwoLines is a committed sale of 108.00, of which 8.00 are tax, without refunds.
func soldTwoLines() *models.CreditAccount {
	book, cup := item(1, "60.00"), item(2, "40.00")
	book.ExternalProductID, book.ExternalID, book.TaxAmountImported = "book", given("line-1"), amountOf("5.00")
	cup.ExternalProductID, cup.ExternalID, cup.TaxAmountImported = "cup", given("line-2"), amountOf("3.00")
	cup.Quantity = amountOf("4")
	sold := sale()
	sold.Items = []models.TransactionItem{book, cup}
	sold.Subtotal, sold.TotalAmount, sold.TotalTaxAmountImported = amountOf("100.00"), amountOf("108.00"), amountOf("8.00")
	sold.ProcessingStatus = models.ProcessingProcessed
	sold.CustomerID, sold.Source, sold.Marketplace = "cust_1", "SHOP", true
	return &models.CreditAccount{Sale: sold, Lines: map[int]models.LineCredit{}}
}

// creditOf is a committed credit note over lines of the product cup.
func creditOf(total string, items ...models.TransactionItem) *models.RefundDraft {
	d := &models.RefundDraft{}
	d.Type, d.Status, d.Currency = models.TypePartialCreditNote, models.StatusCommitted, "USD"
	d.TotalAmount, d.Items, d.Source = amountOf(total), items, "REST_API"
	return d
}

func ofProduct(product, amount string) models.TransactionItem {
	i := item(1, amount)
	i.ExternalProductID = product
	return i
}

func TestRefundsThatAreRefused(t *testing.T) {
	t.Parallel()
	faultsOf := func(t *testing.T, err error) (codes []string) {
		t.Helper()
		var invalid *models.InvalidError
		require.ErrorAs(t, err, &invalid)
		for _, f := range invalid.Faults {
			codes = append(codes, f.Code+" at "+f.Path)
		}
		return codes
	}
	t.Run("a refund of a refund", func(t *testing.T) {
		t.Parallel()
		a := soldTwoLines()
		a.Sale.Type = models.TypeTaxRefund
		require.ErrorIs(t, AdmitRefund(a, creditOf("1.00")), models.ErrOriginalIsRefund)
	})
	for _, status := range []models.TransactionStatus{
		models.StatusPending, models.StatusCancelled, models.StatusInvalid, models.StatusArchived,
		models.StatusFullyRefunded, models.StatusPartiallyRefunded,
	} {
		t.Run("a sale that is "+string(status), func(t *testing.T) {
			t.Parallel()
			a := soldTwoLines()
			a.Sale.Status = status
			var refused *models.OriginalNotCommittedError
			require.ErrorAs(t, AdmitRefund(a, creditOf("1.00", ofProduct("cup", "1.00"))), &refused)
			require.Equal(t, status, refused.Status)
		})
	}
	t.Run("every fault of its content at once", func(t *testing.T) {
		t.Parallel()
		many := ofProduct("cup", "10.00")
		many.Quantity = amountOf("5")
		d := creditOf("20.00", ofProduct("lamp", "10.00"), many)
		d.Currency = "EUR"
		require.Equal(t, []string{
			"currency_mismatch at currency",
			"item_not_in_original at transaction_items[0].external_product_id",
			"out_of_range at transaction_items[1].quantity",
		}, faultsOf(t, AdmitRefund(soldTwoLines(), d)))
	})
	t.Run("history is accepted as it is", func(t *testing.T) {
		t.Parallel()
		a := soldTwoLines()
		a.Sale.Status = models.StatusArchived
		d := creditOf("900.00", ofProduct("lamp", "900.00"))
		d.Ended = true
		require.NoError(t, AdmitRefund(a, d))
		require.Equal(t, models.TypePartialCreditNote, d.Type)
		require.Equal(t, "cust_1", d.CustomerID)
	})
}

func TestTheAmountOfASaleThatCanBeRefunded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		total, taken string
		alter        func(*models.CreditAccount, *models.RefundDraft)
		left         string // of a refusal
	}{
		"all of it":                          {total: "108.00", taken: "0.00"},
		"a cent more than all of it":         {total: "108.01", taken: "0.00", left: "108.00"},
		"what is left":                       {total: "8.00", taken: "100.00"},
		"a cent more than what is left":      {total: "8.01", taken: "100.00", left: "8.00"},
		"nothing is left":                    {total: "0.01", taken: "108.00", left: "0.00"},
		"more was refunded than was sold":    {total: "0.01", taken: "200.00", left: "0.00"},
		"the sign of the amount is free":     {total: "-108.00", taken: "0.00"},
		"and does not allow a larger amount": {total: "-108.01", taken: "0.00", left: "108.00"},
		"a cancelled note refunds nothing": {
			total: "900.00", taken: "0.00",
			alter: func(_ *models.CreditAccount, d *models.RefundDraft) { d.Status = models.StatusCancelled },
		},
		"a pending note reserves": {
			total: "108.01", taken: "0.00", left: "108.00",
			alter: func(_ *models.CreditAccount, d *models.RefundDraft) { d.Status = models.StatusPending },
		},
		"without a total the lines and the tax count": {
			total: "108.01", taken: "0.00", left: "108.00",
			alter: func(a *models.CreditAccount, _ *models.RefundDraft) {
				a.Sale.TotalAmount, a.Sale.Subtotal = decimal.Zero, amountOf("100.00")
			},
		},
		"with the calculated tax where it is larger": {
			total: "109.00", taken: "0.00",
			alter: func(a *models.CreditAccount, _ *models.RefundDraft) {
				a.Sale.TotalAmount, a.Sale.Subtotal, a.Sale.TotalTaxAmountCalculated = decimal.Zero, amountOf("100.00"),
					amountOf("9.00")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, d := soldTwoLines(), creditOf(c.total, ofProduct("cup", c.total))
			a.Total = amountOf(c.taken)
			if c.alter != nil {
				c.alter(a, d)
			}
			err := AdmitRefund(a, d)
			if c.left == "" {
				require.NoError(t, err)
				return
			}
			var exceeds *models.CreditExceedsError
			require.ErrorAs(t, err, &exceeds)
			require.Equal(t, c.left, money.Format(exceeds.Remaining))
			require.Equal(t, "USD", exceeds.Currency)
		})
	}
}

// A refund that only the tax of its sale could cover waits until that is known. No tax covers more than the price.
func TestARefundWaitsForTheTaxOfItsSale(t *testing.T) {
	t.Parallel()
	for total, want := range map[string]any{
		"108.00": nil, "108.01": &models.NotProcessedError{ProcessingStatus: models.ProcessingNeedsRefetch, Reason: "No rate."},
		"208.00": &models.NotProcessedError{ProcessingStatus: models.ProcessingNeedsRefetch, Reason: "No rate."},
		"208.01": &models.CreditExceedsError{Remaining: amountOf("108.00"), Currency: "USD"},
	} {
		a := soldTwoLines()
		a.Sale.ProcessingStatus, a.Sale.ProcessingReason = models.ProcessingNeedsRefetch, given("No rate.")
		err := AdmitRefund(a, creditOf(total, ofProduct("cup", "1.00")))
		if want == nil {
			require.NoError(t, err, total)
			continue
		}
		require.Equal(t, want, err, total)
	}
}

// A gift card lowers the total of a sale, and not what can come back. The notes together give the sale back whole.
func TestASalePaidByGiftCardIsGivenBackWhole(t *testing.T) {
	t.Parallel()
	a := soldTwoLines()
	a.Sale.TotalAmount = amountOf("58.00")
	first := creditOf("65.00", ofProduct("book", "60.00"))
	require.NoError(t, AdmitRefund(a, first))
	status, err := RefundStatus(a, first)
	require.NoError(t, err)
	require.Equal(t, []string{"PARTIAL_CREDIT_NOTE", "PARTIALLY_REFUNDED"}, []string{string(first.Type), *status})
	sums := models.CreditSums{Total: amountOf("65.00"), Net: amountOf("60.00")}
	a.CreditSums, a.Committed = sums, sums
	second := creditOf("43.00", ofProduct("cup", "40.00"))
	require.NoError(t, AdmitRefund(a, second))
	status, err = RefundStatus(a, second)
	require.NoError(t, err)
	require.Equal(t, "FULLY_REFUNDED", *status)
	var exceeds *models.CreditExceedsError
	require.ErrorAs(t, AdmitRefund(a, creditOf("43.01", ofProduct("cup", "40.00"))), &exceeds)
}

func TestWhatGivesASaleBackWhole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		total, sold, lines string
		want               models.TransactionType
	}{
		"all of it":                       {"108.00", "108.00", "book 60.00 cup 40.00", models.TypeFullCreditNote},
		"its amount, whatever the lines":  {"108.00", "108.00", "book 60.00", models.TypeFullCreditNote},
		"all lines without tax":           {"100.00", "108.00", "book 60.00 cup 40.00", models.TypePartialCreditNote},
		"all lines of a sale without tax": {"100.00", "100.00", "book 60.00 cup 40.00", models.TypeFullCreditNote},
		"all lines of a sale without a total": {
			"100.00", "0.00", "book 60.00 cup 40.00", models.TypeFullCreditNote,
		},
		"a line less": {"100.00", "100.00", "book 60.00 cup 39.99", models.TypePartialCreditNote},
	} {
		a, d := soldTwoLines(), creditOf(c.total)
		a.Sale.TotalAmount = amountOf(c.sold)
		words := strings.Fields(c.lines)
		for i := 0; i < len(words); i += 2 {
			d.Items = append(d.Items, ofProduct(words[i], words[i+1]))
		}
		require.NoError(t, AdmitRefund(a, d), name)
		require.Equal(t, c.want, d.Type, name)
	}
}

// The lines before tax alone do not exceed the total. Each counts with no more than what is left of its line.
func TestTheLinesOfACreditNoteAgreeWithItsTotal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		total, lines, want string
	}{
		"a goodwill with the whole line": {"5.00", "cup 40.00", "40.00"},
		"a cent a line is tolerated":     {"99.98", "book 60.00 cup 40.00", ""},
		"and not more":                   {"99.97", "book 60.00 cup 40.00", "100.00"},
		"a list price above the line":    {"43.00", "cup 90.00", ""},
		"a coupon lowers the lines":      {"50.00", "book 60.00 cup -10.00", ""},
		"whatever the sign":              {"5.00", "cup -40.00", "40.00"},
	} {
		d := creditOf(c.total)
		words := strings.Fields(c.lines)
		for i := 0; i < len(words); i += 2 {
			d.Items = append(d.Items, ofProduct(words[i], words[i+1]))
		}
		err := AdmitRefund(soldTwoLines(), d)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		invalid, ok := errors.AsType[*models.InvalidError](err)
		require.True(t, ok, name)
		require.Len(t, invalid.Faults, 1)
		require.Equal(t, "total_mismatch at total_amount", invalid.Faults[0].Code+" at "+invalid.Faults[0].Path)
		require.Contains(t, invalid.Faults[0].Message, "come to "+c.want+" before tax, but the total with tax is "+c.total)
	}
}

// Nothing is refunded before it is sold. If only the zone makes it so, the tax date is that of the sale.
func TestARefundIsNotBeforeItsSale(t *testing.T) {
	t.Parallel()
	sold := time.Date(2026, 6, 15, 2, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		date time.Time
		day  int
		want string
	}{
		"on the same day":              {sold.Add(time.Hour), 15, "2026-06-15"},
		"earlier on the same day":      {sold.Add(-time.Hour), 15, "2026-06-15"},
		"a month before":               {sold.AddDate(0, -1, 0), -16, "out_of_range at date"},
		"ten minutes later, by a zone": {sold.Add(10 * time.Minute), 14, "2026-06-15"},
		"a minute before, by a zone":   {sold.Add(-time.Minute), 14, "out_of_range at date"},
	} {
		a, d := soldTwoLines(), creditOf("1.00", ofProduct("cup", "1.00"))
		a.Sale.Date, a.Sale.TaxDate = sold, time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)
		d.Date, d.TaxDate = c.date, time.Date(2026, 6, c.day, 0, 0, 0, 0, time.UTC)
		err := AdmitRefund(a, d)
		if invalid, ok := errors.AsType[*models.InvalidError](err); ok {
			require.Equal(t, c.want, invalid.Faults[0].Code+" at "+invalid.Faults[0].Path, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, c.want, d.TaxDate.Format(time.DateOnly), name)
	}
}

func TestARefundCopiesFieldsOfItsOriginal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind   models.TransactionType
		total  string
		own    bool
		want   models.TransactionType
		source string
	}{
		"one note for the whole amount is full": {
			models.TypePartialCreditNote, "108.00", false, models.TypeFullCreditNote, "SHOP",
		},
		"any other is partial": {
			models.TypeFullCreditNote, "107.99", false, models.TypePartialCreditNote, "SHOP",
		},
		"a refund of tax stays one": {models.TypeTaxRefund, "8.00", false, models.TypeTaxRefund, "SHOP"},
		"a source that was sent is kept": {
			models.TypePartialCreditNote, "1.00", true, models.TypePartialCreditNote, "REST_API",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := creditOf(c.total, ofProduct("cup", c.total))
			d.Type, d.OwnSource = c.kind, c.own
			require.NoError(t, AdmitRefund(soldTwoLines(), d))
			require.Equal(t, c.want, d.Type)
			require.Equal(t, c.source, d.Source)
			require.True(t, d.Marketplace)
		})
	}
}

func TestTheLineOfTheSaleThatALineRefunds(t *testing.T) {
	t.Parallel()
	account := func() *models.CreditAccount {
		a := soldTwoLines()
		third := ofProduct("cup", "40.00")
		third.LineNo, third.ExternalID = 3, given("line-3")
		a.Sale.Items = append(a.Sale.Items, third)
		return a
	}
	named := ofProduct("cup", "1.00")
	named.ExternalID = given("line-3")
	elsewhere := ofProduct("book", "1.00")
	elsewhere.ExternalID = given("line-3")
	for name, c := range map[string]struct {
		items []models.TransactionItem
		taken map[int]models.LineCredit
		want  []int
	}{
		"the first of its product": {
			items: []models.TransactionItem{ofProduct("cup", "1.00")}, want: []int{2},
		},
		"the one with its external id": {items: []models.TransactionItem{named}, want: []int{3}},
		"but only of the same product": {items: []models.TransactionItem{elsewhere}, want: []int{1}},
		"the next where nothing is left of a line": {
			items: []models.TransactionItem{ofProduct("cup", "40.00"), ofProduct("cup", "40.00")},
			want:  []int{2, 3},
		},
		"the first again where nothing is left": {
			items: []models.TransactionItem{
				ofProduct("cup", "40.00"), ofProduct("cup", "40.00"), ofProduct("cup", "1.00"),
			},
			want: []int{2, 3, 2},
		},
		"a line that earlier refunds have used up": {
			items: []models.TransactionItem{ofProduct("cup", "1.00")},
			taken: map[int]models.LineCredit{2: {Amount: amountOf("40.00")}}, want: []int{3},
		},
		"a line of which earlier refunds left a bit": {
			items: []models.TransactionItem{ofProduct("cup", "1.00")},
			taken: map[int]models.LineCredit{2: {Amount: amountOf("39.99")}}, want: []int{2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := account()
			if c.taken != nil {
				a.Lines = c.taken
			}
			d := creditOf("100.00", c.items...)
			require.NoError(t, AdmitRefund(a, d))
			var lines []int
			for _, i := range d.Items {
				lines = append(lines, *i.OriginalLine)
			}
			require.Equal(t, c.want, lines)
		})
	}
}

func TestTheTaxOfASaleThatCanBeRefunded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		total, imported string // of the refund, and of its line
		product         string
		alter           func(*models.CreditAccount)
		left            string
	}{
		"the tax of a line":                     {total: "3.00", imported: "3.00", product: "cup"},
		"more than the tax of its line: others": {total: "3.01", imported: "3.01", product: "cup"},
		"more than all tax":                     {total: "8.01", imported: "8.01", product: "cup", left: "8.00"},
		"what earlier refunds left": {
			total: "6.00", imported: "6.00", product: "cup", alter: taxTaken("2.00"),
		},
		"more than they left": {
			total: "6.01", imported: "6.01", product: "cup", alter: taxTaken("2.00"), left: "6.00",
		},
		"the calculated tax where it is larger": {
			total: "8.50", imported: "8.50", product: "book", alter: calculatedTax("5.50"),
		},
		"more than it": {
			total: "8.51", imported: "8.51", product: "book", alter: calculatedTax("5.50"), left: "8.50",
		},
		"collected tax beyond the calculated, which other notes took": {
			total: "8.00", imported: "8.00", product: "book", alter: func(a *models.CreditAccount) {
				calculatedTax("5.50")(a)
				a.Calculated = amountOf("8.50")
			},
		},
		"the total counts as the tax of the refund": {total: "8.01", imported: "0.00", product: "cup", left: "8.00"},
		"but not if a line names it":                {total: "8.01", imported: "3.00", product: "cup"},
		"the sign of a line's tax is free":          {total: "3.00", imported: "-3.00", product: "cup"},
		"which does not allow more than the tax of the sale": {
			total: "8.01", imported: "-8.01", product: "cup", left: "8.00",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := soldTwoLines()
			if c.alter != nil {
				c.alter(a)
			}
			line := ofProduct(c.product, "0.00")
			line.TaxAmountImported = amountOf(c.imported)
			d := creditOf(c.total, line)
			d.Type, d.TotalTaxAmountImported = models.TypeTaxRefund, amountOf(c.total)
			err := AdmitRefund(a, d)
			if c.left == "" {
				require.NoError(t, err)
				return
			}
			exceeds, ok := errors.AsType[*models.CreditExceedsError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, c.left, money.Format(exceeds.Remaining))
		})
	}
}

// taxTaken sets the collected tax of the second line that earlier refunds took.
func taxTaken(amount string) func(*models.CreditAccount) {
	return func(a *models.CreditAccount) {
		a.Collected, a.Lines[2] = amountOf(amount), models.LineCredit{Collected: amountOf(amount)}
	}
}

// calculatedTax sets a calculated tax of the first line that is more than the imported one.
func calculatedTax(amount string) func(*models.CreditAccount) {
	return func(a *models.CreditAccount) {
		a.Sale.ProcessingStatus, a.Sale.TotalTaxAmountCalculated = models.ProcessingProcessed, amountOf("8.50")
		a.Sale.Items[0].TaxAmountCalculated = amountOf(amount)
	}
}
