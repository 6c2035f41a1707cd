package transactions

import (
	"levy/models"
	"levy/store/pg"
)

// totalsOfMoved is the part of the statement of stage 4 that writes what each
// transaction adds to returns, and forgets what an older version added.
const totalsOfMoved = `
	totals AS (
	  INSERT INTO transaction_totals (organization_id, transaction_id, epoch, country_code, state_code, member_code,
	         tax_date, marketplace,
	         currency, sales, taxable, tax, collected, liability)
	  SELECT m.organization_id, m.id, m.epoch, s.country_code, s.state_code, s.member_code, m.tax_date, m.marketplace,
	         m.destination_currency, s.sales::numeric, s.taxable::numeric, s.tax::numeric, s.collected::numeric,
	         s.liability::numeric
	    FROM unnest($31::text[], $32::text[], $33::text[], $34::text[], $35::text[], $36::text[], $37::text[],
	      $38::text[], $39::text[], $40::text[])
	      AS s(organization_id, transaction_id, country_code, state_code, member_code, sales, taxable, tax, collected,
	      liability)
	    JOIN updated m ON m.organization_id = s.organization_id AND m.id = s.transaction_id),
	outdated AS (
	  DELETE FROM transaction_totals o USING updated m
	   WHERE m.epoch > 1 AND o.organization_id = m.organization_id AND o.transaction_id = m.id AND o.epoch < m.epoch),`

type authorityTotal struct {
	ref models.Ref
	*models.AuthorityTotal
}

// totalColumns follow the arguments $31 to $40 of saveTax.
var totalColumns = []pg.Column[authorityTotal]{
	pg.Col("organization_id", "text", func(t *authorityTotal) *string { return pg.Text(t.ref.OrganizationID) }),
	pg.Col("transaction_id", "text", func(t *authorityTotal) *string { return pg.Text(t.ref.ID) }),
	pg.Col("country_code", "text", func(t *authorityTotal) *string { return pg.Text(t.CountryCode) }),
	pg.Col("state_code", "text", func(t *authorityTotal) *string { return pg.Text(t.StateCode) }),
	pg.Col("member_code", "text", func(t *authorityTotal) *string { return pg.Text(t.MemberCode) }),
	pg.Col("sales", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Sales) }),
	pg.Col("taxable", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Taxable) }),
	pg.Col("tax", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Tax) }),
	pg.Col("collected", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Collected) }),
	pg.Col("liability", "numeric", func(t *authorityTotal) *string { return pg.Numeric(t.Liability) }),
}
