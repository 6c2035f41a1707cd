package organizations

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/idempotency"
	"levy/store/imports"
	"levy/store/nexus"
	"levy/store/pg"
	"levy/store/registrations"
)

// NameTaken reports whether an active client of root has the name, by the comparison of names.
func (s *Store) NameTaken(ctx context.Context, root models.Scope, name string) (bool, error) {
	var n int64
	err := s.db.OpenTables().GORM(ctx).Model(&models.Organization{}).
		Where("parent_organization_id = ? AND name_key = ? AND status = ?",
			root.OrganizationID, nameKey(name), models.OrganizationActive).
		Count(&n).Error
	return n > 0, pg.Translate(err)
}

// UpdateOrganization reads an organization, calls change and writes the fields that a parent may change,
// in one database transaction. Errors: models.ErrNotFound, models.ErrArchived, *models.DuplicateError (name),
// and those of change.
func (s *Store) UpdateOrganization(
	ctx context.Context, scope models.Scope, actor models.Actor, change func(*models.Organization) error,
) (models.Organization, error) {
	var o models.Organization
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		var err error
		if o, err = lockOrganization(tx, scope); err != nil {
			return err
		}
		if o.Status == models.OrganizationArchived {
			return models.ErrArchived
		}
		before := o
		if err := change(&o); err != nil {
			return err
		}
		if o.Name != nil {
			key := nameKey(*o.Name)
			o.NameKey = &key
		}
		o.UpdatedAt = tx.NowFunc()
		err = tx.Model(&models.Organization{}).Where("id = ?", scope.OrganizationID).
			Select("name", "name_key", "external_id", "promo", "email_group", "disable_emails", "updated_at").
			UpdateColumns(&o).Error
		if err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "organization", o.ID).With(pg.Changed(&before, &o)))
	})
	if pg.Violates(err, "organizations_name") {
		err = pg.Translate(duplicateName(s.db.GORM(ctx), &o))
	}
	return o, err
}

// lockOrganization locks and reads an organization with its settings. The weaker lock does not block inserts of its
// records.
func lockOrganization(tx *gorm.DB, scope models.Scope) (models.Organization, error) {
	var o models.Organization
	err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Preload("Settings").Preload("Grant").
		Where("id = ?", scope.OrganizationID).Take(&o).Error
	return o, err
}

// ArchiveOrganization archives an organization permanently. It keeps its records, erases its personal data,
// revokes its keys and frees its name. A repetition changes nothing. Errors: models.ErrNotFound.
func (s *Store) ArchiveOrganization(ctx context.Context, scope models.Scope, actor models.Actor, reason string) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		o, err := lockOrganization(tx, scope)
		if err != nil || o.Status == models.OrganizationArchived {
			return err
		}
		now := tx.NowFunc()
		err = tx.Model(&models.Organization{}).Where("id = ?", scope.OrganizationID).Updates(map[string]any{
			"status": models.OrganizationArchived, "archived_at": now, "archival_reason": reason, "updated_at": now,
		}).Error
		if err != nil {
			return err
		}
		err = tx.Model(&models.APIKey{}).Where("organization_id = ? AND revoked_at IS NULL", scope.OrganizationID).
			Update("revoked_at", now).Error
		if err != nil {
			return err
		}
		if err := registrations.CancelAll(tx, scope, false); err != nil {
			return err
		}
		if err := imports.EndAll(tx, scope); err != nil {
			return err
		}
		if err := eraseAll(tx, scope); err != nil {
			return err
		}
		if err := voidLinkMails(tx, scope); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditArchive, "organization", scope.OrganizationID))
	})
}

// EraseOrganization archives an organization whose erasure was requested. It also erases data that an organization kept
// that was archived before. Errors: models.ErrNotFound, ErrClients.
func (s *Store) EraseOrganization(ctx context.Context, scope models.Scope, staff models.Actor) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		var clients int64
		err := tx.Model(&models.Organization{}).
			Where("parent_organization_id = ? AND status = ?", scope.OrganizationID,
				models.OrganizationActive).Count(&clients).Error
		if err != nil {
			return err
		}
		if clients > 0 {
			return fmt.Errorf("%w: %d", ErrClients, clients)
		}
		if err := s.ArchiveOrganization(ctx, scope, staff, "Erased on request."); err != nil {
			return err
		}
		if err := eraseAll(tx, scope); err != nil {
			return err
		}
		if err := eraseAnswers(tx, scope); err != nil {
			return err
		}
		return pg.Audit(tx, staff.Entry(scope, models.AuditErase, "organization", scope.OrganizationID))
	})
}

// eraseAnswers erases answers stored for idempotency keys: all of the organization, and those of its partner that name
// it.
func eraseAnswers(tx *gorm.DB, scope models.Scope) error {
	var partner []string
	err := tx.Model(&models.Organization{}).Where("id = ? AND parent_organization_id IS NOT NULL", scope.OrganizationID).
		Pluck("parent_organization_id", &partner).Error
	if err != nil {
		return err
	}
	for _, organizationID := range append(partner, scope.OrganizationID) {
		if err := idempotency.Erase(tx, organizationID, scope.OrganizationID); err != nil {
			return err
		}
	}
	return nil
}

