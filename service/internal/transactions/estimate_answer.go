package transactions

import (
	"slices"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// answer returns the estimate in the form of the contract. covers are the authorities that the active registrations
// cover.
func (e *estimate) answer(r *tax.Result, reasons tax.Reasons, covers models.Covers) (contract.EstimateResult, error) {
	day := calendar.DateOf(e.sale.TaxDate)
	covered := func(a tax.Authority) bool {
		return e.body.SimulateActiveRegistration || rules.IsCovered(covers, a, day)
	}
	breakdown, err := rules.BreakDownTax(r, covered)
	if err != nil {
		return contract.EstimateResult{}, sumTooLarge
	}
	toCollect, err := breakdown.ToCollect(e.body.Marketplace)
	if err != nil {
		return contract.EstimateResult{}, sumTooLarge
	}
	totalTax := money.Format(r.Tax)
	answer := contract.EstimateResult{
		Date:                       e.body.Date,
		PricesIncludeTax:           e.body.PricesIncludeTax,
		TaxRounding:                contract.RoundingUnit(e.unit),
		TaxDate:                    convert.DayOf(e.sale.TaxDate),
		ShopDate:                   e.body.ShopDate,
		ShopDateTz:                 e.body.ShopDateTz,
		ExternalID:                 e.body.ExternalID,
		Currency:                   e.body.Currency,
		Description:                e.body.Description,
		Source:                     e.body.Source,
		Marketplace:                e.body.Marketplace,
		SimulateActiveRegistration: e.body.SimulateActiveRegistration,
		Addresses: convert.ConvertAll(e.body.Addresses, func(a contract.TransactionAddressCreate) contract.EstimateAddress {
			return contract.EstimateAddress(a)
		}),
		TransactionItems:         make([]contract.EstimateItem, len(r.Lines)),
		Confidence:               contract.TaxConfidence(r.Confidence),
		Completeness:             contract.TaxCompleteness(r.Taxed.Resolution.Completeness()),
		Warnings:                 append(convert.ConvertAll(r.Warnings, warningAnswer), e.unknownSubcategories()...),
		TotalTaxAmount:           totalTax,
		TotalTaxAmountCalculated: totalTax,
		TaxableAmount:            money.Format(r.TaxableAmount),
		TaxRateCalculated:        money.FormatRate(r.Rate),
		TaxBreakdown:             convert.ConvertAll(breakdown, breakdownAnswer),
		HasActiveRegistration:    covered(taxingAuthority(r)),
		TaxToCollect:             money.Format(toCollect),
		AddressStatus:            contract.AddressStatus(e.sale.Place.Status),
		Ambiguous:                e.sale.Place.Ambiguous,
		Sourcing:                 contract.SourcingRule(r.Sourcing),
		ContentVersion:           r.ContentVersion,
	}
	if c := e.body.Customer; c != nil {
		sent := contract.EstimateCustomer(*c)
		sent.CustomerTaxRegistrations = convert.NotNil(sent.CustomerTaxRegistrations)
		answer.Customer = &sent
	}
	for i := range r.Lines {
		answer.TransactionItems[i] = estimateItem(&e.body.TransactionItems[i], &e.sale.Items[i])
		addTax(&answer.TransactionItems[i], i, &e.sale.Items[i], &r.Lines[i])
		if e.body.PricesIncludeTax {
			addNetPrice(&answer.TransactionItems[i], &e.sale.Items[i], &r.Lines[i], e.sale.Currency)
		}
	}
	answer.Explanation = []contract.ExplanationStep{}
	if reasons != tax.NoReasons {
		answer.Explanation = e.explanation(r, answer.TaxToCollect, answer.HasActiveRegistration)
	}
	return answer, nil
}

// estimateItem returns a line with the submitted values.
func estimateItem(sent *contract.EstimateItemCreate, item *models.TransactionItem) contract.EstimateItem {
	answer := contract.EstimateItem{
		ExternalID: sent.ExternalID, ExternalProductID: sent.ExternalProductID, ProductCategory: sent.ProductCategory,
		ProductSubcategory: sent.ProductSubcategory, ProductName: sent.ProductName,
		ProductDescription: sent.ProductDescription,
		Description:        sent.Description, Amount: money.Format(item.Amount),
		Quantity: money.FormatQuantity(item.Quantity),
	}
	if !sent.Date.IsZero() {
		answer.Date = convert.Instant(sent.Date)
	}
	if d := sent.DiscountBuilder; d != nil {
		answer.DiscountBuilder = &contract.EstimateDiscount{
			ExternalID: d.ExternalID, AppliedTo: d.AppliedTo, DiscountAmount: money.Format(d.DiscountAmount),
			ReimbursedBy: d.ReimbursedBy,
		}
	}
	answer.ReimbursedBy, answer.TradeIn = couponTermsAnswer(item)
	return answer
}

// addTax adds the tax of a line to its answer.
func addTax(answer *contract.EstimateItem, index int, item *models.TransactionItem, line *tax.LineResult) {
	answer.Index, answer.TaxClass = index, contract.TaxClass(item.TaxClass)
	answer.TotalDiscount = money.Format(item.TotalDiscount)
	answer.TaxableAmount, answer.TaxAmount = money.Format(line.TaxableAmount), money.Format(line.Tax)
	answer.TaxRate = money.FormatRate(line.Rate)
	answer.Exempt, answer.TaxExemption = line.Exempt, contract.TaxExemption(line.TaxExemption)
	answer.ExemptReason = answer.TaxExemption
	answer.TaxItems = convert.ConvertAll(line.TaxItems, estimatedTaxItem)
}

// addNetPrice adds the net price of a line, and makes its discount net.
func addNetPrice(
	answer *contract.EstimateItem, item *models.TransactionItem, line *tax.LineResult, currency string,
) {
	answer.NetAmount, answer.GrossAmount = money.Format(line.Net), money.Format(line.Gross)
	answer.TotalDiscount = money.Format(rules.ShareOfPrice(item.TotalDiscount, line.Net, line.Gross, currency))
}

// estimatedTaxItem returns one tax of a line.
func estimatedTaxItem(t tax.TaxItem) contract.EstimatedTaxItem {
	answer := contract.EstimatedTaxItem{
		Name: t.Name, JurisdictionType: contract.JurisdictionType(t.JurisdictionType),
		JurisdictionName: t.JurisdictionName,
		Country:          t.Country, State: t.State, Rate: money.FormatRate(t.Rate),
		TaxableAmount: money.Format(t.TaxableAmount),
		Amount:        money.Format(t.Amount), Reason: contract.TaxReason(t.Reason), RuleID: t.RuleID, Rule: t.RuleID,
		Exempt: t.Exempt, Source: t.Source.Citation(),
	}
	if t.Exempt {
		answer.ExemptReason = answer.Reason
	}
	return answer
}

func warningAnswer(w tax.Warning) contract.TaxWarning {
	return contract.TaxWarning{Code: string(w.Code), Message: w.Message, Line: w.Line}
}

// unknownSubcategories returns a warning for each line whose subcategory is unknown, so that its category decides the
// class.
func (e *estimate) unknownSubcategories() []contract.TaxWarning {
	slices.Sort(e.unknown)
	warnings := make([]contract.TaxWarning, len(e.unknown))
	for i, line := range e.unknown {
		warnings[i] = contract.TaxWarning{
			Code: "UNKNOWN_SUBCATEGORY", Line: &e.unknown[i],
			Message: "The subcategory of the product is not of the catalogue: the default of its category was taken, " +
				string(e.sale.Items[line].TaxClass) + ".",
		}
	}
	return warnings
}

// explanation returns the explanation of the engine, the tax to be collected and the outcome.
func (e *estimate) explanation(r *tax.Result, toCollect string, registered bool) []contract.ExplanationStep {
	steps := make([]contract.ExplanationStep, 0, len(r.Explanation.Steps)+2)
	say := func(code contract.ExplanationStepCode, text string) {
		steps = append(steps, contract.ExplanationStep{N: len(steps) + 1, Code: code, Text: text})
	}
	for _, step := range r.Explanation.Steps {
		say(contract.ExplanationStepCode(step.Code), step.Text)
	}
	where := taxingPlace(r)
	switch {
	case e.body.Marketplace:
		say(contract.ExplanationStepCodeREGISTRATION, "The marketplace collects the tax: nothing to collect.")
	case !registered:
		say(contract.ExplanationStepCodeREGISTRATION, "No active registration in "+where+": nothing to collect.")
	case !e.body.SimulateActiveRegistration:
		say(
			contract.ExplanationStepCodeREGISTRATION,
			"Registered in "+where+": the tax that the registration covers is to be collected.",
		)
	default:
		say(
			contract.ExplanationStepCodeREGISTRATION,
			"Simulated as registered in "+where+": the tax there is to be collected.",
		)
	}
	say(contract.ExplanationStepCodeRESULT, rules.EstimateResult(r, toCollect))
	return steps
}

// taxingAuthority returns the authority that registers sellers where the sale is taxed: the state in the United States,
// the country elsewhere.
func taxingAuthority(r *tax.Result) tax.Authority {
	if r.Taxed.Country == "US" {
		return tax.Authority{Country: "US", State: r.Taxed.State}
	}
	return tax.Authority{Country: r.Taxed.Country}
}

// taxingPlace returns the name of the state or country whose law was applied.
func taxingPlace(r *tax.Result) string {
	i := slices.IndexFunc(r.Explanation.Jurisdictions, func(j tax.JurisdictionRef) bool {
		return j.JurisdictionType == tax.TypeState || j.JurisdictionType == tax.TypeCountry
	})
	if i >= 0 {
		return r.Explanation.Jurisdictions[i].JurisdictionName
	}
	if r.Taxed.State != "" {
		return r.Taxed.State
	}
	return r.Taxed.Country
}

func breakdownAnswer(row rules.TaxBreakdownRow) contract.EstimatedTax {
	t := row.Item
	return contract.EstimatedTax{
		JurisdictionType: contract.JurisdictionType(t.JurisdictionType), JurisdictionName: t.JurisdictionName,
		Country: t.Country, State: t.State,
		Rate: money.FormatRate(t.Rate), TaxableAmount: money.Format(row.Taxable), Amount: money.Format(row.Tax),
		Reason: contract.TaxReason(t.Reason), RuleID: t.RuleID, HasActiveRegistration: row.Registered,
	}
}
