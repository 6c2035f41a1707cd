package registrations

import (
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/filings"
	"levy/tax/calendar"
)

var selectReturns = `
	SELECT r.id,
	       (SELECT min(f.due_date) FROM filings f
	         WHERE f.organization_id = r.organization_id AND f.registration_id = r.id
	           AND f.status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE')
	           AND f.due_date >= (now() AT TIME ZONE 'UTC')::date) AS open_due,
	       coalesce((
	         SELECT sum(` + filings.CreditLeft + `) FROM filings s
	          WHERE s.organization_id = r.organization_id AND s.registration_id = r.id
	            AND ` + filings.WithCredit + ` AND NOT coalesce(` + filings.ToClaim + `, false)), 0)::numeric(20,2)::text AS credit,
	       CASE WHEN r.deregistration_date IS NOT NULL THEN (
	         SELECT max(f.end_date) FROM filings f
	          WHERE f.organization_id = r.organization_id AND f.registration_id = r.id
	            AND f.filing_category = 'REGULAR' AND f.status IN ('FILED', 'SKIPPED', 'CANCELLED')) END AS over_until
	  FROM registrations r WHERE r.organization_id = ? AND r.id IN ?`

// completeFromReturns adds data about the next return of registrations.
func completeFromReturns(
	db *gorm.DB, scope models.Scope, byID map[string]*models.Registration, ids []string,
) error {
	var rows []struct {
		ID                 string
		OpenDue, OverUntil *time.Time
		Credit             string
	}
	err := db.Raw(selectReturns, scope.OrganizationID, ids).Scan(&rows).Error
	for _, row := range rows {
		r := byID[row.ID]
		r.CreditsTotalAvailable = row.Credit
		r.OpenDue, r.OverUntil = calendar.OptionalDateOf(row.OpenDue), calendar.OptionalDateOf(row.OverUntil)
	}
	return err
}
