package nexus

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// StartObligation lets the record of a jurisdiction have an obligation from a day on, in the database transaction of
// its registration. The next evaluation finds the transactions of the changed days, as after any other change.
func StartObligation(tx *gorm.DB, organizationID, country, state string, first calendar.Date) error {
	var o models.Obligation
	var gaps []byte
	err := tx.Raw(`
		SELECT obliged_from, obliged_until, obliged_gaps FROM nexus_records
		 WHERE organization_id = ? AND country_code = ? AND state_code = ? FOR NO KEY UPDATE`,
		organizationID, country, state).Row().Scan(&o.From, &o.Until, &gaps)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(gaps, &o.Gaps); err != nil {
		return fmt.Errorf("gaps of an obligation: %w", err)
	}
	o = rules.WithRegistration(o, first)
	return tx.Exec(`
		UPDATE nexus_records SET obliged_from = ?, obliged_until = ?, obliged_gaps = ?::jsonb
		 WHERE organization_id = ? AND country_code = ? AND state_code = ?`,
		o.From, o.Until, *GapsText(o.Gaps), organizationID, country, state).Error
}
