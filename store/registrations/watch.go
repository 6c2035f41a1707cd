package registrations

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"levy/models"
	"levy/rules"
	"levy/store/catalog"
	"levy/store/pg"
)

// CheckPause is the pause between two checks of an unchanged registration by the sweeper; registrationRetry is that of
// a changed one.
const (
	CheckPause        = time.Hour
	registrationRetry = 20 * time.Second
)

// LeaseRegistrations takes up to limit due registrations and postpones their next check: the commit is the lease.
// It is one of the few queries across organizations.
func (s *Store) LeaseRegistrations(ctx context.Context, limit int) ([]models.Registration, error) {
	if due, err := s.db.Exists(ctx, "registrations WHERE next_check_at <= now()"); err != nil || !due {
		return nil, err
	}
	rows, err := s.db.Query(ctx, `
		WITH due AS (
		  SELECT organization_id, id FROM registrations
		   WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE registrations r SET next_check_at = now() + CASE WHEN r.changed THEN $2::interval ELSE $3::interval END
		  FROM due WHERE r.organization_id = due.organization_id AND r.id = due.id
		RETURNING r.organization_id, r.id, r.country_code, r.state_code, r.status,
		       r.changed`, limit, registrationRetry, CheckPause)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (models.Registration, error) {
		var r models.Registration
		err := row.Scan(&r.OrganizationID, &r.ID, &r.CountryCode, &r.StateCode, &r.Status, &r.Changed)
		return r, err
	})
}

// RefreshRegistration returns the next step of a registration and records that its workflow has seen the current state.
// An activity that is executed again finds the same change, because its first result may be lost. If nothing is left to
// do, the registration needs no workflow. Errors: models.ErrNotFound.
func (s *Store) RefreshRegistration(
	ctx context.Context, scope models.Scope, read models.RegistrationRead, run rules.RegistrationRun, now time.Time,
) (rules.RegistrationSnapshot, error) {
	var snapshot rules.RegistrationSnapshot
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		r, err := lockRegistration(tx, scope, read.RegistrationID)
		if err != nil {
			return err
		}
		facts, err := registrationFacts(tx, scope, r.ID)
		if err != nil {
			return err
		}
		// guard: registration: a change is found again when the result was lost
		r.Changed = r.Changed || r.ChangeReadBy != nil && *r.ChangeReadBy == read.Reader
		snapshot = rules.NextRegistrationAction(r, facts, run, now)
		seen := map[string]any{"changed": false, "next_check_at": gorm.Expr("now() + ?::interval", CheckPause)}
		if snapshot.Action == rules.RegistrationEnds {
			seen["next_check_at"] = nil
		}
		if r.Changed {
			seen["change_read_by"] = read.Reader
		}
		return pg.Record(tx, scope, r.ID).Model(&models.Registration{}).UpdateColumns(seen).Error
	})
	return snapshot, err
}

// lockRegistration reads and locks a registration. The weaker lock does not block new filings that refer to it.
func lockRegistration(tx *gorm.DB, scope models.Scope, id string) (models.Registration, error) {
	var r models.Registration
	err := pg.LockedRecord(tx, scope, id).Take(&r).Error
	if err == nil {
		err = completeRegistrations(tx, scope, []*models.Registration{&r})
	}
	return r, err
}

func registrationFacts(tx *gorm.DB, scope models.Scope, id string) (models.RegistrationFacts, error) {
	var facts models.RegistrationFacts
	names := catalog.DefaultProductNames()
	err := tx.Raw(`
		SELECT o.onboarding_status = 'COMPLETED' AS onboarded, `+catalog.MissingProducts+` AS missing_products,
		       (SELECT count(*) FROM filings f WHERE f.organization_id = o.id AND f.registration_id = ?
		         AND f.status NOT IN ('FILED', 'SKIPPED', 'CANCELLED')) AS open_filings
		  FROM organizations o WHERE o.id = ?`, names, len(names), id, scope.OrganizationID).Take(&facts).Error
	return facts, err
}
