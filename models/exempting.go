package models

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax"
)

// DecideExemptions decides which lines are exempt, and why. What frees a line is, first
// match: its product, an exemption of the customer, an exemption of the
// transaction, the flag of the line or of the whole transaction as sent.
func DecideExemptions(t Transaction) (ExemptionOutcome, error) {
	outcome := ExemptionOutcome{Ref: Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch}, Lines: make([]LineExemption, 0, len(t.Items))}
	exemption := applicable(t)
	var originals map[int]*TransactionItem
	if t.Original != nil {
		originals = make(map[int]*TransactionItem, len(t.Original.Items))
		for i := range t.Original.Items {
			originals[t.Original.Items[i].LineNo] = &t.Original.Items[i]
		}
	}
	valued, exempt := 0, 0
	for _, item := range t.Items {
		line := exemptLine(t, item, exemption)
		if item.OriginalLine != nil {
			line = exemptAs(originals[*item.OriginalLine], item.LineNo)
		}
		outcome.Lines = append(outcome.Lines, line)
		if line.ExemptionID != "" && len(outcome.Applied) == 0 {
			outcome.Applied = []string{line.ExemptionID}
		}
		net, err := item.NetAmount()
		if err != nil {
			return ExemptionOutcome{}, err
		}
		if net.IsZero() {
			continue
		}
		valued++
		if line.Exempt {
			exempt++
		}
	}
	outcome.Exempt = ExemptStatusOf(valued, exempt, 0)
	return outcome, nil
}

// Apply writes the decision into the lines of the transaction it was made for.
func (o ExemptionOutcome) Apply(t *Transaction) {
	for i, line := range o.Lines {
		item := &t.Items[i]
		item.Exempt, item.TaxExemption, item.ExemptionID = line.Exempt, nil, nil
		if line.Exempt {
			item.TaxExemption = &o.Lines[i].TaxExemption
		}
		if line.ExemptionID != "" {
			item.ExemptionID = &o.Lines[i].ExemptionID
		}
	}
}

// exemptAs lets a line of a refund be exempt where the line of its original was.
func exemptAs(original *TransactionItem, lineNo int) LineExemption {
	line := LineExemption{LineNo: lineNo}
	if original != nil && original.Exempt {
		line.Exempt, line.TaxExemption, line.ExemptionID = true, textOf(original.TaxExemption), textOf(original.ExemptionID)
	}
	return line
}

func exemptLine(t Transaction, item TransactionItem, exemption *Exemption) LineExemption {
	line := LineExemption{LineNo: item.LineNo, Exempt: true}
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
	case t.ExemptSent == FullyExempt:
		line.TaxExemption = string(tax.ExemptionTransaction)
	default:
		line.Exempt = false
	}
	return line
}

// applicable chooses among the exemptions that apply: one of the customer before
// one of the transaction, then the one made for the state before the one made for
// the country, then the oldest.
func applicable(t Transaction) *Exemption {
	var matching []Exemption
	for _, e := range t.Exemptions {
		if e.AppliesTo(t) {
			matching = append(matching, e)
		}
	}
	if len(matching) == 0 {
		return nil
	}
	first := slices.MinFunc(matching, func(a, b Exemption) int {
		return cmp.Or(
			cmp.Compare(exemptionRank(a), exemptionRank(b)),
			cmp.Compare(breadth(a), breadth(b)),
			cmp.Compare(a.ID, b.ID))
	})
	return &first
}

// AppliesTo is the rule of the contract: ACTIVE or EXPIRED, the tax date inside the
// dates (both inclusive), and country and state match. An exemption made for one
// transaction frees no other.
func (e Exemption) AppliesTo(t Transaction) bool {
	if e.Status != ExemptionActive && e.Status != ExemptionExpired {
		return false
	}
	if e.TransactionID != nil && *e.TransactionID != t.ID {
		return false
	}
	day := tax.DateOf(t.TaxDate)
	if day < tax.DateOf(e.StartDate) || e.EndDate != nil && day > tax.DateOf(*e.EndDate) {
		return false
	}
	return e.holdsIn(t.DeliveredTo())
}

// holdsIn reports whether an exemption holds in a state. Of a whole country the
// jurisdiction may be left out or repeat the country; Puerto Rico is a state for taxes.
func (e Exemption) holdsIn(country, state string) bool {
	of, within := e.CountryCode, textOf(e.Jurisdiction)
	if strings.EqualFold(within, of) {
		within = ""
	}
	if strings.EqualFold(of, "PR") {
		of, within = "US", "PR"
	}
	return strings.EqualFold(of, country) && (within == "" || strings.EqualFold(within, state))
}

// DeliveredTo is the country and state of the destination. Their law applies, but see
// TaxingState.
func (t Transaction) DeliveredTo() (country, state string) {
	if t.Place != nil {
		return t.Place.Country, t.Place.State
	}
	return textOf(t.Country), textOf(t.State)
}

func exemptionRank(e Exemption) int {
	switch e.ExemptionType {
	case ExemptionCustomer:
		return 0
	case ExemptionWholesale:
		return 1
	case ExemptionTransaction:
		return 2
	}
	return 3
}

func breadth(e Exemption) int {
	if e.Jurisdiction == nil {
		return 1
	}
	return 0
}

func taxExemptionOf(kind ExemptionType) tax.TaxExemption {
	switch kind {
	case ExemptionCustomer:
		return tax.ExemptionCustomer
	case ExemptionWholesale:
		return tax.ExemptionWholesale
	case ExemptionTransaction:
	}
	return tax.ExemptionTransaction
}

// ExemptStatusOf sums up the lines that have a value: how many there are, how many
// of them are exempt, how many are taxed at a zero rate.
func ExemptStatusOf(valued, exempt, zeroRate int) ExemptStatus {
	switch {
	case exempt > 0 && exempt == valued:
		return FullyExempt
	case exempt > 0:
		return PartiallyExempt
	case zeroRate > 0 && zeroRate == valued:
		return ZeroRateNotExempt
	}
	return NotExempt
}

// NetAmount is the price of a line after discounts, before tax.
func (i TransactionItem) NetAmount() (decimal.Decimal, error) {
	net, err := tax.Sub(i.Amount, i.TotalDiscount)
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("net amount of line %d: %w", i.LineNo, err)
	}
	return net, nil
}
