package filings

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/tax/calendar"
)

// The limits of one page of the plan, which is one database transaction. It stays far below its timeout, even if each
// registration lacks filings of ten years. The page ends with the registration whose filings exceed planRows.
const (
	planRegistrations = 200
	planRows          = 250
)

// planEntries reads registrations for the plan, each with everything that was ever to be filed at its authority.
// It locks them until the filings are written, so that no call changes their frequency or ends them meanwhile.
// Two plans at once read without waiting for each other. A later registration may cover the last day of one that was
// given up. Common days are then filed under the later one, unless nothing is filed under it. Clients may submit
// another day as registration_completed than that on which the registration came into force, which is in the audit
// trail.
const planEntries = `
	SELECT r.organization_id, r.id, r.country_code, r.state_code, r.state_name, r.status, r.registration_date,
	       least(r.deregistration_date, l.files_from - 1), r.create_filings_from,
	       r.filing_frequency, d.business_information ->> 'business_fiscal_year_end', q.days, q.frequencies, l.files_from,
	       k.returns, coalesce(c.at, r.registration_completed), r.created_at, r.jurisdiction_specific_fields
	  FROM registrations r
	  JOIN organizations o ON o.id = r.organization_id AND o.status = 'ACTIVE'
	  LEFT JOIN organization_details d ON d.organization_id = r.organization_id
	 CROSS JOIN LATERAL (
	   SELECT array_agg(x.from_date ORDER BY x.from_date) AS days,
	          array_agg(x.filing_frequency ORDER BY x.from_date) AS frequencies
	     FROM registration_frequencies x WHERE x.organization_id = r.organization_id AND x.registration_id = r.id) q
	 CROSS JOIN LATERAL (
	   SELECT min(coalesce(x.create_filings_from, x.registration_date)) AS files_from
	     FROM registrations x
	    WHERE x.organization_id = r.organization_id AND x.country_code = r.country_code AND x.state_code = r.state_code
	      AND x.id > r.id AND x.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED') AND NOT x.do_not_file
	      AND coalesce(x.deregistration_date, 'infinity') >= r.deregistration_date) l
	 CROSS JOIN LATERAL (
	   SELECT json_agg(json_build_object('start', x.start_date, 'end', x.end_date, 'category', x.filing_category,
	          'status', x.status, 'own', x.registration_id = r.id, 'planned', x.of_plan, 'skipped', x.skipped,
	          'block_approval', x.block_approval, 'cancelled_reason', x.cancelled_reason)
	          ORDER BY x.start_date, x.id) AS returns
	     FROM registrations y
	    CROSS JOIN LATERAL (
	      SELECT DISTINCT ON (f.filing_category, f.start_date, f.end_date) f.*,
	             bool_or(f.planned) OVER days AS of_plan, bool_or(f.status = 'SKIPPED') OVER days AS skipped
	        FROM filings f WHERE f.organization_id = y.organization_id AND f.registration_id = y.id
	      WINDOW days AS (PARTITION BY f.filing_category, f.start_date, f.end_date)
	       ORDER BY f.filing_category, f.start_date, f.end_date, f.status IN ('SKIPPED', 'CANCELLED'), f.id DESC) x
	    WHERE y.organization_id = r.organization_id AND y.country_code = r.country_code
	      AND y.state_code = r.state_code) k
	 CROSS JOIN LATERAL (
	   SELECT max(x.at) AS at FROM audit x WHERE x.organization_id = r.organization_id AND x.entity_id = r.id
	      AND x.detail -> 'status' ->> 'to' = 'REGISTERED') c
	 WHERE r.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED') AND NOT r.do_not_file AND `

const (
	planPage = planEntries + `(r.organization_id, r.id) > ($1, $2)
	 ORDER BY r.organization_id, r.id LIMIT $3 FOR SHARE OF r`
	planOne = planEntries + `r.organization_id = $1 AND r.id = $2 FOR SHARE OF r`
)

// PlanFilings reads a page of registrations after a cursor. It writes the filings that periods returns and that never
// existed, in one database transaction. It crosses organizations, because the calendar is the same for all.
func (s *Store) PlanFilings(
	ctx context.Context, after models.PlanCursor, periods func(models.Registration) []models.Filing,
) (models.PlanPage, error) {
	return s.plan(ctx, periods, planPage, after.OrganizationID, after.RegistrationID, planRegistrations)
}

// PlanRegistration is PlanFilings for one registration. A registration that is not in force, or for which nothing is
// filed, gets no filings.
func (s *Store) PlanRegistration(
	ctx context.Context, scope models.Scope, id string, periods func(models.Registration) []models.Filing,
) (models.PlanPage, error) {
	return s.plan(ctx, periods, planOne, scope.OrganizationID, id)
}

