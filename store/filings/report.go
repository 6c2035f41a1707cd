package filings

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/report"
	"levy/store/pg"
)

// ReadReport passes the report of a filing to a reader, as of one moment. The head comes first, then the transactions
// one at a time, in id order. Before the claim of its lines the report is a preview. Errors: models.ErrNotFound,
// and those of the reader.
func (s *Store) ReadReport(ctx context.Context, scope models.Scope, filingID string, to report.Reader) error {
	return s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		r, err := openReport(ctx, s.db, tx, scope, filingID)
		if err != nil {
			return err
		}
		if to.Limit > 0 {
			if r.head.History, err = r.history(ctx); err != nil {
				return pg.Translate(err)
			}
		}
		if err := to.Head(&r.head); err != nil {
			return err
		}
		return r.transactions(ctx, to)
	})
}

const filingExists = "SELECT EXISTS (SELECT 1 FROM filings f WHERE f.organization_id = $1 AND f.id = $2)"

// FilingExists returns models.ErrNotFound if the organization has no such filing. It does not sum it up.
func (s *Store) FilingExists(ctx context.Context, scope models.Scope, id string) error {
	exists := false
	err := s.db.QueryRow(pg.ByKey(ctx), filingExists, scope.OrganizationID, id).Scan(&exists)
	if err == nil && !exists {
		return models.ErrNotFound
	}
	return pg.Translate(err)
}

// filingReport is a report while it is read.
type filingReport struct {
	db    *pg.DB // has the key of tax ids
	tx    pg.Querier
	scope models.Scope
	head  report.Head
	lines string // the statement of its rows; $1 is the organization, $2 the filing
	own   string // the condition on the tax lines of the authority
}

// remittedWithReturn is the amount that was paid of a filing f until it was filed. Payments that are recorded later
// change no report.
const remittedWithReturn = `(f.tax_remitted - coalesce((
	         SELECT sum(p.amount) FROM filing_payments p WHERE p.organization_id = f.organization_id AND p.filing_id = f.id), 0))`

const selectReported = `
	SELECT f.amends_filing_id, f.approved_at, f.approved_by, f.country_code, f.currency, f.date_filed, f.due_date,
	       f.end_date, f.filing_category,
	       f.filing_frequency, f.id, f.organization_id, f.payment_confirmation_id, f.registration_id,
	       f.return_confirmation_id, f.start_date,
	       f.state_code, f.state_name, f.status, f.amount_adjusted::text, f.amount_discounts::text, f.amount_fees::text,
	       f.amount_penalties::text,
	       ` + remittedWithReturn + `::text, f.amended_totals, coalesce(f.filed_at, now()), f.report_hash, f.claimed_at IS NOT NULL,
	       f.settled, o.is_test
	  FROM filings f JOIN organizations o ON o.id = f.organization_id WHERE f.organization_id = $1 AND f.id = $2`

// openReport reads a report without its transactions. In the database transaction that sets a filing to FILED it is the
// report that will be sealed.
func openReport(
	ctx context.Context, db *pg.DB, tx pg.Querier, scope models.Scope, filingID string,
) (*filingReport, error) {
	r := &filingReport{db: db, tx: tx, scope: scope}
	f, t := &r.head.Filing, &r.head.Totals
	claimed, settled := false, false
	err := tx.QueryRow(ctx, selectReported, scope.OrganizationID, filingID).Scan(
		&f.AmendsFilingID, &f.ApprovedAt, &f.ApprovedBy, &f.CountryCode, &f.Currency, &f.DateFiled, &f.DueDate,
		&f.EndDate, &f.Category,
		&f.Frequency, &f.ID, &f.OrganizationID, &f.PaymentConfirmationID, &f.RegistrationID,
		&f.ReturnConfirmationID, &f.StartDate,
		&f.StateCode, &f.StateName, &f.Status, &t.AmountAdjusted, &t.AmountDiscounts, &t.AmountFees, &t.AmountPenalties,
		&t.TaxRemitted, &f.AmendedTotals, &r.head.GeneratedAt, &r.head.Hash, &claimed, &settled, &r.head.Test)
	if err != nil {
		return nil, pg.Translate(err)
	}
	r.head.GeneratedAt = r.head.GeneratedAt.UTC().Truncate(time.Microsecond)
	if f.ApprovedAt != nil {
		*f.ApprovedAt = f.ApprovedAt.UTC()
	}
	r.lines, r.own = previewedReturnLines, ownLines(f)
	if claimed {
		r.lines = claimedReturnLines
	}
	own, err := r.filing(ctx, claimed)
	if err != nil {
		return nil, pg.Translate(err)
	}
	r.total(own, claimed && !settled)
	if claimed {
		if err := r.readExcluded(ctx); err != nil {
			return nil, pg.Translate(err)
		}
	}
	r.head.Test = r.head.Test || strings.HasPrefix(valueOf(f.ReturnConfirmationID), models.SimulatedConfirmation)
	if r.head.Hash != nil {
		return r, pg.Translate(r.readSealed(ctx))
	}
	f.Findings = findingsOf(own)
	if r.head.Taxpayer, err = r.taxpayer(ctx); err != nil {
		return nil, pg.Translate(err)
	}
	return r, pg.Translate(r.compute(ctx))
}

