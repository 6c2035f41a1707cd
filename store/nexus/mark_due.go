package nexus

import (
	"context"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// markDue marks the nexus of a place as changed. It never postpones an earlier due time.
const markDue = `
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending, due_at)
	VALUES (?, ?, ?, 1, true, now() + make_interval(secs => ?))
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true,
	   due_at = CASE WHEN k.pending THEN least(k.due_at, excluded.due_at) ELSE excluded.due_at END`

// OnboardingPause is how long the nexus of a new organization, or one with new details, may wait. So several steps of
// its onboarding share one evaluation, and so do those of others that are onboarded meanwhile. Its sales do not wait.
const OnboardingPause = 2 * time.Second

// MarkAllChanged marks the whole nexus of an organization as changed, in the database transaction of the change.
func MarkAllChanged(tx *gorm.DB, organizationID string) error {
	return tx.Exec(markDue, organizationID, "", "", 0).Error
}

// MarkDetailsChanged is MarkAllChanged for the details of an organization. The evaluation waits for OnboardingPause.
func MarkDetailsChanged(tx *gorm.DB, organizationID string) error {
	return tx.Exec(markDue, organizationID, "", "", OnboardingPause.Seconds()).Error
}

// markDecided is markDue for a jurisdiction about which a person decided something. It marks its records as not
// evaluated, so no return is approved by them. A sale only adds to the number of changes and does not delay returns.
// It writes the record in any case, so that an evaluation that read it before is not saved. It writes it first,
// as evaluations do.
var markDecided = `
	WITH here AS (
	  SELECT r.organization_id, r.id FROM nexus_records r
	   WHERE r.organization_id = @organization AND r.country_code = @country AND @state IN ('', r.state_code)
	   ORDER BY ` + RecordOrder("r") + ` FOR NO KEY UPDATE),
	unseen AS (
	  UPDATE nexus_records x SET evaluated = /* guard: nexus: what a person decided is not evaluated yet */ 0 * x.evaluated
	    FROM here h WHERE x.organization_id = h.organization_id AND x.id = h.id
	  RETURNING x.id)
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending, due_at)
	SELECT @organization, @country, @state, 1, true, now() FROM (SELECT count(*) FROM unseen) u
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE
	   SET n = k.n + 1, pending = true, due_at = least(k.due_at, excluded.due_at)`

// MarkChanged marks the nexus of one jurisdiction as changed, whose obligation may change.
func MarkChanged(tx *gorm.DB, organizationID, country, state string) error {
	if state == country {
		state = "" // the counters name whole countries without a state
	}
	return tx.Exec(markDecided, map[string]any{
		"organization": organizationID, "country": country, "state": state,
	}).Error
}

// AllOrganizationsChanged marks the nexus of all organizations as changed, because the rules may have changed.
func (s *Store) AllOrganizationsChanged(ctx context.Context) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
		SELECT id, '', '', 1, true FROM organizations WHERE status = 'ACTIVE' ORDER BY id
		ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true, due_at = now()`)
	return pg.Translate(err)
}

// Waiting returns the waiting evaluations of all organizations. Due places are taken within seconds,
// so after a minute no process takes them.
func (s *Store) Waiting(ctx context.Context) (models.WaitingNexus, error) {
	var w models.WaitingNexus
	var longest int64
	err := s.db.QueryRow(ctx, `
		SELECT count(*), count(*) FILTER (WHERE due_at < now() - interval '1 minute'),
		       coalesce(extract(epoch FROM now() - min(due_at))::bigint, 0),
		       (SELECT count(*) FROM nexus_records x WHERE `+ObligationChanged+`),
		       (SELECT count(*) FROM nexus_repairs)
		  FROM nexus_changes WHERE pending`).Scan(&w.Pending, &w.NotMoved, &longest, &w.Unapplied, &w.Repairs)
	w.Longest = time.Duration(max(longest, 0)) * time.Second
	return w, pg.Translate(err)
}
