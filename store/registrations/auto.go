package registrations

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/nexus"
	"levy/store/pg"
	"levy/tax"
	"levy/tax/calendar"
	taxnexus "levy/tax/nexus"
)

// provenNexus are the jurisdictions of an organization with auto_register where nexus
// is proven, by the sale that crossed the threshold or by a presence, in a way that is
// not disregarded. Where the service registered before, somebody has decided since:
// it does not do so again. The organization is held, so that none is made after its
// onboarding was undone.
var provenNexus = `
	SELECT n.country_code, n.state_code, n.state_name, n.registration_regime,
	       o.onboarding_status = 'COMPLETED' AS onboarded,
	       coalesce(s.enable_eu_registration, false) AS union_enabled, coalesce(d.place ->> 'country', '') AS home
	  FROM organizations o
	  JOIN organization_details d ON d.organization_id = o.id AND d.auto_register
	  JOIN organization_settings s ON s.organization_id = o.id
	  JOIN nexus_records n ON n.organization_id = o.id AND n.enabled AND n.status = 'EXPOSED'
	 WHERE o.id = ? AND o.status = 'ACTIVE' AND o.onboarding_status NOT IN ('CANCELLED', 'EXPIRED', 'FAILED')
	   AND (n.economic_nexus_met AND n.crossing IS NOT NULL AND NOT (` + disregarded +
	` AND n.disregarded_nexus_types @> '"ECONOMIC"')
	        OR n.physical_nexus_met AND NOT (` + disregarded + ` AND n.disregarded_nexus_types @> '"PHYSICAL"'))
	   AND NOT EXISTS (SELECT FROM registrations r WHERE r.organization_id = o.id AND r.country_code = n.country_code
	   AND r.state_code = n.state_code
	                      AND (r.auto_registered OR r.status NOT IN ('DEREGISTERED', 'CANCELLED')))
	 ORDER BY ` + nexus.RecordOrder("n") + `
	   FOR SHARE OF o`

// disregarded is the condition whether anything of a nexus record n is disregarded today.
const disregarded = `(n.disregarded_at IS NOT NULL
	  AND (n.disregarded_until IS NULL OR n.disregarded_until > (now() AT TIME ZONE 'UTC')::date))`

// AutoRegister makes the registrations that an organization with auto_register lacks:
// PROCESSING, or UNREGISTERED until it is onboarded. frequency is that of an authority.
// It may be repeated at will, also at once; it returns how many it made.
func (s *Store) AutoRegister(
	ctx context.Context, scope models.Scope, now time.Time,
	frequency func(country, state string) calendar.FilingFrequency,
) (made int, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		made = 0
		var proven []struct {
			CountryCode, StateCode, StateName, RegistrationRegime, Home string
			Onboarded, UnionEnabled                                     bool
		}
		if err := tx.Raw(provenNexus, scope.OrganizationID).Scan(&proven).Error; err != nil {
			return err
		}
		for _, p := range proven {
			inUnion := p.CountryCode == taxnexus.EuropeanUnion || taxnexus.UnionMember(p.CountryCode, calendar.DateOf(now))
			if inUnion && !p.UnionEnabled {
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
				continue // somebody was faster
			}
			if err != nil {
				return err
			}
			made++
		}
		return nil
	})
	return made, err
}

// Continue notifies the registrations that waited for the onboarding that it
// is COMPLETED, and has nexus evaluated again: it may lead to others.
func Continue(tx *gorm.DB, scope models.Scope) error {
	err := tx.Exec(`UPDATE registrations
		SET changed = true, next_check_at = now()
		WHERE organization_id = ? AND status = 'UNREGISTERED'`,
		scope.OrganizationID).Error
	if err != nil {
		return err
	}
	return nexus.AllChanged(tx, scope.OrganizationID)
}

// CancelAll cancels what has not been confirmed: with auto only what the
// service began by itself. Passwords of portals are personal data and go with it.
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
	// In the order in which others lock the changes of nexus, so that no two wait for each other.
	for _, r := range cancelled {
		if err := followRegistration(tx, r); err != nil {
			return err
		}
		if err := pg.Audit(tx, models.Actor{}.Entry(scope, models.AuditUndo, "registration", r.ID)); err != nil {
			return err
		}
	}
	return tx.Exec("UPDATE registrations SET password = NULL, password_metadata = NULL WHERE organization_id = ?",
		scope.OrganizationID).Error
}
