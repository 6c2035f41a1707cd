package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// ReclassifiedState is the effect of another classification of a product in one state and currency.
type ReclassifiedState struct {
	Country, State, Currency string
	Lines                    int
	Before, After            decimal.Decimal // tax on the lines of the product
}

// Difference returns the additional tax.
func (s ReclassifiedState) Difference() (decimal.Decimal, error) { return money.Sub(s.After, s.Before) }

// Reclassification adds up the effect of another classification of a product.
type Reclassification struct {
	ExternalID string // of the product
	Class      tax.TaxClass
	How        tax.Classification
	TaxExempt  bool
	Lines      int
	states     map[[3]string]*ReclassifiedState
}

// Add calculates one sale twice, by the present and by the other classification of the product. Nothing else of the
// sale differs. Errors: those of the calculation.
func (r *Reclassification) Add(
	t models.Transaction, rates Rates, rounding tax.RoundingUnit, calculate func(tax.Request) (tax.Result, error),
) error {
	before, err := r.taxOf(t, rates, rounding, calculate)
	if err != nil {
		return err
	}
	other := t
	other.Items = slices.Clone(t.Items)
	for i := range other.Items {
		if sameIdentifier(other.Items[i].ExternalProductID, r.ExternalID) {
			other.Items[i].TaxClass, other.Items[i].Classification, other.Items[i].ProductTaxExempt = r.Class, r.How, r.TaxExempt
		}
	}
	after, err := r.taxOf(other, rates, rounding, calculate)
	if err != nil {
		return err
	}
	sum := r.sumOf(t)
	for i := range t.Items {
		if !sameIdentifier(t.Items[i].ExternalProductID, r.ExternalID) {
			continue
		}
		r.Lines++
		sum.Lines++
		if sum.Before, err = money.Add(sum.Before, before[i].Tax); err != nil {
			return err
		}
		if sum.After, err = money.Add(sum.After, after[i].Tax); err != nil {
			return err
		}
	}
	return nil
}

// sumOf returns the sum to which a sale belongs.
func (r *Reclassification) sumOf(t models.Transaction) *ReclassifiedState {
	country, state := taxingState(t)
	key := [3]string{country, state, t.Currency}
	if r.states == nil {
		r.states = map[[3]string]*ReclassifiedState{}
	}
	if r.states[key] == nil {
		r.states[key] = &ReclassifiedState{Country: country, State: state, Currency: t.Currency}
	}
	return r.states[key]
}

// taxOf returns the tax of each line.
func (r *Reclassification) taxOf(
	t models.Transaction, rates Rates, rounding tax.RoundingUnit, calculate func(tax.Request) (tax.Result, error),
) ([]tax.LineResult, error) {
	t.Items = slices.Clone(t.Items)
	result, err := EstimateTax(&t, rates, rounding, tax.NoReasons, calculate)
	if err != nil {
		return nil, err
	}
	if len(result.Lines) != len(t.Items) {
		return nil, fmt.Errorf("%d lines calculated for %d items", len(result.Lines), len(t.Items))
	}
	return result.Lines, nil
}

// States returns the sums in the order of country, state and currency.
func (r *Reclassification) States() []ReclassifiedState {
	sums := make([]ReclassifiedState, 0, len(r.states))
	for _, s := range r.states {
		sums = append(sums, *s)
	}
	slices.SortFunc(sums, func(a, b ReclassifiedState) int {
		return cmp.Or(
			cmp.Compare(a.Country, b.Country), cmp.Compare(a.State, b.State),
			cmp.Compare(a.Currency, b.Currency),
		)
	})
	return sums
}
