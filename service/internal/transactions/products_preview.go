package transactions

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/money"
)

// A preview covers the newest sales of these days, up to this number of lines.
const (
	previewDays  = 30
	previewLines = 1000
)

// PreviewReclassification computes the effect of another classification of a product on its recent sales.
// It writes nothing.
func (o *Operations) PreviewReclassification(
	ctx context.Context, r contract.PreviewReclassificationRequest,
) (contract.ReclassificationPreview, error) {
	c := call.Of(ctx)
	product, err := o.deps.Products.Product(ctx, c.Scope, r.ProductID)
	if err != nil {
		return contract.ReclassificationPreview{}, err
	}
	other := product
	err = o.catalog.ChangeProduct(&other, contract.ProductUpdate{
		ProductCategory: r.Body.ProductCategory, ProductSubcategory: r.Body.ProductSubcategory,
		TaxExempt: r.Body.TaxExempt,
	})
	if err != nil {
		return contract.ReclassificationPreview{}, err
	}
	sum := rules.Reclassification{
		ExternalID: product.ExternalID, Class: other.TaxClass, How: other.Classification,
		TaxExempt: other.TaxExempt,
	}
	since := o.now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -previewDays)
	q := models.RecentSalesQuery{ProductID: product.ID, Since: since, Lines: previewLines}
	err = o.deps.Products.RecentSales(ctx, c.Scope, q, func(sales []models.Transaction) error {
		return o.addToPreview(ctx, &sum, sales)
	})
	if err != nil {
		return contract.ReclassificationPreview{}, err
	}
	return previewAnswer(product, other, since, sum)
}

// addToPreview adds the effect on these sales to a sum.
func (o *Operations) addToPreview(ctx context.Context, sum *rules.Reclassification, sales []models.Transaction) error {
	principal := call.Of(ctx).Seller()
	rates, err := o.ratesFor(ctx, sales...)
	if err != nil {
		return err
	}
	for _, sale := range sales {
		if sale.Place == nil {
			continue
		}
		principal.Sells(&sale)
		calculate, err := o.deps.Engine.Calculator(ctx, sale.Place.ContentVersion)
		if err != nil {
			return err
		}
		if err := sum.Add(sale, rates, principal.RoundingUnit, calculate); err != nil {
			return fmt.Errorf("preview: %w", err)
		}
	}
	return nil
}

func previewAnswer(
	product, other models.Product, since time.Time, sum rules.Reclassification,
) (contract.ReclassificationPreview, error) {
	answer := contract.ReclassificationPreview{
		ProductID: product.ID, Before: classificationAnswer(product), After: classificationAnswer(other),
		Since: convert.DayOf(since), Lines: sum.Lines, States: []contract.ReclassifiedState{},
	}
	for _, state := range sum.States() {
		difference, err := state.Difference()
		if err != nil {
			return contract.ReclassificationPreview{}, err
		}
		answer.States = append(answer.States, contract.ReclassifiedState{
			CountryCode: state.Country, StateCode: cmp.Or(state.State, state.Country), Currency: state.Currency,
			Lines:     state.Lines,
			TaxBefore: money.Format(state.Before), TaxAfter: money.Format(state.After),
			Difference: money.Format(difference),
		})
	}
	return answer, nil
}

func classificationAnswer(p models.Product) contract.ProductClass {
	return contract.ProductClass{
		ProductCategory: p.ProductCategory, ProductSubcategory: p.ProductSubcategory, TaxClass: string(p.TaxClass),
		Classification: contract.ProductClassification(p.Classification), TaxExempt: p.TaxExempt,
	}
}
