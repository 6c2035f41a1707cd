package activities

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
)

// decideExemptions is stage 2 for one transaction. What frees a line is, first
// match: its product, an exemption of the customer, an exemption of the
// transaction, the flag of the line or of the whole transaction as sent.
func decideExemptions(t models.Transaction) (models.ExemptionOutcome, error) {
	outcome := models.ExemptionOutcome{Ref: ref(t), Lines: make([]models.LineExemption, 0, len(t.Items))}
	exemption := applicable(t)
	valued, exempt := 0, 0
	for _, item := range t.Items {
		line := exemptLine(t, item, exemption)
		outcome.Lines = append(outcome.Lines, line)
		if line.ExemptionID != "" && len(outcome.Applied) == 0 {
			outcome.Applied = []string{line.ExemptionID}
		}
		net, err := netAmount(item)
		if err != nil {
			return models.ExemptionOutcome{}, err
		}
		if net.IsZero() {
			continue
		}
		valued++
		if line.Exempt {
			exempt++
		}
	}
	outcome.Exempt = exemptStatus(valued, exempt, 0)
	return outcome, nil
}

func exemptLine(t models.Transaction, item models.TransactionItem, exemption *models.Exemption) models.LineExemption {
	line := models.LineExemption{LineNo: item.LineNo, Exempt: true}
	switch {
	case item.ProductTaxExempt:
		line.TaxExemption = string(tax.ExemptionProduct)
	case exemption != nil:
		line.TaxExemption = string(taxExemptionOf(exemption.ExemptionType))
		line.ExemptionID = exemption.ID
	case item.ExemptSent:
		line.TaxExemption = string(tax.ExemptionTransaction)
		if item.TaxExemptionSent != nil {
			line.TaxExemption = *item.TaxExemptionSent
		}
	case t.ExemptSent == models.FullyExempt:
		line.TaxExemption = string(tax.ExemptionTransaction)
	default:
		line.Exempt = false
	}
	return line
}

// applicable chooses among the exemptions that apply: one of the customer before
// one of the transaction, then the one made for the state before the one made for
// the country, then the oldest.
func applicable(t models.Transaction) *models.Exemption {
	var matching []models.Exemption
	for _, e := range t.Exemptions {
		if applies(e, t) {
			matching = append(matching, e)
		}
	}
	if len(matching) == 0 {
		return nil
	}
	first := slices.MinFunc(matching, func(a, b models.Exemption) int {
		return cmp.Or(
			cmp.Compare(exemptionRank(a), exemptionRank(b)),
			cmp.Compare(breadth(a), breadth(b)),
			cmp.Compare(a.ID, b.ID))
	})
	return &first
}

// applies is the rule of the contract: ACTIVE or EXPIRED, the tax date inside the
// dates (both inclusive), and country and state match. An exemption made for one
// transaction frees no other.
func applies(e models.Exemption, t models.Transaction) bool {
	if e.Status != models.ExemptionActive && e.Status != models.ExemptionExpired {
		return false
	}
	if e.TransactionID != nil && *e.TransactionID != t.ID {
		return false
	}
	day := tax.DateOf(t.TaxDate)
	if day < tax.DateOf(e.StartDate) || e.EndDate != nil && day > tax.DateOf(*e.EndDate) {
		return false
	}
	country, state := taxingState(t)
	if !strings.EqualFold(e.CountryCode, country) {
		return false
	}
	return e.Jurisdiction == nil || strings.EqualFold(*e.Jurisdiction, state)
}

// taxingState is the country and state whose law applies. Where a sale is taxed at
// its origin, origin and destination lie in the same state.
func taxingState(t models.Transaction) (country, state string) {
	if t.Place != nil {
		return t.Place.Country, t.Place.State
	}
	return text(t.Country), text(t.State)
}

func exemptionRank(e models.Exemption) int {
	switch e.ExemptionType {
	case models.ExemptionCustomer:
		return 0
	case models.ExemptionWholesale:
		return 1
	case models.ExemptionTransaction:
		return 2
	}
	return 3
}

func breadth(e models.Exemption) int {
	if e.Jurisdiction == nil {
		return 1
	}
	return 0
}

func taxExemptionOf(kind models.ExemptionType) tax.TaxExemption {
	switch kind {
	case models.ExemptionCustomer:
		return tax.ExemptionCustomer
	case models.ExemptionWholesale:
		return tax.ExemptionWholesale
	case models.ExemptionTransaction:
	}
	return tax.ExemptionTransaction
}

// exemptStatus sums up the lines that have a value: how many there are, how many
// of them are exempt, how many are taxed at a zero rate.
func exemptStatus(valued, exempt, zeroRate int) models.ExemptStatus {
	switch {
	case exempt > 0 && exempt == valued:
		return models.FullyExempt
	case exempt > 0:
		return models.PartiallyExempt
	case zeroRate > 0 && zeroRate == valued:
		return models.ZeroRateNotExempt
	}
	return models.NotExempt
}

// netAmount is the price of a line after discounts, before tax.
func netAmount(item models.TransactionItem) (decimal.Decimal, error) {
	net, err := tax.Sub(item.Amount, item.TotalDiscount)
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("net amount of line %d: %w", item.LineNo, err)
	}
	return net, nil
}
