package transactions

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/store/filings"
	"levy/store/pg"
)

// totalsOfMoved is a part of the statement of stage 4. It writes the amounts of each transaction in returns,
// and deletes those of an older version.
const totalsOfMoved = `
	totals AS (
	  INSERT INTO transaction_totals (organization_id, transaction_id, epoch, country_code, state_code, member_code,
	         tax_date, marketplace,
	         currency, sales, taxable, tax, collected, liability, places,
	         liability_case, over_collected, under_collected, form_tax, beyond_rounding,
	         figure_place, figure_keys, figure_gross, figure_taxable, figure_tax, figure_owed)
	  SELECT m.organization_id, m.id, m.epoch, total.country_code, total.state_code, total.member_code, m.tax_date,
	         m.marketplace,
	         m.destination_currency, total.sales, total.taxable, total.tax, total.collected, total.liability,
	         total.places, total.liability_case, total.over_collected, total.under_collected,
	         total.form_tax, total.beyond_rounding,
	         total.figure_place, total.figure_keys, total.figure_gross, total.figure_taxable, total.figure_tax,
	         total.figure_owed
	    FROM {total} JOIN updated m ON m.organization_id = total.organization_id AND m.id = total.transaction_id),
	outdated AS (
	  DELETE FROM transaction_totals o USING updated m
	   WHERE m.epoch > 1 AND o.organization_id = m.organization_id AND o.transaction_id = m.id AND o.epoch < m.epoch),`

type authorityTotal struct {
	ref *models.Ref
	*models.AuthorityTotal
}

var totalRows = pg.RowsOf("total", partColumns(func(t *authorityTotal) *models.Ref { return t.ref },
	pg.Col("country_code", "text", func(t *authorityTotal) *string { return &t.CountryCode }),
	pg.Col("state_code", "text", func(t *authorityTotal) *string { return &t.StateCode }),
	pg.Col("member_code", "text", func(t *authorityTotal) *string { return &t.MemberCode }),
	pg.Col("sales", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Sales) }),
	pg.Col("taxable", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Taxable) }),
	pg.Col("tax", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Tax) }),
	pg.Col("collected", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Collected) }),
	pg.Col("liability", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Liability) }),
	pg.Col("places", "jsonb", func(t *authorityTotal) *string {
		if t.Places == nil {
			return nil
		}
		return pg.JSON(t.Places)
	}),
	pg.Col("liability_case", "smallint", func(t *authorityTotal) *string {
		if t.Case == 0 {
			return nil
		}
		return pg.Integer(t.Case)
	}),
	pg.Col("over_collected", "numeric", func(t *authorityTotal) *string { return amountUnlessZero(t.OverCollected) }),
	pg.Col("under_collected", "numeric", func(t *authorityTotal) *string { return amountUnlessZero(t.UnderCollected) }),
	pg.Col("form_tax", "numeric", func(t *authorityTotal) *string {
		if t.FormTax == nil {
			return nil
		}
		return pg.Numeric(*t.FormTax)
	}),
	pg.Col("beyond_rounding", "boolean", func(t *authorityTotal) *string {
		if !t.BeyondRounding {
			return nil
		}
		return pg.Bool(true)
	}),
	pg.Col("figure_place", "text", func(t *authorityTotal) *string {
		if t.Figures == nil {
			return nil
		}
		return &t.FigurePlace
	}),
	pg.Col("figure_keys", "text[]", func(t *authorityTotal) *string { return filings.FigureKeys(t.Figures) }),
	pg.Col("figure_gross", "numeric[]", func(t *authorityTotal) *string { return filings.FigureGross(t.Figures) }),
	pg.Col("figure_taxable", "numeric[]", func(t *authorityTotal) *string { return filings.FigureTaxable(t.Figures) }),
	pg.Col("figure_tax", "numeric[]", func(t *authorityTotal) *string { return filings.FigureTax(t.Figures) }),
	pg.Col("figure_owed", "numeric[]", func(t *authorityTotal) *string { return filings.FigureOwed(t.Figures) }),
)...)

func amountUnlessZero(amount decimal.Decimal) *string {
	if amount.IsZero() {
		return nil
	}
	return pg.Numeric(amount)
}
