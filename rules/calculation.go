package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// DecideTax is stage 4 for one transaction. If its tax cannot be calculated, and another attempt would not help, it
// ends in NEEDS_REFETCH with the reason. Errors: those of the calculation that another attempt may not meet.
func DecideTax(t models.Transaction, settings models.OrganizationSettings,
	rates Rates, calculate func(tax.Request) (tax.Result, error),
) (models.TaxOutcome, error) {
	if t.Place == nil {
		return needsRefetch(t, "The place of taxation is not known."), nil
	}
	converted, ok := conversionOf(t, rates)
	if !ok {
		return needsRate(t, pairOf(t)), nil
	}
	for _, pair := range lawPairs(t) {
		if _, ok := rates[pair]; !ok {
			return needsRate(t, pair), nil
		}
	}
	t = *AsSubmitted(&t)
	if err := spreadCouponsOf(t); err != nil {
		return models.TaxOutcome{}, err
	}
	outdated, err := renewExemptions(&t)
	if err != nil {
		return models.TaxOutcome{}, err
	}
	result, err := calculate(taxRequest(t, rates, roundingOf(t, settings)))
	if err != nil {
		return needsRefetch(t, notCalculable(err)), nil
	}
	if len(result.Lines) != len(t.Items) {
		return models.TaxOutcome{}, fmt.Errorf("%d lines calculated for %d items", len(result.Lines), len(t.Items))
	}
	if t.PricesIncludeTax() {
		if err := takeTaxOut(&t, netPrices(result.Lines)); err != nil {
			return models.TaxOutcome{}, err
		}
	}
	warnOfDropShipment(t, &result)
	c := calculation{result: result, converted: converted}
	if err := c.owe(t, settings); err != nil {
		return models.TaxOutcome{}, err
	}
	if err := c.warnOfCollected(t); err != nil {
		return models.TaxOutcome{}, err
	}
	if err := warnOfTotal(t, &c.result); err != nil {
		return models.TaxOutcome{}, err
	}
	warnOfDuplicate(t, &c.result)
	outcome, err := c.outcome(t)
	outcome.Outdated = outdated && outcome.Calculated()
	return outcome, err
}

// roundingOf returns the unit of rounding of a document: its own, that of the organization for a document of an old
// version.
func roundingOf(t models.Transaction, settings models.OrganizationSettings) tax.RoundingUnit {
	if t.TaxRounding != nil {
		return tax.RoundingUnit(*t.TaxRounding)
	}
	return tax.RoundingUnit(settings.RoundingUnit)
}

// calculation is the calculated tax of a transaction, and the part of it that is owed.
type calculation struct {
	result    tax.Result
	owes      liability
	document  *document
	converted *conversion
	original  *originalSale // of refunds
}

// outcome returns what stage 4 stores. Errors: money.ErrOverflow.
func (c *calculation) outcome(t models.Transaction) (models.TaxOutcome, error) {
	if !c.converted.fits(t, c.result, c.owes.Amount) {
		return needsRefetch(t, c.converted.tooLarge()), nil
	}
	totals, err := c.authorityTotals(t)
	if err != nil {
		return models.TaxOutcome{}, err
	}
	if c.original != nil {
		if err := c.takeRemainders(t, totals); err != nil {
			return models.TaxOutcome{}, err
		}
	}
	if err := c.addForms(t, totals); err != nil {
		return models.TaxOutcome{}, err
	}
	if err := c.addFigures(t, totals); err != nil {
		return models.TaxOutcome{}, err
	}
	explanation, err := c.explain()
	if err != nil {
		return models.TaxOutcome{}, err
	}
	lines, exempt := lineTaxes(t, c.result)
	outcome := models.TaxOutcome{
		Ref:                 t.Ref(),
		To:                  models.ProcessingProcessed,
		Exempt:              exempt,
		TaxableAmount:       c.result.TaxableAmount,
		TaxAmount:           c.result.Tax,
		TaxRate:             c.result.Rate,
		LiabilityAmount:     c.owes.Amount,
		LiabilitySource:     c.owes.Source,
		DestinationCurrency: taxingCurrency(t),
		ConversionRate:      c.converted.rate(),
		ContentVersion:      c.result.ContentVersion,
		Certainty:           c.result.Explanation.Certainty,
		Lines:               lines,
		Totals:              totals,
		Explanation:         explanation,
	}
	if t.PricesIncludeTax() {
		err = addNetPrices(&outcome, t)
	}
	return outcome, err
}

