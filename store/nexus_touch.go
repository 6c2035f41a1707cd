package store

import (
	"context"
	"time"

	"gorm.io/gorm"
)

// touchNexus lets what is due sooner stay due sooner.
const touchNexus = `
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending, due_at)
	VALUES (?, ?, ?, 1, true, now() + make_interval(secs => ?))
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true,
	   due_at = CASE WHEN k.pending THEN least(k.due_at, excluded.due_at) ELSE excluded.due_at END`

// comingAboard is how long the nexus of an organization may wait that is new or says
// more of itself: several steps of its onboarding become one evaluation, and so do
// those of others that come aboard meanwhile. Its sales wait for nothing.
const comingAboard = 2 * time.Second

// allNexusChangedFor notes that something changed on which all nexus of an
// organization depends, in the database transaction of the change.
func allNexusChangedFor(tx *gorm.DB, organizationID string) error {
	return tx.Exec(touchNexus, organizationID, "", "", 0).Error
}

// aboutChanged is the same for what an organization says of itself.
func aboutChanged(tx *gorm.DB, organizationID string) error {
	return tx.Exec(touchNexus, organizationID, "", "", comingAboard.Seconds()).Error
}

// nexusChanged is the same for one jurisdiction.
func nexusChanged(tx *gorm.DB, organizationID, country, state string) error {
	if state == country {
		state = "" // as the counters name whole countries
	}
	return tx.Exec(touchNexus, organizationID, country, state, 0).Error
}

// allNexusChanged notes that the rules may have changed for everybody.
func (s *Store) allNexusChanged(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
		SELECT id, '', '', 1, true FROM organizations WHERE status = 'ACTIVE' ORDER BY id
		ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true, due_at = now()`)
	return translate(err)
}
