package filings

import (
	"context"
	"errors"
	"time"

	"levy/models"
	"levy/store/pg"
)

// laterFilings are the filings of a registration r that are not to be filed: all of one
// that is cancelled, those that begin after its last day, and those of periods that
// have not begun and are not among its periods any more. One that was planned and goes on after the
// last day, which was said later, is cancelled too: the plan makes another one that ends with it.
const laterFilings = `
	SELECT f.id, CASE WHEN r.status = 'REGISTERED' THEN '` + models.EndedWithFrequency + `' ELSE '` +
	models.EndedWithRegistration + `' END AS reason
	  FROM registrations r
	  JOIN filings f ON f.organization_id = r.organization_id AND f.registration_id = r.id
	    AND f.status IN ('UNFILED', 'PAUSED', 'ISSUE')
	 WHERE r.organization_id = ? AND r.id = ? AND CASE r.status
	       WHEN 'CANCELLED' THEN true
	       WHEN 'DEREGISTERING' THEN ` + afterLastDay + `
	       WHEN 'DEREGISTERED' THEN ` + afterLastDay + `
	       WHEN 'REGISTERED' THEN f.start_date > ? AND f.filing_frequency <>
	            (SELECT q.filing_frequency FROM registration_frequencies q
	              WHERE q.organization_id = r.organization_id AND q.registration_id = r.id
	                AND q.from_date <= f.start_date
	              ORDER BY q.from_date DESC LIMIT 1)
	       ELSE false END
	 ORDER BY f.id`

const afterLastDay = `f.start_date > r.deregistration_date OR f.end_date > r.deregistration_date
	            AND f.planned AND f.status <> 'ISSUE' AND NOT r.do_not_file`

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
			if f.Status != models.FilingCancelled {
				// The one that takes its place waits for people, too.
				f.BlockApproval = f.BlockApproval || f.Status == models.FilingPaused || f.Entered()
				f.Enter(models.FilingCancelled)
				f.CancelledReason = &filing.Reason
			}
			return nil
		})
		var transition *models.TransitionError
		if err != nil && !errors.As(err, &transition) { // one that was filed meanwhile stays
			return err
		}
	}
	return nil
}
