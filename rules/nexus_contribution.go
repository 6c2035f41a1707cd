package rules

import (
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// DecideNexus is stage 3 for one transaction. It decides which lines are exempt sales at the destination, and what the
// transaction adds to the nexus counters there. calculate and rates are those of DecideTax. Errors: money.ErrOverflow.
func DecideNexus(
	t models.Transaction, rates Rates, calculate func(tax.Request) (tax.Result, error),
) (models.NexusOutcome, error) {
	t = *AsSubmitted(&t)
	lines, result := nexusExemptLines(t, rates, calculate)
	t.NexusExemptLines = lines
	if t.PricesIncludeTax() {
		nets, err := netsForNexus(t, result)
		if err == nil && nets != nil {
			err = takeTaxOut(&t, nets)
		}
		if err != nil {
			return models.NexusOutcome{}, err
		}
	}
	return CountNexus(t)
}

// CountNexus returns what a transaction adds to the nexus counters of its destination, by the decision of stage 3 about
// its lines. Sales count by their net amounts before tax. Refunds subtract amounts and no count. A refund of tax alone
// subtracts only tax. Errors: money.ErrOverflow.
func CountNexus(t models.Transaction) (models.NexusOutcome, error) {
	if err := spreadCouponsOf(t); err != nil {
		return models.NexusOutcome{}, err
	}
	lines := t.NexusExemptLines
	if lines == nil {
		lines = exemptLines(t)
	}
	country, state := deliveredTo(t)
	c := models.NexusContribution{
		CountryCode: country,
		StateCode:   stateWithNexus(country, state),
		Currency:    t.Currency,
		Day:         calendar.DateOf(t.TaxDate).Time(),
		Marketplace: t.Marketplace,
		SoldAt:      t.Date,
	}
	collected, err := collectedForNexus(&t)
	if err != nil {
		return models.NexusOutcome{}, err
	}
	c.CollectedTax = collected
	if t.Type == models.TypeTaxRefund {
		return models.NexusOutcome{Ref: t.Ref(), Contributions: []models.NexusContribution{c}, ExemptLines: lines}, nil
	}
	back, err := givesBack(t)
	if err != nil {
		return models.NexusOutcome{}, err
	}
	if t.Original != nil && !t.Original.TaxDate.IsZero() && !t.Original.TaxDate.Equal(t.TaxDate) {
		c.SoldOn = &t.Original.TaxDate
	}
	if err := countLines(&c, t, lines, back); err != nil {
		return models.NexusOutcome{}, err
	}
	return models.NexusOutcome{Ref: t.Ref(), Contributions: []models.NexusContribution{c}, ExemptLines: lines}, nil
}

// countLines adds the lines of a transaction to its contribution. back negates those of a refund.
func countLines(c *models.NexusContribution, t models.Transaction, lines []int, back bool) error {
	valued, exempt, resale, others := 0, 0, 0, 0
	for _, item := range t.Items {
		net, err := item.NetAmount()
		if err != nil {
			return err
		}
		switch {
		case slices.Contains(lines, uncounted(item.LineNo)):
			others++
			continue
		case net.IsZero():
			continue
		case back:
			net = net.Neg()
		}
		if !item.IsCoupon { // it has only what its lines had no room for
			valued++
		}
		sums := []*decimal.Decimal{&c.Amount}
		if slices.Contains(lines, item.LineNo) {
			exempt++
			sums = append(sums, &c.ExemptAmount)
			if forResale(t, item) {
				resale++
				sums = append(sums, &c.ResaleAmount)
			}
		}
		for _, sum := range sums {
			if *sum, err = money.Add(*sum, net); err != nil {
				return fmt.Errorf("nexus amount: %w", err)
			}
		}
	}
	if t.Type != models.TypeSale || valued == 0 && others > 0 {
		return nil
	}
	c.Count = 1
	if exempt > 0 && exempt == valued {
		c.ExemptCount = 1
	}
	if resale > 0 && resale == valued {
		c.ResaleCount = 1
	}
	return nil
}

// Signed returns an amount of a transaction with its internal sign. Amounts of refunds are negative, because they count
// against the sale, whatever sign the client submitted.
func Signed(kind models.TransactionType, amount decimal.Decimal) decimal.Decimal {
	if kind.IsCredit() {
		return amount.Abs().Neg().Pad(2) // zero loses its decimals
	}
	return amount
}

// givesBack reports whether the lines of a refund were submitted as positive amounts and must be negated. A line
// against the others, such as a coupon that is taken back, stays against them. Errors: money.ErrOverflow.
func givesBack(t models.Transaction) (bool, error) {
	if !t.Type.IsCredit() {
		return false, nil
	}
	sum := nothing
	for _, item := range t.Items {
		net, err := item.NetAmount()
		if err != nil {
			return false, err
		}
		if sum, err = money.Add(sum, net); err != nil {
			return false, fmt.Errorf("nexus amount: %w", err)
		}
	}
	return sum.IsPos(), nil
}

// stateWithNexus returns the state in countries whose states have nexus rules of their own; else empty, for the whole
// country.
func stateWithNexus(country, state string) string {
	if country == models.UnitedStates || country == models.Canada {
		return state
	}
	return ""
}

// forResale reports whether an exempt line was sold to be sold on.
func forResale(t models.Transaction, item models.TransactionItem) bool {
	if text(item.TaxExemption) == string(tax.ExemptionWholesale) {
		return true
	}
	return item.ExemptionID != nil && slices.Contains(t.Resellers, *item.ExemptionID)
}
