package rules

import (
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// EstimateTax calculates the tax of a sale that is not recorded, as the stages do for a recorded one. It first decides
// the exemptions and writes them into the lines. rates has the known ones of ConversionPairs. Errors: those of the
// calculation.
func EstimateTax(
	t *models.Transaction, rates Rates, rounding tax.RoundingUnit, reasons tax.Reasons,
	calculate func(tax.Request) (tax.Result, error),
) (tax.Result, error) {
	decided, err := DecideExemptions(*t)
	if err != nil {
		return tax.Result{}, fmt.Errorf("decide exemptions: %w", err)
	}
	applyExemptions(decided, t)
	request := taxRequest(*t, rates, rounding)
	request.Reasons = reasons
	result, err := calculate(request)
	if err == nil {
		warnOfDropShipment(*t, &result)
	}
	return result, err
}

// TaxBreakdown is the tax of a sale over all lines, by jurisdiction, rate, reason and
// rule, in the order in which they appear.
type TaxBreakdown []TaxBreakdownRow

// TaxBreakdownRow is the tax of one jurisdiction at one rate, for one reason.
type TaxBreakdownRow struct {
	Item         *tax.TaxItem // one of its tax items
	Registered   bool         // an active registration covers it
	Taxable, Tax decimal.Decimal
}

type breakdownKey struct {
	jurisdictionID, jurisdictionName string // no id where the content has no rules
	rate                             decimal.Decimal
	reason                           tax.TaxReason
	rule                             string
}

// BreakDownTax adds up the lines of a calculation. registered reports whether an active registration covers the tax of
// an authority. Errors: money.ErrOverflow if a sum does not fit an amount of a document. Sums on the way may be larger,
// because a fee and its coupon cancel.
func BreakDownTax(r *tax.Result, registered func(tax.Authority) bool) (TaxBreakdown, error) {
	var rows TaxBreakdown
	index := map[breakdownKey]int{}
	for i := range r.Lines {
		for j := range r.Lines[i].TaxItems {
			t := &r.Lines[i].TaxItems[j]
			key := breakdownKey{t.JurisdictionID, t.JurisdictionName, t.Rate, t.Reason, t.RuleID}
			at, known := index[key]
			if !known {
				at = len(rows)
				index[key] = at
				rows = append(rows, TaxBreakdownRow{Item: t, Registered: registered(t.Authority)})
			}
			var err error
			if rows[at].Taxable, err = money.Add(rows[at].Taxable, t.TaxableAmount); err != nil {
				return nil, err
			}
			if rows[at].Tax, err = money.Add(rows[at].Tax, t.Amount); err != nil {
				return nil, err
			}
		}
	}
	for i := range rows {
		if !models.IsDocumentAmount(rows[i].Taxable) || !models.IsDocumentAmount(rows[i].Tax) {
			return nil, money.ErrOverflow
		}
	}
	return rows, nil
}

// ToCollect returns the tax that the seller charges: that of the rows with a registration, and none if a marketplace
// collects. Errors: money.ErrOverflow.
func (b TaxBreakdown) ToCollect(marketplace bool) (sum decimal.Decimal, err error) {
	for i := range b {
		if !b[i].Registered || marketplace {
			continue
		}
		if sum, err = money.Add(sum, b[i].Tax); err != nil {
			return decimal.Decimal{}, err
		}
	}
	if !models.IsDocumentAmount(sum) {
		return decimal.Decimal{}, money.ErrOverflow
	}
	return sum, nil
}

// EstimateResult returns the outcome of an estimate as a sentence. If the tax is not known, it does not say that the
// law asks none.
func EstimateResult(r *tax.Result, toCollect string) string {
	known, unknown, exported := 0, 0, 0
	for i := range r.Lines {
		switch e := r.Lines[i].TaxExemption; {
		case e == tax.ExemptionNoRuleFound:
			unknown++
		case e == tax.ExemptionExport && len(r.Explanation.Jurisdictions) == 0:
			exported++
		default:
			known++
		}
	}
	amounts := money.Format(r.Tax) + " on " + money.Format(r.TaxableAmount) + " taxable"
	words := "The tax by law is " + amounts
	switch {
	case exported == len(r.Lines):
		words = "The country of the seller asks no tax; Levy has no rule for the place of delivery, " +
			"what its law asks is not known"
	case known == 0:
		words = "Levy has no rule for this sale: what the law asks there is not known, no tax was calculated"
	case unknown > 0:
		words = fmt.Sprintf(
			"The tax known to Levy is %s; it has no rule for %d of %d lines, what the law asks for them is not known",
			amounts, unknown, len(r.Lines),
		)
	case slices.ContainsFunc(r.Warnings, func(w tax.Warning) bool { return w.Code == tax.WarningLocalTaxUnknown }):
		words = "The tax known to Levy is " + amounts + ", local taxes may be missing"
	case slices.ContainsFunc(r.Warnings, func(w tax.Warning) bool { return w.Code == tax.WarningClassTooCoarse }):
		words = "The tax known to Levy is " + amounts + "; the law asks more about what is sold than Levy was told"
	}
	return words + "; " + toCollect + " is to be collected."
}
