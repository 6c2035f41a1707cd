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
		sale, err := o.saleIn(ctx, state, amount)
		if err != nil {
			return contract.ProductTaxability{}, err
		}
		result, err := sale.tax(&product)
		if err != nil {
			return contract.ProductTaxability{}, err
		}
		answer.ContentVersion = result.ContentVersion
		answer.States = append(answer.States, stateTaxability(state, &result))
	}
	return answer, nil
}

// stateSale is a sale in a state whose product follows.
type stateSale struct {
	*estimate
	unit      tax.RoundingUnit
	calculate func(tax.Request) (tax.Result, error)
}

// saleIn returns a sale in a state.
func (o *Operations) saleIn(ctx context.Context, state tax.NamedAuthority, amount decimal.Decimal) (*stateSale, error) {
	principal := call.Of(ctx).Seller()
	e := NewEstimate(&contract.EstimateRequest{
		Amount: &amount, Currency: taxabilityCurrency,
		ShippingAddress: &contract.EstimateAddressCreate{State: state.State, Country: state.Country},
	}, convert.Instant(o.now()))
	if err := e.locate(ctx, o.deps.Engine, principal.Business); err != nil {
		return nil, err
	}
	principal.Sells(&e.sale)
	calculate, err := o.deps.Engine.Calculator(ctx, e.sale.Place.ContentVersion)
	return &stateSale{e, principal.RoundingUnit, calculate}, err
}

// tax estimates the sale of a product.
func (s *stateSale) tax(product *models.Product) (tax.Result, error) {
	e := *s.estimate
	e.sale.Items = slices.Clone(e.sale.Items)
	e.sale.Items[0].ExternalProductID = product.ExternalID
	records := models.SaleRecords{Products: map[string]models.Product{product.ExternalID: *product}}
	if err := e.applyRecords(records); err != nil {
		return tax.Result{}, err
	}
	return rules.EstimateTax(&e.sale, nil, s.unit, tax.NoReasons, s.calculate)
}

// Taxability estimates a sale of 100.00 USD of each tax class in each state. Its results are by class and by state.
func (o *Operations) Taxability(ctx context.Context, classes []tax.TaxClass) ([][]contract.StateTaxability, error) {
	results := make([][]contract.StateTaxability, len(classes))
	for _, state := range o.deps.Law.Current().States() {
		sale, err := o.saleIn(ctx, state, decimal.MustNew(10000, 2))
		if err != nil {
			return nil, err
		}
		for i, class := range classes {
			product := models.Product{ExternalID: string(class), TaxClass: class, Classification: tax.ClassificationSubcategory}
			result, err := sale.tax(&product)
			if err != nil {
				return nil, err
			}
			results[i] = append(results[i], stateTaxability(state, &result))
		}
	}
	return results, nil
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