// claimedReturnLines selects the rows that a filing has claimed, with the amounts that each adds.
const claimedReturnLines = `
	SELECT m.transaction_id, m.tax_date, m.marketplace, m.sales, m.taxable, m.tax, m.collected, m.liability, x.places,
	       x.liability AS own_liability, x.liability_case
	  FROM filing_transactions m
	  JOIN filings f ON f.organization_id = m.organization_id AND f.id = m.filing_id
	  LEFT JOIN transaction_totals x ON x.organization_id = m.organization_id AND x.transaction_id = m.transaction_id
	   AND x.epoch = m.epoch AND x.country_code = f.country_code AND x.state_code = f.state_code
	 WHERE m.organization_id = $1 AND m.filing_id = $2`

// previewedReturnLines selects the rows that a filing would claim now. Without a reference rate they add nothing.
var previewedReturnLines = `
	SELECT p.transaction_id, p.tax_date, p.marketplace, coalesce(p.sales, 0.00) AS sales,
	       coalesce(p.taxable, 0.00) AS taxable,
	       coalesce(p.tax, 0.00) AS tax, coalesce(p.collected, 0.00) AS collected,
	       coalesce(p.liability, 0.00) AS liability, p.places, p.own_liability, p.liability_case
	  FROM (SELECT x.transaction_id, x.tax_date, x.marketplace, x.places, x.liability AS own_liability, x.liability_case,` +
	lineSums + FilingPreview + waitsForClaim + `) p`

// waitsForClaim restricts previews to one filing that has not claimed its lines yet.
const waitsForClaim = " AND f.organization_id = $1 AND f.id = $2 AND f.claimed_at IS NULL " +
	"AND f.status IN ('UNFILED', 'PAUSED', 'ISSUE')"

// ReturnLineIDs selects the transactions that a filing has claimed or would claim now. It has one argument, the filing.
var ReturnLineIDs = strings.ReplaceAll(`
	SELECT m.transaction_id FROM filing_transactions m WHERE m.organization_id = $1 AND m.filing_id = $2
	UNION ALL
	SELECT x.transaction_id`+FilingPreview+waitsForClaim, "$2", "%[1]s")

// ownLines returns the condition on the tax lines e of the authority of the filing. In Canada the lines of provinces
// belong to the provinces.
func ownLines(f *report.Filing) string {
	switch {
	case f.CountryCode != models.Canada:
		return "true"
	case f.StateCode != nil && *f.StateCode == models.Canada:
		return "e ->> 'jurisdiction_type' <> 'STATE'"
	}
	return "e ->> 'jurisdiction_type' = 'STATE'"
}

// transactions passes the transactions to a reader.
func (r *filingReport) transactions(ctx context.Context, to report.Reader) error {
	args := []any{r.scope.OrganizationID, r.head.Filing.ID, nil}
	if to.Limit > 0 {
		args[2] = to.Limit
	}
	shares, join := "NULL::text[], NULL::text[]", ""
	if to.Taxes {
		shares, join = "coalesce(x.places, l.places || o.places), coalesce(x.taxes, l.taxes || o.taxes)", r.taxesByJurisdiction()
		args = append(args, r.places(), r.wholePlace())
	}
	rows, err := r.tx.Query(ctx, `
		SELECT m.transaction_id, t.external_id, t.type, t.exempt, m.tax_date, m.marketplace,
		       m.sales::text, m.taxable::text, m.tax::text, m.collected::text, m.liability::text, `+shares+`
		  FROM (`+r.lines+`) m JOIN transactions t ON t.organization_id = $1 AND t.id = m.transaction_id`+join+`
		 ORDER BY m.transaction_id LIMIT $3`, args...)
	if err != nil {
		return pg.Translate(err)
	}
	var t report.Transaction
	var places, parts []string
	columns := placeColumns(r.places())
	if to.Taxes {
		t.Taxes = make([]string, len(columns))
	}
	var unwanted error
	_, err = pgx.ForEachRow(rows, []any{
		&t.ID, &t.ExternalID, &t.Type, &t.Exempt, &t.TaxDate, &t.Marketplace,
		&t.NetAmount, &t.TaxableAmount, &t.TaxCalculated, &t.TaxCollected, &t.TaxLiability, &places, &parts,
	}, func() error {
		if unwanted = columns.write(t.Taxes, places, parts); unwanted == nil {
			unwanted = to.Transaction(&t)
		}
		return unwanted
	})
	if unwanted != nil {
		return unwanted
	}
	return pg.Translate(err)
}
