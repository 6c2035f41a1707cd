package catalog

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// The limits of one step, which stays far below its timeout.
const (
	expiryOrganizations = 500
	expiryRows          = 2000
)

// expireExemptions locks in key order, as every other writer of several rows does. LATERAL makes it use the index for
// each organization.
var expireExemptions = pg.Prepare(`
	WITH due AS (
	  SELECT e.organization_id, e.id
	    FROM {organization}
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM exemptions x
	      WHERE x.organization_id = organization.id AND x.status = 'ACTIVE' AND x.end_date < @today OFFSET 0) e
	   ORDER BY e.organization_id, e.id LIMIT @at_most),
	locked AS (
	  SELECT e.organization_id, e.id FROM exemptions e JOIN due USING (organization_id, id)
	   ORDER BY e.organization_id, e.id FOR NO KEY UPDATE OF e)
	UPDATE exemptions e SET status = 'EXPIRED', updated_at = now()
	  FROM locked l
	 WHERE e.organization_id = l.organization_id AND e.id = l.id AND e.status = 'ACTIVE' AND e.end_date < @today
	RETURNING e.organization_id, e.id`, pg.Names{"today", "at_most"}, organizationRows)

var organizationRows = pg.RowsOf("organization", pg.Col("id", "text", func(id *string) *string { return id }))

// announceExemptions marks ACTIVE exemptions that end within 30 days as announced, once for each last day.
// A trigger writes the event with the change.
var announceExemptions = pg.Prepare(`
	WITH due AS (
	  SELECT e.organization_id, e.id
	    FROM {organization}
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM exemptions x
	      WHERE x.organization_id = organization.id AND x.status = 'ACTIVE' AND x.end_date BETWEEN @today::date AND @today::date + 30
	        AND x.announced_end IS DISTINCT FROM x.end_date OFFSET 0) e
	   ORDER BY e.organization_id, e.id LIMIT @at_most),
	locked AS (
	  SELECT e.organization_id, e.id FROM exemptions e JOIN due USING (organization_id, id)
	   ORDER BY e.organization_id, e.id FOR NO KEY UPDATE OF e)
	UPDATE exemptions e SET announced_end = e.end_date
	  FROM locked l
	 WHERE e.organization_id = l.organization_id AND e.id = l.id AND e.status = 'ACTIVE'
	   AND e.announced_end IS DISTINCT FROM e.end_date`,
	pg.Names{"today", "at_most"}, organizationRows)

// ExpireExemptions sets ACTIVE exemptions to EXPIRED whose last day is before today. It takes a limited number, of the
// organizations after the id after. It announces those that end within 30 days. It crosses organizations, because the
// calendar is the same for all.
func (s *Store) ExpireExemptions(
	ctx context.Context, today time.Time, after string,
) (step models.ExpiredExemptions, err error) {
	step.Next = after
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		rows, err := s.db.Query(ctx, "SELECT id FROM organizations WHERE id > $1 ORDER BY id LIMIT $2", after,
			expiryOrganizations)
		organizations, err := pg.Collect(rows, err, pgx.RowTo[string])
		if err != nil {
			return err
		}
		step.Done = len(organizations) < expiryOrganizations
		if len(organizations) == 0 {
			return nil
		}
		single, of := []any{today, expiryRows}, organizationRows.Of(organizations)
		rows, err = s.db.Query(ctx, expireExemptions.SQL, expireExemptions.Values(single, of)...)
		var scope models.Scope
		var id string
		var entries []*models.AuditEntry
		err = pg.ForEach(rows, err, []any{&scope.OrganizationID, &id}, func() error {
			entries = append(entries, models.Actor{}.Entry(scope, models.AuditExpire, "exemption", id))
			return nil
		})
		if err != nil {
			return err
		}
		step.Expired = len(entries)
		announced, err := s.db.Exec(ctx, announceExemptions.SQL, announceExemptions.Values(single, of)...)
		if err != nil {
			return err
		}
		if max(step.Expired, int(announced.RowsAffected())) == expiryRows { // the same organizations may have more
			step.Done = false
		} else {
			step.Next = organizations[len(organizations)-1]
		}
		if len(entries) == 0 {
			return nil
		}
		batch := &pgx.Batch{}
		pg.QueueAudit(batch, entries...)
		return s.db.SendBatch(ctx, batch).Close()
	})
	return step, err
}
