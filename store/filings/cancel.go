package filings

import (
	"context"
	"errors"
	"time"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/tax/calendar"
)

// openFilings selects the open filings of a registration, with the columns that decide whether they are still to be
// filed.
const openFilings = `
	SELECT f.id, f.status, f.start_date, f.end_date, coalesce(f.filing_frequency, '') AS frequency,
	       coalesce((SELECT q.filing_frequency FROM registration_frequencies q
	          WHERE q.organization_id = r.organization_id AND q.registration_id = r.id AND q.from_date <= f.start_date
	          ORDER BY q.from_date DESC LIMIT 1), '') AS frequency_then,
	       EXISTS (
	         SELECT 1 FROM filings x
	          WHERE x.organization_id = f.organization_id AND x.registration_id = f.registration_id AND x.planned
	            AND x.filing_category = f.filing_category AND x.start_date = f.start_date
	            AND x.end_date = f.end_date) AS of_plan,
	       r.status AS registration_status, r.registration_date, r.deregistration_date, r.create_filings_from,
	       r.do_not_file
	  FROM registrations r
	  JOIN filings f ON f.organization_id = r.organization_id AND f.registration_id = r.id
	    AND f.status IN ('UNFILED', 'PAUSED', 'ISSUE')
	 WHERE r.organization_id = ? AND r.id = ?
	 ORDER BY f.id`

// openFiling is a row of openFilings.
type openFiling struct {
	ID                       string
	Status                   models.FilingStatus
	StartDate, EndDate       time.Time
	Frequency, FrequencyThen calendar.FilingFrequency
	OfPlan                   bool

	RegistrationStatus                                      models.RegistrationStatus
	RegistrationDate, DeregistrationDate, CreateFilingsFrom *time.Time
	DoNotFile                                               bool
}

// cancelReason returns why the filing is cancelled; "" if it is not.
func (f *openFiling) cancelReason(today calendar.Date) string {
	return rules.CancelReason(
		models.Registration{
			Status: f.RegistrationStatus, RegistrationDate: f.RegistrationDate, DeregistrationDate: f.DeregistrationDate,
			CreateFilingsFrom: f.CreateFilingsFrom, DoNotFile: f.DoNotFile,
		},
		rules.OpenFiling{
			Status: f.Status, Start: calendar.DateOf(f.StartDate), End: calendar.DateOf(f.EndDate), Frequency: f.Frequency,
			FrequencyThen: f.FrequencyThen, OfPlan: f.OfPlan,
		}, today)
}

// CancelLaterFilings cancels the filings of a registration that its current state no longer requires.
// It may be repeated.
func (s *Store) CancelLaterFilings(ctx context.Context, scope models.Scope, id string, now time.Time) error {
	var open []openFiling
	if err := s.db.GORM(ctx).Raw(openFilings, scope.OrganizationID, id).Scan(&open).Error; err != nil {
		return pg.Translate(err)
	}
	for i := range open {
		reason := open[i].cancelReason(calendar.DateOf(now.UTC()))
		if reason == "" {
			continue
		}
		_, err := s.UpdateFiling(ctx, scope, models.Actor{}, open[i].ID, func(f *models.Filing) error {
			rules.CancelLaterFiling(f, reason)
			return nil
		})
		var transition *models.TransitionError
		if err != nil && !errors.As(err, &transition) { // a filing that was filed meanwhile remains
			return err
		}
	}
	return nil
}
