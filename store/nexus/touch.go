package nexus

import (
	"context"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// markDue lets what is due sooner stay due sooner.
const markDue = `
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending, due_at)
	VALUES (?, ?, ?, 1, true, now() + make_interval(secs => ?))
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true,
	   due_at = CASE WHEN k.pending THEN least(k.due_at, excluded.due_at) ELSE excluded.due_at END`

// OnboardingPause is how long the nexus of an organization may wait that is new or says
// more of itself: several steps of its onboarding become one evaluation, and so do
// those of others that are onboarded meanwhile. Its sales wait for nothing.
const OnboardingPause = 2 * time.Second

// MarkAllChanged notes that something changed on which all nexus of an
// organization depends, in the database transaction of the change.
func MarkAllChanged(tx *gorm.DB, organizationID string) error {
	return tx.Exec(markDue, organizationID, "", "", 0).Error
}

// MarkDetailsChanged is the same for what an organization says of itself.
func MarkDetailsChanged(tx *gorm.DB, organizationID string) error {
	return tx.Exec(markDue, organizationID, "", "", OnboardingPause.Seconds()).Error
}

// markDecided is markDue for a jurisdiction about which somebody decided something: its
// records have seen none of its changes, and no return is approved by what they say. A
// sale only adds to the number of changes, and holds no return up. A record is written in
// any case, so that an evaluation that read it before is not saved, and first, as
// evaluations do.
var markDecided = `
	WITH here AS (
	  SELECT r.organization_id, r.id FROM nexus_records r
	   WHERE r.organization_id = @organization AND r.country_code = @country AND @state IN ('', r.state_code)
	   ORDER BY ` + RecordOrder("r") + ` FOR NO KEY UPDATE),
	unseen AS (
	  UPDATE nexus_records x SET evaluated = /* guard: nexus: what somebody decided is not evaluated yet */ 0 * x.evaluated
	    FROM here h WHERE x.organization_id = h.organization_id AND x.id = h.id
	  RETURNING x.id)
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending, due_at)
	SELECT @organization, @country, @state, 1, true, now() FROM (SELECT count(*) FROM unseen) u
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE
	   SET n = k.n + 1, pending = true, due_at = least(k.due_at, excluded.due_at)`

// MarkChanged is the same for one jurisdiction, whose obligation may become another one.
func MarkChanged(tx *gorm.DB, organizationID, country, state string) error {
	if state == country {
		state = "" // as the counters name whole countries
	}
	return tx.Exec(markDecided, map[string]any{
		"organization": organizationID, "country": country, "state": state,
	}).Error
}

// AllOrganizationsChanged notes that the rules may have changed for everybody.
func (s *Store) AllOrganizationsChanged(ctx context.Context) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
		SELECT id, '', '', 1, true FROM organizations WHERE status = 'ACTIVE' ORDER BY id
		ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true, due_at = now()`)
	return pg.Translate(err)
}

// Waiting says what of nexus waits, of all organizations. Places that are due are taken within seconds: after a minute
// nobody does it.
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
