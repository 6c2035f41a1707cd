package catalog

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// Bounds of one step of expiring: it stays far below its timeout.
const (
	expiryOrganizations = 500
	expiryRows          = 2000
)

// expireExemptions locks in key order, as every other writer of several rows does.
// LATERAL keeps it to the index of each organization.
const expireExemptions = `
	WITH due AS (
	  SELECT e.organization_id, e.id
	    FROM unnest($1::text[]) AS o(id)
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM exemptions x
	      WHERE x.organization_id = o.id AND x.status = 'ACTIVE' AND x.end_date < $2 OFFSET 0) e
	   ORDER BY e.organization_id, e.id LIMIT $3),
	locked AS (
	  SELECT e.organization_id, e.id FROM exemptions e JOIN due USING (organization_id, id)
	   ORDER BY e.organization_id, e.id FOR NO KEY UPDATE OF e)
	UPDATE exemptions e SET status = 'EXPIRED', updated_at = now()
	  FROM locked l
	 WHERE e.organization_id = l.organization_id AND e.id = l.id AND e.status = 'ACTIVE' AND e.end_date < $2
	RETURNING e.organization_id, e.id`

// announceExemptions notes of ACTIVE exemptions that end within 30 days that it was told, once for each
// last day: a trigger tells it, with the change.
const announceExemptions = `
	WITH due AS (
	  SELECT e.organization_id, e.id
	    FROM unnest($1::text[]) AS o(id)
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM exemptions x
	      WHERE x.organization_id = o.id AND x.status = 'ACTIVE' AND x.end_date BETWEEN $2::date AND $2::date + 30
	        AND x.announced_end IS DISTINCT FROM x.end_date OFFSET 0) e
	   ORDER BY e.organization_id, e.id LIMIT $3),
	locked AS (
	  SELECT e.organization_id, e.id FROM exemptions e JOIN due USING (organization_id, id)
	   ORDER BY e.organization_id, e.id FOR NO KEY UPDATE OF e)
	UPDATE exemptions e SET announced_end = e.end_date
	  FROM locked l
	 WHERE e.organization_id = l.organization_id AND e.id = l.id AND e.status = 'ACTIVE'
	   AND e.announced_end IS DISTINCT FROM e.end_date`

const auditExpiry = `
	INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
	SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])`

// ExpireExemptions sets ACTIVE exemptions EXPIRED whose last day lies before today,
// of the organizations behind after in the order of their ids; a bounded number. Those that end within
// 30 days are announced. It crosses organizations by nature: the calendar is the same for all.
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
		rows, err = s.db.Query(ctx, expireExemptions, organizations, today, expiryRows)
		var owners, ids, entries, actions, kinds []string
		var owner, id string
		err = pg.ForEach(rows, err, []any{&owner, &id}, func() error {
			owners, ids, entries = append(owners, owner), append(ids, id), append(entries, models.NewID(models.PrefixAudit))
			actions, kinds = append(actions, models.AuditExpire), append(kinds, "exemption")
			return nil
		})
		if err != nil {
			return err
		}
		step.Expired = len(ids)
		announced, err := s.db.Exec(ctx, announceExemptions, organizations, today, expiryRows)
		if err != nil {
			return err
		}
		if max(step.Expired, int(announced.RowsAffected())) == expiryRows { // there may be more of the same organizations
			step.Done = false
		} else {
			step.Next = organizations[len(organizations)-1]
		}
		_, err = s.db.Exec(ctx, auditExpiry, owners, entries, actions, kinds, ids)
		return err
	})
	return step, err
}
