package transactions_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax/calendar"
	"levy/test/seed"
)

// Two sales to Sofia collected 5.00 and 4.00 of tax. The refund of all calculated tax of the first takes back its 5.00.
// The 4.00 of the second stay collected, in whatever order two refunds are processed.
func TestARefundOfMoreTaxThanWasCollectedHidesNoOtherSale(t *testing.T) {
	t.Parallel()
	for name, process := range map[string]func(*testing.T, *taxedSales, models.Ref, models.Ref){
		"one after the other": func(t *testing.T, b *taxedSales, first, second models.Ref) {
			b.process(t, first.ID)
			b.process(t, second.ID)
		},
		"the later one first": func(t *testing.T, b *taxedSales, first, second models.Ref) {
			b.process(t, second.ID)
			b.process(t, first.ID)
			b.settle(t)
		},
		"both in the stage of nexus at once": func(t *testing.T, b *taxedSales, first, second models.Ref) {
			b.loaded = func() {
				b.loaded = nil
				b.count(t, first)
			}
			b.count(t, second)
			require.Zero(t, b.differences(t), "none is told before the last stage")
			b.calculate(t, first)
			b.calculate(t, second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := sellWithTax(t, "5.00")
			other := b.sell(t, "4.00")
			b.process(t, other.ID)
			first, err := b.refundTax(t, "2025-12-22", "3.00")
			require.NoError(t, err)
			second, err := b.refundTax(t, "2025-12-24", "17.00")
			require.NoError(t, err)
			process(t, b, first, second)
			require.Equal(t, "2025-12-20:9.00 2025-12-22:-3.00 2025-12-24:-2.00", b.collected(t))
			require.Zero(t, b.differences(t))
		})
	}
}

// Of two refunds the later one finds nothing to take back. It takes back what the first one did as soon as that is
// cancelled, also if a return has claimed the later one.
func TestACancelledRefundLeavesCollectedTaxToOthers(t *testing.T) {
	t.Parallel()
	for _, claimed := range []bool{false, true} {
		t.Run(fmt.Sprint("claimed ", claimed), func(t *testing.T) {
			t.Parallel()
			b := sellWithTax(t, "5.00")
			first, err := b.refundTax(t, "2025-12-22", "6.00")
			require.NoError(t, err)
			b.process(t, first.ID)
			second, err := b.refundTax(t, "2025-12-24", "7.00")
			require.NoError(t, err)
			b.process(t, second.ID)
			require.Equal(t, "2025-12-20:5.00 2025-12-22:-5.00 2025-12-24:0.00", b.collected(t))
			if claimed {
				b.claim(t, second.ID)
			}
			b.cancel(t, first.ID)
			b.settle(t)
			require.Equal(t, "2025-12-20:5.00 2025-12-24:-5.00", b.collected(t))
			require.Zero(t, b.differences(t))
		})
	}
}

// After any history of refunds, the sums until a day are those of the document. They are the collected tax of the sale
// less the refunds until then, at least zero. A recount finds the same.
func TestCollectedTaxOfRandomRefundsIsThatOfTheirDocument(t *testing.T) {
	t.Parallel()
	for n := range uint64(6) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed.Seed(), n))
			b := sellWithTax(t, fmt.Sprintf("%d.%02d", random.IntN(20), random.IntN(100)))
			for range 8 {
				b.step(t, random)
				require.Equal(t, b.expected(t), b.collected(t), seed.Again())
				require.Zero(t, b.differences(t), seed.Again())
			}
		})
	}
}

