package filings

import (
	"context"
	"errors"
	"time"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// laterFilings are the filings of a registration r that are not to be filed: all of one
// that is cancelled, those that begin after its last day, and those of periods that
// have not begun and are not among its periods any more. One of the plan that goes on after the
// last day, which was said later, is cancelled too, and so is one that begins before the first: the plan makes another
// one that ends, or begins, with that day.
const laterFilings = `
	SELECT f.id, CASE WHEN r.status <> 'CANCELLED' AND ` + beforeFirstDay + ` THEN '` + models.RegisteredLater + `'
	       WHEN r.status = 'REGISTERED' THEN '` + models.EndedWithFrequency + `' ELSE '` +
	models.EndedWithRegistration + `' END AS reason
	  FROM registrations r
	  JOIN filings f ON f.organization_id = r.organization_id AND f.registration_id = r.id
	    AND f.status IN ('UNFILED', 'PAUSED', 'ISSUE')
	 CROSS JOIN LATERAL (
	   SELECT f.status <> 'ISSUE' AND NOT r.do_not_file AND EXISTS (
	     SELECT 1 FROM filings x
	      WHERE x.organization_id = f.organization_id AND x.registration_id = f.registration_id AND x.planned
	        AND x.filing_category = f.filing_category AND x.start_date = f.start_date
	        AND x.end_date = f.end_date)) p (planned)
	 WHERE r.organization_id = ? AND r.id = ? AND CASE r.status
	       WHEN 'CANCELLED' THEN true
	       WHEN 'DEREGISTERING' THEN ` + afterLastDay + ` OR ` + beforeFirstDay + `
	       WHEN 'DEREGISTERED' THEN ` + afterLastDay + ` OR ` + beforeFirstDay + `
	       WHEN 'REGISTERED' THEN ` + beforeFirstDay + ` OR f.start_date > ? AND f.filing_frequency <>
	            (SELECT q.filing_frequency FROM registration_frequencies q
	              WHERE q.organization_id = r.organization_id AND q.registration_id = r.id
	                AND q.from_date <= f.start_date
	              ORDER BY q.from_date DESC LIMIT 1)
	       ELSE false END
	 ORDER BY f.id`

// What is not to be filed of a registration r, of which there is a plan p.
const (
	afterLastDay   = `(f.start_date > r.deregistration_date OR f.end_date > r.deregistration_date AND p.planned)`
	beforeFirstDay = `(f.start_date < coalesce(r.create_filings_from, r.registration_date) AND p.planned)`
)

// CancelLaterFilings cancels the filings that a registration, as it is now, leaves
// nobody to file. It may be repeated at will.
func (s *Store) CancelLaterFilings(ctx context.Context, scope models.Scope, id string, now time.Time) error {
	var later []struct{ ID, Reason string }
	err := s.db.GORM(ctx).Raw(laterFilings, scope.OrganizationID, id, now.UTC()).Scan(&later).Error
	if err != nil {
		return pg.Translate(err)
	}
	for _, filing := range later {
		_, err := s.UpdateFiling(ctx, scope, models.Actor{}, filing.ID, func(f *models.Filing) error {
			rules.CancelLaterFiling(f, filing.Reason)
			return nil
		})
		var transition *models.TransitionError
		if err != nil && !errors.As(err, &transition) { // one that was filed meanwhile stays
			return err
		}
	}
	return nil
}
