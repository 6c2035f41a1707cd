package transactions_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
)

// Sales without a total are sorted by what their lines come to, among those with a total. It is the same for lists that
// are sorted and for those that an index gives.
func TestListsByTotalIncludeSalesWithoutOne(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	var want []decimal.Decimal
	for i := range 12 {
		d := storetest.Draft(b.Scope, fmt.Sprintf("SALE-%02d", i))
		d.Subtotal = decimal.MustParse(fmt.Sprintf("%d.00", 10*(i*7%12)+5))
		d.TotalAmount = decimal.Zero
		switch i % 3 {
		case 0:
			d.TotalAmount = decimal.MustParse(fmt.Sprintf("%d.00", 10*(i*7%12)))
		case 1:
			d.GrossAmount = ptr(decimal.MustParse(fmt.Sprintf("%d.50", 10*(i*7%12))))
		}
		d.TotalTaxLiabilityAmount = decimal.MustParse("1.11")
		want = append(want, rules.DocumentTotal(&d.Transaction))
		accept(t, b.Store, d)
	}
	slices.SortFunc(want, func(a, b decimal.Decimal) int { return a.Cmp(b) })
	for _, indexed := range []bool{false, true} {
		for _, down := range []bool{false, true} {
			filter := models.TransactionFilter{}
			if !indexed { // a filter that no count distinguishes: the few rows are sorted
				filter.Text = "SALE-"
			}
			order := []models.Order{{Column: "total_amount", Desc: down}}
			expected := slices.Clone(want)
			if down {
				slices.Reverse(expected)
			}
			var pages, after []decimal.Decimal
			for offset := 0; offset < len(want); offset += 5 {
				page := models.Page{Limit: 5, Offset: offset}
				list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, filter, order, page)
				require.NoError(t, err)
				pages = append(pages, totals(list.Items)...)
			}
			var place *models.Place
			for {
				list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, filter, order, models.Page{Limit: 5, After: place})
				require.NoError(t, err)
				after = append(after, totals(list.Items)...)
				if place = list.Next; place == nil {
					break
				}
			}
			require.Equal(t, fmt.Sprint(expected), fmt.Sprint(pages), "indexed: %v, down: %v", indexed, down)
			require.Equal(t, fmt.Sprint(expected), fmt.Sprint(after), "indexed: %v, down: %v", indexed, down)
		}
	}
}

func totals(items []models.Transaction) (all []decimal.Decimal) {
	for i := range items {
		all = append(all, rules.DocumentTotal(&items[i]))
	}
	return all
}