// The first sale with collected tax is that of the first day, though all of its tax was given back on that day. Without the
// day it would be the next one, or none.
func TestTheFirstSaleWithCollectedTaxWasGivenBackOnItsDay(t *testing.T) {
	t.Parallel()
	b := sellWithTax(t, "5.00")
	ref, err := b.refundTax(t, "2025-12-20", "5.00")
	require.NoError(t, err)
	b.process(t, ref.ID)
	require.Equal(t, "2025-12-20:0.00", b.collected(t))
	next := b.sale.Date.AddDate(0, 0, 5)
	for _, collected := range []*time.Time{nil, &next} {
		detail, err := b.Store.Nexus.NexusDetail(t.Context(), b.Scope.OrganizationID, models.NexusDetailQuery{
			Country: "BG", AuthorityState: "BG", Countries: []string{"BG"}, Currency: "EUR", First: b.sale.Date,
			Last: b.sale.Date, Collected: collected,
		})
		require.NoError(t, err)
		require.NotNil(t, detail.EarliestCollected)
		require.WithinDuration(t, b.sale.Date, *detail.EarliestCollected, 0)
	}
}

// taxedSales is a seller with a sale to Sofia that collected tax, and its refunds.
type taxedSales struct {
	toSofia
	sale    *models.TransactionDraft
	refunds []*models.RefundDraft // the COMMITTED ones
}

func sellWithTax(t *testing.T, collected string) *taxedSales {
	t.Helper()
	b := &taxedSales{toSofia: toSofia{Bundle: storetest.Setup(t, 1, 8)}}
	b.begin(t)
	b.sale = b.sell(t, collected)
	b.process(t, b.sale.ID)
	return b
}

// sell accepts a sale of 100.00 with collected tax. Its calculated tax is 20.00.
func (b *taxedSales) sell(t *testing.T, collected string) *models.TransactionDraft {
	t.Helper()
	sale := storetest.Draft(b.Scope, models.NewID(models.PrefixTransaction))
	sale.Currency, sale.Date = "BGN", calendar.MustDate("2025-12-20").Time()
	sale.TaxDate, sale.TotalAmount = sale.Date, decimal.MustParse("100.00")
	sale.TotalTaxAmountImported = decimal.MustParse(collected)
	require.NoError(t, b.Intake.Accept(t.Context(), sale))
	return sale
}

// refundTax accepts a refund of tax alone.
func (b *taxedSales) refundTax(t *testing.T, day, amount string) (models.Ref, error) {
	t.Helper()
	d := &models.RefundDraft{
		TransactionDraft: *storetest.Draft(b.Scope, models.NewID(models.PrefixTransaction)), OwnAddresses: true, OwnSource: true,
	}
	d.Currency, d.Date = b.sale.Currency, calendar.MustDate(day).Time()
	d.Type, d.RelatedTo, d.TaxDate = models.TypeTaxRefund, &b.sale.ID, d.Date
	d.TotalAmount = decimal.MustParse(amount)
	d.TotalTaxAmountImported, d.Subtotal, d.Items[0].Amount = d.TotalAmount, decimal.Zero, decimal.Zero
	d.Items[0].TaxAmountImported = d.TotalAmount
	_, err := b.Store.Transactions.AcceptRefund(t.Context(), b.Scope, d)
	if err == nil {
		b.refunds = append(b.refunds, d)
	}
	return models.Ref{OrganizationID: b.Scope.OrganizationID, ID: d.ID, Epoch: 1}, err
}

// cancel cancels a refund.
func (b *taxedSales) cancel(t *testing.T, id string) {
	t.Helper()
	_, _, err := b.Store.Transactions.ChangeRefund(t.Context(), b.Scope, b.sale.ID, id, func(d *models.RefundDraft) error {
		d.Status = models.StatusCancelled
		return nil
	})
	require.NoError(t, err)
	for i, r := range b.refunds {
		if r.ID == id {
			b.refunds = append(b.refunds[:i], b.refunds[i+1:]...)
			return
		}
	}
}

// claim makes a refund a member of a return.
func (b *taxedSales) claim(t *testing.T, id string) {
	t.Helper()
	_, err := b.SQL.Exec(t.Context(), `UPDATE transactions SET processing_status = 'FILING_STARTED', filing_id = 'file_1'
		 WHERE id = $1`, id)
	require.NoError(t, err)
}

