package rules

import (
	"cmp"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// collectedForNexus returns what a transaction adds to the collected tax that nexus counts. Errors: money.ErrOverflow.
func collectedForNexus(t *models.Transaction) (decimal.Decimal, error) {
	whole := Signed(t.Type, t.TotalTaxAmountImported)
	if !t.Type.IsCredit() || t.Original == nil || whole.IsZero() {
		return whole, nil
	}
	refunds := slices.DeleteFunc(slices.Clone(t.Original.NexusRefunds),
		func(r models.NexusRefund) bool { return r.ID == t.ID })
	refunds = append(refunds, models.NexusRefund{ID: t.ID, Day: t.TaxDate, Collected: whole, Counted: true})
	collected, err := CollectedOfRefunds(t.Original.Sold.Collected, refunds)
	return collected[t.ID], err
}

// CollectedOfRefunds returns what the counted refunds of a sale add to the collected tax that nexus counts, by their
// ids. A refund takes back no more than those of earlier days leave of the sale. So it never hides the tax of another
// sale, and the order in which refunds come does not change the sums of days. Errors: money.ErrOverflow.
func CollectedOfRefunds(sold decimal.Decimal, refunds []models.NexusRefund) (map[string]decimal.Decimal, error) {
	refunds = slices.SortedFunc(slices.Values(refunds), func(a, b models.NexusRefund) int {
		return cmp.Or(a.Day.Compare(b.Day), cmp.Compare(a.ID, b.ID))
	})
	collected, left := make(map[string]decimal.Decimal, len(refunds)), sold.Pad(2)
	for _, r := range refunds {
		if !r.Counted {
			continue
		}
		// guard: nexus: a refund takes back no more than the collected tax of its sale
		after, err := towardsZero(left, r.Collected)
		if err != nil {
			return nil, err
		}
		if collected[r.ID], err = money.Sub(after, left); err != nil {
			return nil, err
		}
		left = after
	}
	return collected, nil
}