func needsRefetch(t models.Transaction, reason string) models.TaxOutcome {
	return models.TaxOutcome{Ref: t.Ref(), To: models.ProcessingNeedsRefetch, Reason: reason, Exempt: t.Exempt}
}

// needsRate is for a transaction whose conversion rate is missing.
func needsRate(t models.Transaction, pair models.CurrencyPair) models.TaxOutcome {
	outcome := needsRefetch(t, noRate(pair))
	outcome.Wants = &pair
	return outcome
}

// notCalculable returns the reason as a sentence that quotes nothing of the record.
func notCalculable(err error) string {
	line, noNetPrice := NoNetPrice(err)
	switch {
	case noNetPrice:
		return fmt.Sprintf("No net price of line %d comes to its price with its tax: a limit of the law lies between.", line+1)
	case errors.Is(err, money.ErrOverflow):
		return "The tax cannot be calculated: an amount is out of range."
	case errors.Is(err, money.ErrPrecision):
		return "The tax cannot be calculated: an amount has too many decimals."
	}
	return "The tax cannot be calculated from the record as it is."
}

// lineTaxes pairs the calculated lines with the items and sums up how much of the
// transaction is exempt.
func lineTaxes(t models.Transaction, result tax.Result) ([]models.LineTax, models.ExemptStatus) {
	lines := make([]models.LineTax, 0, len(t.Items))
	valued, exempt, zeroRate := 0, 0, 0
	for i, calculated := range result.Lines {
		item := t.Items[i]
		lines = append(lines, models.LineTax{
			LineNo:        item.LineNo,
			TaxableAmount: calculated.TaxableAmount,
			TaxAmount:     calculated.Tax,
			TaxRate:       calculated.Rate,
			Exempt:        calculated.Exempt,
			TaxExemption:  string(calculated.TaxExemption),
			TaxItems:      taxItems(item.TaxItems, calculated.TaxItems),
		})
		if net, err := item.NetAmount(); item.IsCoupon || err == nil && net.IsZero() {
			continue
		}
		valued++
		switch {
		case calculated.Exempt:
			exempt++
		case calculated.TaxExemption == tax.ExemptionZeroRate:
			zeroRate++
		}
	}
	return lines, exemptStatusOf(valued, exempt, zeroRate)
}

// taxItems keeps the imported tax lines and replaces the calculated ones.
func taxItems(stored []models.TaxItem, calculated []tax.TaxItem) []models.TaxItem {
	items := make([]models.TaxItem, 0, len(stored)+len(calculated))
	for _, item := range stored {
		if item.Type != models.TaxItemCalculated {
			items = append(items, item)
		}
	}
	for _, item := range calculated {
		base := item.TaxableAmount
		items = append(items, models.TaxItem{
			Type:             models.TaxItemCalculated,
			RuleID:           item.RuleID,
			Name:             item.Name,
			JurisdictionType: string(item.JurisdictionType),
			JurisdictionName: item.JurisdictionName,
			Rate:             item.Rate,
			Amount:           item.Amount,
			TaxableAmount:    &base,
			Reason:           string(item.Reason),
		})
	}
	return items
}

// explanation is the stored account of a calculation: that of the engine about the tax, and that of the liability.
type explanation struct {
	tax.Explanation
	Liability  liability     `json:"liability"`
	Conversion *conversion   `json:"conversion,omitempty"`
	Original   *originalSale `json:"original"` // of refunds
}

// The codes of the steps that follow those of the engine.
const (
	stepLiability  = "LIABILITY"
	stepConversion = "CONVERSION"
)

func (c *calculation) explain() (json.RawMessage, error) {
	e := explanation{
		Explanation: c.result.Explanation, Liability: c.owes, Conversion: c.converted, Original: c.original,
	}
	e.Steps = append(slices.Clip(e.Steps), tax.Step{N: len(e.Steps) + 1, Code: stepLiability, Text: c.owes.Rule})
	if c.converted != nil {
		e.Steps = append(e.Steps, tax.Step{N: len(e.Steps) + 1, Code: stepConversion, Text: c.converted.sentence()})
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("write explanation: %w", err)
	}
	return raw, nil
}