func (s *Store) plan(
	ctx context.Context, periods func(models.Registration) []models.Filing, query string, args ...any,
) (models.PlanPage, error) {
	var page models.PlanPage
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		rows, err := s.db.Query(ctx, query, args...)
		entries, err := pg.Collect(rows, err, scanPlanEntry)
		if err != nil {
			return err
		}
		var missing []models.Filing
		for _, e := range entries {
			if len(missing) >= planRows {
				break
			}
			missing = append(missing, rules.MissingFilings(e, periods(e.Registration))...)
			page.Next = models.PlanCursor{OrganizationID: e.OrganizationID, RegistrationID: e.ID}
			page.Registrations++
		}
		page.Done = page.Registrations == len(entries) && len(entries) < planRegistrations
		created, err := s.InsertPlannedFilings(ctx, missing)
		if err != nil {
			return err
		}
		page.Planned = len(created)
		return failpoint.Hit("before_plan_commit")
	})
	if err != nil {
		return page, err
	}
	return page, failpoint.Hit("after_plan_commit")
}

func scanPlanEntry(row pgx.CollectableRow) (models.PlanEntry, error) {
	var e models.PlanEntry
	var fiscal *string
	var days []time.Time
	var frequencies []calendar.FilingFrequency
	var later *time.Time
	err := row.Scan(&e.OrganizationID, &e.ID, &e.CountryCode, &e.StateCode, &e.StateName, &e.Status,
		&e.RegistrationDate, &e.DeregistrationDate, &e.CreateFilingsFrom,
		&e.FilingFrequency, &fiscal, &days, &frequencies, &later, &e.Returns, &e.RegistrationCompleted, &e.CreatedAt,
		&e.JurisdictionSpecificFields)
	if err != nil {
		return e, err
	}
	e.LaterFrom = calendar.OptionalDateOf(later)
	for i, from := range days {
		e.Frequencies = append(e.Frequencies, models.RegistrationFrequency{
			OrganizationID: e.OrganizationID, RegistrationID: e.ID, FromDate: from, FilingFrequency: frequencies[i]})
	}
	if fiscal != nil {
		e.FiscalYearEnd, _ = calendar.ParseDate(*fiscal) // without a fiscal year the other filings are planned nevertheless
	}
	return e, nil
}

// insertPlanned writes planned filings of any registrations, and those that follow a skipped planned one,
// which are not planned themselves. It does not write a planned filing again that ever existed for the period,
// unless its registration was to begin later. An open or filed one counts for all its days, under any registration at
// the authority. A cancelled or skipped one does not count for other days: after a change of frequency they belong to
// another period.
var insertPlanned = filingRecord.Insert() + `
	 WHERE NOT EXISTS (
	   SELECT 1 FROM registrations r
	     JOIN filings g ON g.organization_id = r.organization_id AND g.registration_id = r.id
	    WHERE r.organization_id = u.organization_id AND r.country_code = u.country_code AND r.state_code = u.state_code
	      AND g.filing_category = u.filing_category
	      AND g.start_date <= u.end_date::date AND g.end_date >= u.start_date::date
	      AND (g.status NOT IN ('SKIPPED', 'CANCELLED')
	      OR u.planned::boolean AND r.id = u.registration_id AND g.start_date = u.start_date::date
	      AND g.end_date = u.end_date::date
	      AND g.cancelled_reason IS DISTINCT FROM '` + models.RegisteredLater + `') OFFSET 0)
	ON CONFLICT DO NOTHING RETURNING id`

// InsertPlannedFilings writes the filings that do not exist yet, in one statement, and returns their ids.
// Filings without an id get one. It crosses organizations and can be repeated.
func (s *Store) InsertPlannedFilings(ctx context.Context, filings []models.Filing) ([]string, error) {
	if len(filings) == 0 {
		return nil, nil
	}
	now := s.db.Now()
	rows, organizationIDs := make([]*models.Filing, len(filings)), make([]string, len(filings))
	for i, f := range filings {
		organizationIDs[i] = f.OrganizationID
		f.ID = cmp.Or(f.ID, models.NewID(models.PrefixFiling))
		f.Status, f.CreatedAt, f.UpdatedAt, f.NextCheckAt = models.FilingUnfiled, now, now, &now
		rows[i] = &f
	}
	if _, err := s.db.Exec(ctx, lockPlans.SQL, lockPlans.Values(nil, organizationRows.Of(organizationIDs))...); err != nil {
		return nil, err
	}
	answer, err := s.db.Query(ctx, insertPlanned, pg.TextArrays(filingRecord.Created, rows)...)
	return pg.Collect(answer, err, pgx.RowTo[string])
}
