package registrations

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/rules"
	"levy/store/nexus"
	"levy/store/pg"
	"levy/tax"
	"levy/tax/calendar"
)

// exposedNexus selects the jurisdictions where an organization with auto_register is exposed and that have no
// registration. It omits those where the service registered before, because a person has decided since.
// It locks the organization, so that no registration is created after its onboarding was undone.
var exposedNexus = `
	SELECT n.country_code, n.state_code, n.state_name, n.registration_regime,
	       n.economic_nexus_met, n.crossing IS NOT NULL AS crossed, n.physical_nexus_met, n.disregarded_at,
	       n.disregarded_until, n.disregarded_nexus_types, (now() AT TIME ZONE 'UTC')::date AS today,
	       o.onboarding_status = 'COMPLETED' AS onboarded,
	       coalesce(s.enable_eu_registration, false) AS union_enabled, coalesce(d.place ->> 'country', '') AS home
	  FROM organizations o
	  JOIN organization_details d ON d.organization_id = o.id AND d.auto_register
	  JOIN organization_settings s ON s.organization_id = o.id
	  JOIN nexus_records n ON n.organization_id = o.id AND n.enabled AND n.status = 'EXPOSED'
	 WHERE o.id = ? AND o.status = 'ACTIVE' AND o.onboarding_status NOT IN ('CANCELLED', 'EXPIRED', 'FAILED')
	   AND NOT EXISTS (SELECT FROM registrations r WHERE r.organization_id = o.id AND r.country_code = n.country_code
	   AND r.state_code = n.state_code
	                      AND (r.auto_registered OR r.status NOT IN ('DEREGISTERED', 'CANCELLED')))
	 ORDER BY ` + nexus.RecordOrder("n") + `
	   FOR SHARE OF o`

// AutoRegister creates the missing registrations of an organization with auto_register: PROCESSING,
// or UNREGISTERED until it is onboarded. frequency returns that of an authority. It may be repeated, also concurrently.
// It returns how many it created.
func (s *Store) AutoRegister(
	ctx context.Context, scope models.Scope, now time.Time,
	frequency func(country, state string) calendar.FilingFrequency,
) (created int, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		created = 0
		var exposed []struct {
			rules.NexusProof `gorm:"embedded"`

			StateCode, StateName, RegistrationRegime, Home string
			Onboarded                                      bool
			Today                                          time.Time
		}
		if err := tx.Raw(exposedNexus, scope.OrganizationID).Scan(&exposed).Error; err != nil {
			return err
		}
		for _, p := range exposed {
			if !p.Registers(p.Today) {
				continue
			}
			r := models.NewAutoRegistration(models.ProvenNexus{
				At:        tax.NamedAuthority{Country: p.CountryCode, State: p.StateCode, Name: p.StateName},
				Frequency: frequency(p.CountryCode, p.StateCode), Regime: p.RegistrationRegime,
				Home: p.Home, Onboarded: p.Onboarded,
			}, now)
			r.OrganizationID = scope.OrganizationID
			err := createRegistration(tx, scope, models.Actor{}, &r)
			if duplicate := (*models.DuplicateError)(nil); errors.As(err, &duplicate) {
				continue // another call was faster
			}
			if err != nil {
				return err
			}
			created++
		}
		return nil
	})
	return created, err
}

// ResumeAfterOnboarding notifies the registrations that wait for the onboarding that it is COMPLETED.
// It also marks the nexus as changed, which may lead to other registrations.
func ResumeAfterOnboarding(tx *gorm.DB, scope models.Scope) error {
	err := tx.Exec(`UPDATE registrations
		SET changed = true, next_check_at = now()
		WHERE organization_id = ? AND status = 'UNREGISTERED'`,
		scope.OrganizationID).Error
	if err != nil {
		return err
	}
	return nexus.MarkAllChanged(tx, scope.OrganizationID)
}

// CancelAll cancels registrations that are not confirmed; with auto only those that the service began. It deletes the
// passwords of portals, which are personal data.
func CancelAll(tx *gorm.DB, scope models.Scope, auto bool) error {
	var cancelled []models.Registration
	err := tx.Raw(`
		WITH pending AS (
		  SELECT organization_id, id FROM registrations
		   WHERE organization_id = ? AND status IN ('UNREGISTERED', 'PROCESSING', 'VALIDATING', 'AWAITING_CLARIFICATION')
		     AND (auto_registered OR NOT ?)
		   ORDER BY id FOR NO KEY UPDATE),
		cancelled AS (
		  UPDATE registrations r SET status = 'CANCELLED', changed = true, next_check_at = now(), updated_at = now()
		    FROM pending p WHERE r.organization_id = p.organization_id AND r.id = p.id
		  RETURNING r.organization_id, r.id, r.country_code, r.state_code, r.status, r.registration_import_type)
		SELECT * FROM cancelled c ORDER BY `+nexus.RecordOrder("c"),
		scope.OrganizationID, auto).Scan(&cancelled).Error
	if err != nil {
		return err
	}
	// In the order in which others lock the changes of nexus, so that no two transactions wait for each other.
	for _, r := range cancelled {
		if err := applyStatus(tx, r); err != nil {
			return err
		}
		if err := pg.Audit(tx, models.Actor{}.Entry(scope, models.AuditUndo, "registration", r.ID)); err != nil {
			return err
		}
	}
	// guard: grants: an organization that is archived grants nothing any more
	if err := tx.Exec("DELETE FROM authority_grants WHERE organization_id = ?", scope.OrganizationID).Error; err != nil {
		return err
	}
	if err := tx.Exec("DELETE FROM authority_consents WHERE organization_id = ?", scope.OrganizationID).Error; err != nil {
		return err
	}
	return tx.Exec("UPDATE registrations SET password = NULL, password_metadata = NULL WHERE organization_id = ?",
		scope.OrganizationID).Error
}
