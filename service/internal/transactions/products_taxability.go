package transactions

import (
	"context"
	"slices"

	"github.com/govalues/decimal"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/money"
)

// taxabilityCurrency is the currency of the estimated sales.
const taxabilityCurrency = "USD"

// GetProductTaxability estimates a sale of a product in every state. It reads the product and all other records once.
func (o *Operations) GetProductTaxability(
	ctx context.Context, r contract.GetProductTaxabilityRequest,
) (contract.ProductTaxability, error) {
	amount, err := money.Parse(r.Params.Amount)
	if err != nil {
		return contract.ProductTaxability{}, err // the validator has already read it
	}
	product, err := o.deps.Products.Product(ctx, call.Of(ctx).Scope, r.ProductID)
	if err != nil {
		return contract.ProductTaxability{}, err
	}
	answer := contract.ProductTaxability{
		ProductID: product.ID, TaxClass: string(product.TaxClass), Amount: money.Format(amount),
		Currency: taxabilityCurrency,
	}
	for _, state := range o.deps.Law.Current().States() {
		result, err := o.taxIn(ctx, state, &product, amount)
		if err != nil {
			return contract.ProductTaxability{}, err
		}
		answer.ContentVersion = result.ContentVersion
		answer.States = append(answer.States, stateTaxability(state, &result))
	}
	return answer, nil
}

// taxIn estimates a sale of a product in a state.
func (o *Operations) taxIn(
	ctx context.Context, state tax.NamedAuthority, product *models.Product, amount decimal.Decimal,
) (tax.Result, error) {
	principal := call.Of(ctx).Seller()
	e := NewEstimate(&contract.EstimateRequest{
		Amount: &amount, Currency: taxabilityCurrency, ExternalProductID: product.ExternalID,
		ShippingAddress: &contract.EstimateAddressCreate{State: state.State, Country: state.Country},
	}, convert.Instant(o.now()))
	if err := e.locate(ctx, o.deps.Engine, principal.Business); err != nil {
		return tax.Result{}, err
	}
	records := models.SaleRecords{Products: map[string]models.Product{product.ExternalID: *product}}
	if err := e.applyRecords(records); err != nil {
		return tax.Result{}, err
	}
	principal.Sells(&e.sale)
	calculate, err := o.deps.Engine.Calculator(ctx, e.sale.Place.ContentVersion)
	if err != nil {
		return tax.Result{}, err
	}
	return rules.EstimateTax(&e.sale, nil, principal.RoundingUnit, tax.NoReasons, calculate)
}

// stateTaxability returns the tax of the state without its cities and counties.
func stateTaxability(state tax.NamedAuthority, r *tax.Result) contract.StateTaxability {
	answer := contract.StateTaxability{
		CountryCode: state.Country, StateCode: state.State, Rate: money.FormatRate(decimal.Zero),
		TaxAmount: money.Format(decimal.Zero), Warnings: convert.ConvertAll(r.Warnings, warningAnswer),
	}
	items := r.Lines[0].TaxItems
	i := slices.IndexFunc(items, func(t tax.TaxItem) bool { return t.JurisdictionType == tax.TypeState })
	if i < 0 {
		return answer
	}
	reason := contract.TaxReason(items[i].Reason)
	answer.Reason, answer.RuleID = &reason, items[i].RuleID
	answer.Rate, answer.TaxAmount = money.FormatRate(items[i].Rate), money.Format(items[i].Amount)
	return answer
}
