package filings

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// makersOf reads who worked on the filing $2, and who approved it: each actor once, with the last time. $3 is the
// moment from which the return could be approved, and $4 the first id of the audit trail from then on. The fields $5 are
// no work. Before that moment, sales and the registration change in the course of business. A sale counts in
// its place, a change of it in every place: it may have moved. Keys count if a person made them.
const makersOf = `
	WITH RECURSIVE f AS MATERIALIZED (
	  SELECT f.*, o.parent_organization_id FROM filings f JOIN organizations o ON o.id = f.organization_id
	   WHERE f.organization_id = $1 AND f.id = $2),
	made (id) AS (
	  SELECT a.entity_id FROM f
	    JOIN api_keys k ON k.organization_id IN (f.organization_id, f.parent_organization_id)
	    JOIN audit a ON a.organization_id = k.organization_id AND a.entity_id = k.id AND a.entity_type = 'api_key'
	     AND a.action = 'create' AND a.user_id IS NOT NULL
	   UNION
	  SELECT a.entity_id FROM made m
	    JOIN f ON true
	    JOIN api_keys k ON k.organization_id IN (f.organization_id, f.parent_organization_id)
	    JOIN audit a ON a.organization_id = k.organization_id AND a.entity_id = k.id AND a.entity_type = 'api_key'
	     AND a.action = 'create' AND a.api_key_id = m.id),
	worked AS (
	  SELECT a.user_id, a.user_name, a.api_key_id, a.staff, a.at, a.action, a.entity_type, a.entity_id, a.detail
	    FROM audit a WHERE a.organization_id = $1 AND a.entity_id = $2 AND a.entity_type = 'filing'
	   UNION ALL
	  SELECT a.user_id, a.user_name, a.api_key_id, a.staff, a.at, a.action, a.entity_type, a.entity_id, a.detail
	    FROM f JOIN audit a ON a.organization_id = $1 AND a.entity_id IN (f.registration_id, $1)
	     AND a.entity_type IN ('registration', 'organization_settings') AND a.id >= $4 AND a.at >= $3
	   UNION ALL
	  SELECT a.user_id, a.user_name, a.api_key_id, a.staff, a.at, a.action, a.entity_type, a.entity_id, a.detail
	    FROM f JOIN audit a ON a.organization_id = $1 AND a.id >= $4 AND a.at >= $3 AND a.entity_type = 'transaction'
	     AND a.action IN ('create', 'update', 'archive', 'reprocess', 'credit_note_added', 'credit_note_changed')
	   WHERE (a.user_id IS NOT NULL OR a.staff IS NOT NULL OR a.api_key_id IN (SELECT id FROM made))
	     AND (EXISTS (
	       SELECT FROM transactions t
	        WHERE t.organization_id = $1 AND t.id IN (a.entity_id, a.detail ->> 'credit_note_id')
	          AND t.tax_date BETWEEN f.start_date AND f.end_date
	          AND (a.action <> 'create' OR NOT EXISTS (
	            SELECT FROM transaction_totals x
	             WHERE x.organization_id = $1 AND x.transaction_id = t.id AND x.epoch = t.epoch)
	            OR EXISTS (SELECT FROM transaction_totals x
	             WHERE x.organization_id = $1 AND x.transaction_id = t.id AND x.epoch = t.epoch
	               AND x.country_code = f.country_code AND x.state_code = f.state_code)))
	      OR a.action = 'update' AND EXISTS (
	       SELECT FROM transaction_revisions v
	        WHERE v.organization_id = $1 AND v.transaction_id = a.entity_id
	          AND (v.body -> 'transaction' ->> 'tax_date')::date BETWEEN f.start_date AND f.end_date)))
	SELECT coalesce(w.user_id, ''), coalesce(w.user_name, ''), coalesce(w.api_key_id, ''), coalesce(w.staff, ''),
	       max(w.at), kind.approval
	  FROM worked w
	 CROSS JOIN LATERAL (
	   SELECT false AS approval
	    WHERE w.entity_type = 'transaction' OR w.action <> 'update'
	       OR EXISTS (SELECT FROM jsonb_array_elements_text(w.detail -> 'fields') x (name) WHERE x.name <> ALL ($5::text[]))
	    UNION ALL
	   SELECT true
	    WHERE w.entity_type = 'filing' AND w.detail ->> 'to' = 'FILING' AND w.detail ->> 'from' <> 'FILING') kind
	 WHERE coalesce(w.user_id, w.api_key_id, w.staff) IS NOT NULL
	 GROUP BY 1, 2, 3, 4, 6`

// SecondPerson reports whether the organization requires a second person. It returns an error if the actor may not decide
// about the filing as it is now. Errors: models.ErrNotFound, *models.SecondPersonError.
func (s *Store) SecondPerson(ctx context.Context, scope models.Scope, actor models.Actor, id string) (required bool, err error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return false, fmt.Errorf("%w: no database connection: %w", models.ErrUnavailable, err)
	}
	defer conn.Release()
	defer conn.Rollback(context.WithoutCancel(ctx)) // it only reads
	u := &filingUpdate{scope: scope, actor: actor}
	batch := &pgx.Batch{}
	conn.Begin(batch, "")
	batch.Queue(LongWork)
	batch.Queue("SELECT f.end_date FROM filings f WHERE f.organization_id = $1 AND f.id = $2", scope.OrganizationID, id).
		QueryRow(func(row pgx.Row) error { return row.Scan(&u.stored.EndDate) })
	u.queueSecondPerson(batch)
	if err := conn.Send(ctx, batch); err != nil {
		return false, pg.Translate(err)
	}
	u.stored.ID, u.stored.Status, u.next.Status = id, models.FilingUnfiled, models.FilingFiling
	if err := u.readMakers(ctx, conn); err != nil {
		return false, pg.Translate(err)
	}
	return u.second.Required, rules.CheckSecondPerson(actor, u.second)
}

// readMakers reads who made what the filing rests on, if a decision about it needs a second person. Access is given by
// every organization of a person.
func (u *filingUpdate) readMakers(ctx context.Context, conn *pg.Pipeline) error {
	if !u.second.Required || !u.change().Decides() {
		return nil
	}
	across := models.AcrossOrganizations(ctx)
	over := u.stored.EndDate.AddDate(0, 0, 1).Add(12 * time.Hour)
	var w rules.FilingWork
	batch := &pgx.Batch{}
	batch.Queue(makersOf, u.scope.OrganizationID, u.stored.ID, over, models.FirstID(models.PrefixAudit, over),
		slices.Concat(rules.NoWorkOnFiling, models.SecondPersonSettings)).
		Query(pg.Each([]any{&w.By.UserID, &w.By.UserName, &w.By.APIKeyID, &w.By.Staff, &w.At, &w.Approval},
			func() error {
				u.second.Works = append(u.second.Works, w)
				return nil
			}))
	if err := conn.Send(across, batch); err != nil {
		return err
	}
	ids := []string{u.actor.UserID}
	for _, w := range u.second.Works {
		ids = append(ids, w.By.UserID, w.By.APIKeyID)
	}
	var err error
	u.second.Access, err = pg.AccessSource(across, conn.Conn(), ids)
	return err
}