// ErrClients means that an organization still has clients.
var ErrClients = errors.New("it is a partner, whose clients have to be erased first")

// ChangeSettings calls change with the settings of an organization and writes them, in one database transaction.
// Errors: models.ErrNotFound, those of rules.EndsSecondPerson.
func (s *Store) ChangeSettings(
	ctx context.Context, scope models.Scope, actor models.Actor, change func(*models.OrganizationSettings),
) (models.Organization, error) {
	return s.Configure(ctx, scope, actor, func(o *models.Organization) { change(&o.Settings) })
}

// Configure calls change to alter the billing plan and the settings, which only the operator may change. Errors:
// models.ErrNotFound, those of rules.EndsSecondPerson.
func (s *Store) Configure(
	ctx context.Context, scope models.Scope, actor models.Actor, change func(*models.Organization),
) (models.Organization, error) {
	var o models.Organization
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		var err error
		if o, err = lockOrganization(tx, scope); err != nil {
			return err
		}
		before := o
		change(&o)
		now := tx.NowFunc()
		o.UpdatedAt, o.Settings.UpdatedAt = now, now
		if before.Settings.RequireSecondPerson && !o.Settings.RequireSecondPerson {
			if err := s.endSecondPerson(ctx, actor, &before.Settings, &o.Settings); err != nil {
				return err
			}
		}
		err = tx.Model(&models.OrganizationSettings{}).Where("organization_id = ?", scope.OrganizationID).
			Select("*").Omit("organization_id").UpdateColumns(&o.Settings).Error
		if err != nil {
			return err
		}
		err = tx.Model(&models.Organization{}).Where("id = ?", scope.OrganizationID).
			Select("billing_plan", "updated_at").UpdateColumns(&o).Error
		if err != nil {
			return err
		}
		if err := applySettings(tx, &before.Settings, &o.Settings); err != nil {
			return err
		}
		changed := pg.Changed(&before.Settings, &o.Settings)
		if o.BillingPlan != before.BillingPlan {
			changed["billing_plan"] = map[string]any{"from": before.BillingPlan, "to": o.BillingPlan}
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "organization_settings", scope.OrganizationID).
			With(changed))
	})
	return o, err
}

// applySettings applies changed settings to the nexus of an organization.
func applySettings(tx *gorm.DB, before, after *models.OrganizationSettings) error {
	if err := nexus.EnableRecords(tx, after); err != nil {
		return err
	}
	was := before.EnableEURegistration
	if on := after.EnableEURegistration; on != nil && *on && (was == nil || !*was) {
		return nexus.MarkAllChanged(tx, after.OrganizationID) // it may lead to registrations
	}
	return nil
}

// SetStorageQuota gives an organization a storage quota of its own in bytes, or for nil that of the installation. Its
// files stay, also those beyond the quota. Errors: models.ErrNotFound.
func (s *Store) SetStorageQuota(ctx context.Context, scope models.Scope, staff models.Actor, most *int64) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Select("id").Where("id = ?", scope.OrganizationID).Take(&models.Organization{}).Error
		if err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, `
			INSERT INTO organization_storage (organization_id, most) VALUES ($1, $2)
			ON CONFLICT (organization_id) DO UPDATE SET most = excluded.most`, scope.OrganizationID, most)
		if err != nil {
			return err
		}
		return pg.Audit(tx, staff.Entry(scope, models.AuditUpdate, "storage_quota", scope.OrganizationID).
			With(map[string]any{"bytes": most}))
	})
}

// SetRateLimit gives an organization a limit of its own, or for nil that of the installation. All processes use the new
// limit within seconds. Errors: models.ErrNotFound.
func (s *Store) SetRateLimit(
	ctx context.Context, scope models.Scope, staff models.Actor, limit *models.RateLimit,
) error {
	sql, args := "DELETE FROM rate_limits WHERE organization_id = $1", []any{scope.OrganizationID}
	changes := map[string]any{"default": true}
	if limit != nil {
		sql = `
			INSERT INTO rate_limits (organization_id, per_minute, burst) VALUES ($1, $2, $3)
			ON CONFLICT (organization_id) DO UPDATE SET per_minute = excluded.per_minute, burst = excluded.burst`
		args = append(args, limit.PerMinute, limit.Burst)
		changes = map[string]any{"per_minute": limit.PerMinute, "burst": limit.Burst}
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		err := s.db.GORM(ctx).Select("id").Where("id = ?", scope.OrganizationID).Take(&models.Organization{}).Error
		if err != nil {
			return err
		}
		if _, err := s.db.Exec(ctx, sql, args...); err != nil {
			return err
		}
		return pg.Audit(s.db.GORM(ctx), staff.Entry(scope, models.AuditUpdate, "rate_limit", scope.OrganizationID).
			With(changes))
	})
}
