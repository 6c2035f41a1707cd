package filings

import (
	"context"
	"fmt"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// The one-stop shop takes no amended return. The first return that is claimed after an amendment was filed corrects its period
// (Directive 2006/112/EC, articles 365 and 369g). The trigger filings_corrections gives a claim its amendments, and a release
// leaves them to the next claim.

// mostCorrections is how many amendments one return corrects at most. The others are for the next one. keep_corrections
// has the number, too: a test compares both.
const mostCorrections = 500

// uncorrected joins the amendments a of earlier periods of a return f that no return corrects yet.
const uncorrected = `
	  JOIN filings a ON a.organization_id = f.organization_id AND a.registration_id = f.registration_id
	   AND a.filing_category = 'AMENDMENT' AND a.end_date < f.start_date
	   /* guard: corrections: an amendment is corrected once */ AND NOT EXISTS (
	     SELECT FROM filing_corrections c WHERE c.organization_id = a.organization_id AND c.amendment_id = a.id)`

// oldestFirst bounds the amendments of a return.
var oldestFirst = fmt.Sprintf(" ORDER BY a.end_date, a.id LIMIT %d", mostCorrections)

// selectCorrections selects the amendments that a return corrects, with their frozen figures. Before its claim they are those
// that it would get now.
var selectCorrections = `
	WITH own AS MATERIALIZED (
	  SELECT c.amendment_id AS id FROM filing_corrections c
	   WHERE c.organization_id = $1 AND c.filing_id = $2
	  UNION ALL (
	  SELECT a.id FROM filings f` + uncorrected + `
	   WHERE f.organization_id = $1 AND f.id = $2 AND f.claimed_at IS NULL AND f.status NOT IN ('SKIPPED', 'CANCELLED')
	     AND a.status = 'FILED'` + oldestFirst + `))
	SELECT f.id, f.start_date, f.end_date, f.filing_frequency, f.total_tax_liability::text, coalesce(z.missing, 1), coalesce(g.key, ''),
	       coalesce(g.owed, 0)::text
	  FROM own JOIN filings f ON f.organization_id = $1 AND f.id = own.id
	  LEFT JOIN filing_freezes z ON z.organization_id = f.organization_id AND z.filing_id = f.id` + ofThisClaim + `
	  LEFT JOIN filing_figures g ON g.organization_id = z.organization_id AND g.filing_id = z.filing_id
	 ORDER BY f.end_date, f.id, g.key COLLATE "C", g.place COLLATE "C"`

// countWaiting counts the amendments of earlier periods that an open return leaves to a later one.
var countWaiting = `
	SELECT count(*) FILTER (WHERE a.status <> 'FILED')
	       + greatest(count(*) FILTER (WHERE a.status = 'FILED') - ` + fmt.Sprint(mostCorrections) + `, 0)
	  FROM filings f` + uncorrected + `
	 WHERE f.organization_id = $1 AND f.id = $2 AND f.claimed_at IS NULL AND f.status NOT IN ('SKIPPED', 'CANCELLED')
	   AND a.status NOT IN ('SKIPPED', 'CANCELLED')`

// corrects reports whether a filing corrects earlier periods.
func corrects(f *models.Filing) bool {
	return f.CountryCode == models.EuropeanUnion && f.FilingCategory == calendar.FilingRegular
}

// Corrections returns the amendments of earlier periods that a return of the one-stop shop corrects. They are the
// corrections of its claim; before the claim those that it would get now. Other filings correct nothing.
func (s *Store) Corrections(ctx context.Context, scope models.Scope, f models.Filing) (found models.ShopCorrections, err error) {
	if !corrects(&f) {
		return found, nil
	}
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		rows, err := tx.Query(ctx, selectCorrections, scope.OrganizationID, f.ID)
		var a models.FiledBefore
		var key string
		var x models.FilingFigure
		err = pg.ForEach(rows, err, []any{
			&a.Filing.ID, &a.Filing.StartDate, &a.Filing.EndDate, &a.Filing.FilingFrequency, &a.Filing.TotalTaxLiability,
			&a.Figures.Missing, &key, &x.Owed,
		}, func() (err error) {
			if n := len(found.Amendments); n == 0 || found.Amendments[n-1].Filing.ID != a.Filing.ID {
				found.Amendments = append(found.Amendments, a)
			}
			if key == "" {
				return nil
			}
			of := &found.Amendments[len(found.Amendments)-1].Figures
			x.FigureKey, err = models.ParseFigureKey(key)
			of.Figures = append(of.Figures, x)
			return err
		})
		if err != nil {
			return err
		}
		return tx.QueryRow(ctx, countWaiting, scope.OrganizationID, f.ID).Scan(&found.Waiting)
	})
	return found, pg.Translate(err)
}
