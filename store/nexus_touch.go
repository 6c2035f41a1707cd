package store

import (
	"context"

	"gorm.io/gorm"
)

const touchNexus = `
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending) VALUES (?, ?, ?, 1, true)
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true, due_at = now()`

// allNexusChangedFor notes that something changed on which all nexus of an
// organization depends, in the database transaction of the change.
func allNexusChangedFor(tx *gorm.DB, organizationID string) error {
	return tx.Exec(touchNexus, organizationID, "", "").Error
}

// nexusChanged is the same for one jurisdiction.
func nexusChanged(tx *gorm.DB, organizationID, country, state string) error {
	if state == country {
		state = "" // as the counters name whole countries
	}
	return tx.Exec(touchNexus, organizationID, country, state).Error
}

// allNexusChanged notes that the rules may have changed for everybody.
func (s *Store) allNexusChanged(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
		SELECT id, '', '', 1, true FROM organizations WHERE status = 'ACTIVE' ORDER BY id
		ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true, due_at = now()`)
	return translate(err)
}