// settle processes refunds until none waits.
func (b *taxedSales) settle(t *testing.T) {
	t.Helper()
	for range 20 {
		ref := models.Ref{OrganizationID: b.Scope.OrganizationID}
		err := b.SQL.QueryRow(t.Context(), `SELECT coalesce(min(id), ''), coalesce((array_agg(epoch ORDER BY id))[1], 0)
			  FROM transactions WHERE processing_status = 'QUEUED' AND type <> 'SALE'`).Scan(&ref.ID, &ref.Epoch)
		require.NoError(t, err)
		if ref.ID == "" {
			return
		}
		b.count(t, ref)
		b.calculate(t, ref)
	}
	require.Fail(t, "refunds are decided anew for ever")
}

func (b *taxedSales) step(t *testing.T, random *rand.Rand) {
	t.Helper()
	switch kind := random.IntN(8); {
	case kind == 0 && len(b.refunds) > 1:
		b.claim(t, b.refunds[random.IntN(len(b.refunds))].ID)
		return
	case kind < 3 && len(b.refunds) > 0:
		r := b.refunds[random.IntN(len(b.refunds))]
		if b.Count(t, "SELECT count(*) FROM transactions WHERE id = $1 AND filing_id IS NOT NULL", r.ID) == 0 {
			b.cancel(t, r.ID)
		}
	default:
		var counted []models.Ref
		for range 1 + random.IntN(2) {
			ref, err := b.refundTax(t, fmt.Sprintf("2025-12-%d", 20+random.IntN(6)),
				fmt.Sprintf("%d.%02d", random.IntN(7), 1+random.IntN(99)))
			if _, exceeds := errors.AsType[*models.CreditExceedsError](err); exceeds {
				continue
			}
			require.NoError(t, err)
			b.count(t, ref)
			counted = append(counted, ref)
		}
		random.Shuffle(len(counted), func(i, j int) { counted[i], counted[j] = counted[j], counted[i] })
		for _, ref := range counted {
			b.calculate(t, ref)
		}
	}
	b.settle(t)
}

// expected is what the contract says of the refunds.
func (b *taxedSales) expected(t *testing.T) (text string) {
	t.Helper()
	left := b.sale.TotalTaxAmountImported
	for day := b.sale.Date; day.Before(calendar.MustDate("2026-01-01").Time()); day = day.AddDate(0, 0, 1) {
		back, any := decimal.Zero, day.Equal(b.sale.Date)
		for _, r := range b.refunds {
			if r.TaxDate.Equal(day) {
				back, any = add(t, back, r.TotalTaxAmountImported), true
			}
		}
		after := decimal.Zero.Max(add(t, left, back.Neg()))
		change := add(t, after, left.Neg())
		if day.Equal(b.sale.Date) {
			change = after
		}
		if left = after; any {
			text += dayText(day, change)
		}
	}
	return text[1:]
}

// collected are the sums of the days in the counters. Days with refunds alone of which nothing counts are among them.
func (b *taxedSales) collected(t *testing.T) (text string) {
	t.Helper()
	rows, err := b.SQL.Query(t.Context(), `SELECT day, sum(collected_tax) FROM nexus_contributions GROUP BY 1 ORDER BY 1`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var day time.Time
		var tax decimal.Decimal
		require.NoError(t, rows.Scan(&day, &tax))
		text += dayText(day, tax)
	}
	require.NoError(t, rows.Err())
	return text[1:]
}

// differences is what a recount finds.
func (b *taxedSales) differences(t *testing.T) int {
	t.Helper()
	step, err := b.Store.Transactions.RecountContributions(t.Context(), models.NexusRecount{
		OrganizationID: b.Scope.OrganizationID, Run: storetest.Run,
	}, rules.CountNexus)
	require.NoError(t, err)
	counters, err := b.Store.Nexus.RecountCounters(t.Context(), storetest.Run, b.Scope.OrganizationID, false)
	require.NoError(t, err)
	return len(step.Differences) + len(counters)
}

func dayText(day time.Time, tax decimal.Decimal) string {
	return fmt.Sprintf(" %s:%s", day.Format(time.DateOnly), tax.Pad(2))
}

func add(t *testing.T, a, b decimal.Decimal) decimal.Decimal {
	t.Helper()
	sum, err := a.Add(b)
	require.NoError(t, err)
	return sum
}
