package organizations

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/internal/secret"
	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

// activeKey is the condition on keys that are neither revoked nor expired.
const activeKey = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"

// CreateAPIKey writes the record of a new key. Errors: *models.LimitError if the organization has
// models.MaxActiveAPIKeys active keys, models.ErrNotFound if it is not active. Further errors: models.ErrForbidden for an
// end after that of the requesting key, models.ErrChangedMeanwhile for a key of the other kind.
func (s *Store) CreateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, k *models.APIKey) error {
	k.OrganizationID, k.Granted = scope.OrganizationID, actor.Granted
	return s.db.InTx(ctx, func(ctx context.Context) error { return addAPIKey(s.db.GORM(ctx), actor, k) })
}

// addAPIKey creates a key of an active organization that has not reached its limit.
func addAPIKey(tx *gorm.DB, actor models.Actor, k *models.APIKey) error {
	scope := models.Scope{OrganizationID: k.OrganizationID}
	owner, err := lockOwner(tx, scope)
	if err != nil {
		return err
	}
	if err := checkKeyKind(owner, k); err != nil {
		return err
	}
	if err := checkKeyEnd(tx, actor, k); err != nil {
		return err
	}
	if err := checkKeyLimit(tx, scope); err != nil {
		return err
	}
	return createAPIKey(tx, actor, k)
}

// checkKeyEnd refuses a key that ends after the requesting key. Otherwise a thief of an expiring key could keep the other
// one. Errors: *models.GiverError.
func checkKeyEnd(tx *gorm.DB, actor models.Actor, k *models.APIKey) error {
	end, err := makers.EndOf(tx, actor, k.OrganizationID)
	if err != nil {
		return err
	}
	// guard: keys: one that ends makes none that ends later
	if later(k.ExpiresAt, end) {
		return models.ErrOutlivesKey
	}
	return nil
}

// lockKeys makes changes of the number of active keys of one organization wait for each other. Otherwise two calls
// could both count 19 keys. The weaker lock does not block other inserts of the organization. Errors:
// models.ErrNotFound.
func lockKeys(tx *gorm.DB, scope models.Scope) error {
	_, err := lockOwner(tx, scope)
	return err
}

// lockOwner is lockKeys, and returns whether the organization is a test one.
func lockOwner(tx *gorm.DB, scope models.Scope) (owner models.Organization, err error) {
	// guard: keys: creations of one organization wait for each other
	err = tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id", "is_test").
		Where("id = ? AND status = ?", scope.OrganizationID, models.OrganizationActive).
		Take(&owner).Error
	return owner, err
}

// checkKeyKind refuses a key for tests of a live organization, and the other way round. The organization may have been
// made live since the key was made. Errors: models.ErrChangedMeanwhile.
func checkKeyKind(owner models.Organization, k *models.APIKey) error {
	if secret.IsOfKind(k.Prefix, secret.KindLive) && owner.IsTest || secret.IsOfKind(k.Prefix, secret.KindTest) && !owner.IsTest {
		return models.ErrChangedMeanwhile
	}
	return nil
}

// checkKeyLimit returns an error if the organization has the most active keys. Errors: *models.LimitError.
func checkKeyLimit(tx *gorm.DB, scope models.Scope) error {
	var active int64
	err := tx.Model(&models.APIKey{}).Where("organization_id = ? AND "+activeKey, scope.OrganizationID,
		tx.NowFunc()).Count(&active).Error
	if err != nil {
		return err
	}
	if active >= models.MaxActiveAPIKeys {
		return &models.LimitError{What: "active API keys", Limit: models.MaxActiveAPIKeys}
	}
	return nil
}

func createAPIKey(tx *gorm.DB, actor models.Actor, k *models.APIKey) error {
	if k.Metadata == nil {
		k.Metadata = json.RawMessage("{}")
	}
	if len(k.Scopes) == 0 {
		k.Scopes = models.AllAPIKeyScopes()
	}
	_, db := pg.DBOf(tx)
	k.MasterKeyID = db.MasterKeyID()
	if err := tx.Create(k).Error; err != nil {
		return err
	}
	made := models.Maker{OrganizationID: k.OrganizationID, Kind: models.MadeAPIKey, ID: k.ID, Own: k.Own}
	var err error
	if k.Maker, err = makers.Record(tx, actor, made); err != nil {
		return err
	}
	return pg.Audit(tx, actor.Entry(models.Scope{OrganizationID: k.OrganizationID}, models.AuditCreate, "api_key", k.ID))
}

// APIKey returns the record of a key. Errors: models.ErrNotFound.
func (s *Store) APIKey(ctx context.Context, scope models.Scope, id string) (models.APIKey, error) {
	var k models.APIKey
	err := pg.Record(s.db.GORM(pg.ByKey(ctx)), scope, id).Take(&k).Error
	if err == nil {
		k.Maker, err = makers.OfOne(s.db.OpenTables().GORM(ctx), scope.OrganizationID, models.MadeAPIKey, id)
	}
	return k, pg.Translate(err)
}

var apiKeyOrder = pg.Sortable{
	"created_at": false, "expires_at": true, "name": true, "last_used_at": true, "revoked_at": true,
}

// ListAPIKeys returns a page of the records of keys, or only of active ones. order may contain the columns
// of apiKeyOrder.
func (s *Store) ListAPIKeys(
	ctx context.Context, scope models.Scope, activeOnly bool, order []models.Order, page models.Page,
) (models.List[models.APIKey], error) {
	q := s.db.GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	if activeOnly {
		q = q.Where(activeKey, s.db.Now())
	}
	list, err := pg.ReadPage[models.APIKey](q, apiKeyOrder, order, page)
	if err != nil {
		return list, err
	}
	ids := make([]string, len(list.Items))
	for i := range list.Items {
		ids[i] = list.Items[i].ID
	}
	by, err := makers.Of(s.db.OpenTables().GORM(ctx), scope.OrganizationID, models.MadeAPIKey, ids...)
	for i := range list.Items {
		if m, known := by[list.Items[i].ID]; known {
			list.Items[i].Maker = &m
		}
	}
	return list, pg.Translate(err)
}

// lockAPIKey locks and reads the record of a key.
func lockAPIKey(tx *gorm.DB, scope models.Scope, id string) (models.APIKey, error) {
	var k models.APIKey
	err := pg.LockedRecord(tx, scope, id).Take(&k).Error
	return k, err
}

// later reports whether a is a later end of a key than b; nil means no end.
func later(a, b *time.Time) bool { return b != nil && (a == nil || a.After(*b)) }

// UpdateAPIKey reads the record of a key, calls change and writes its name, metadata and end, in one database
// transaction, with its networks. Errors: models.ErrNotFound; *models.TransitionError for an end that would activate an expired key;
// models.ErrForbidden if a key sets an end after its own.
func (s *Store) UpdateAPIKey(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.APIKey) error,
) (models.APIKey, error) {
	var k models.APIKey
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// With a later end the key stays among the active keys.
		err := lockKeys(tx, scope)
		if err != nil {
			return err
		}
		if k, err = lockAPIKey(tx, scope, id); err != nil {
			return err
		}
		now := tx.NowFunc()
		before, was := k, k.Status(now)
		if err := change(&k); err != nil {
			return err
		}
		if err := models.APIKeyTransitions.Check(string(was), string(k.Status(now))); err != nil {
			return err
		}
		if later(k.ExpiresAt, before.ExpiresAt) {
			if err := checkKeyEnd(tx, actor, &k); err != nil {
				return err
			}
		}
		err = pg.Record(tx, scope, id).Model(&models.APIKey{}).
			Select("name", "metadata", "expires_at", "allowed_addresses").UpdateColumns(&k).Error
		if err != nil {
			return err
		}
		if err := makers.EndWithKey(tx, id, k.ExpiresAt); err != nil {
			return err
		}
		if k.Maker, err = makers.OfOne(tx, scope.OrganizationID, models.MadeAPIKey, id); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "api_key", id).With(pg.Changed(&before, &k)))
	})
	return k, err
}

// RotateAPIKey writes the record of a key that replaces another, with its name, metadata, scopes, networks and end.
// The old key ends after the overlap, or earlier at its own end. Errors: models.ErrNotFound, *models.LimitError,
// *models.TransitionError for a key that is not active, models.ErrForbidden for an end after that of the requesting key.
// Further errors: models.ErrChangedMeanwhile for a new key of the other kind.
func (s *Store) RotateAPIKey(
	ctx context.Context, scope models.Scope, actor models.Actor, rotation models.APIKeyRotation,
) error {
	id, k := rotation.OldID, rotation.New
	k.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		owner, err := lockOwner(tx, scope)
		if err != nil {
			return err
		}
		if err := checkKeyKind(owner, k); err != nil {
			return err
		}
		old, err := lockAPIKey(tx, scope, id)
		if err != nil {
			return err
		}
		now := tx.NowFunc()
		if status := old.Status(now); status != models.APIKeyActive {
			return &models.TransitionError{From: string(status), To: string(models.APIKeyActive), Allowed: []string{}}
		}
		k.Name, k.Metadata, k.ExpiresAt, k.Scopes = old.Name, old.Metadata, old.ExpiresAt, old.Scopes
		k.AllowedAddresses = old.AllowedAddresses
		// guard: grants: what replaces a key under a grant is one
		k.Granted = old.Granted
		if err := checkKeyEnd(tx, actor, k); err != nil {
			return err
		}
		ends := now.Add(rotation.Overlap)
		if old.ExpiresAt == nil || ends.Before(*old.ExpiresAt) {
			old.ExpiresAt = &ends
		}
		err = pg.Record(tx, scope, id).Model(&models.APIKey{}).
			Updates(map[string]any{"expires_at": old.ExpiresAt, "rotated_to": k.ID}).Error
		if err != nil {
			return err
		}
		if err := makers.EndWithKey(tx, id, old.ExpiresAt); err != nil {
			return err
		}
		if err := checkKeyLimit(tx, scope); err != nil {
			return err
		}
		if err := pg.Audit(tx, actor.Entry(scope, models.AuditRotate, "api_key", id)); err != nil {
			return err
		}
		return createAPIKey(tx, actor, k)
	})
}

// RevokeAPIKey revokes a key permanently. It ends or names what the key has made. A repetition changes nothing. Errors:
// models.ErrNotFound.
func (s *Store) RevokeAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, id string) error {
	_, err := s.EndAPIKey(ctx, scope, actor, id, false)
	return err
}

// EndAPIKey revokes a key and returns what became of the things that it made. A leaked key ends all of them, and the keys
// by which it was replaced. It crosses organizations, because the key of a partner makes things of its clients. Errors:
// models.ErrNotFound.
func (s *Store) EndAPIKey(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, leaked bool,
) (after models.Aftermath, err error) {
	err = s.db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		revoked := tx.Model(&models.APIKey{}).
			Where("organization_id = ? AND id = ? AND revoked_at IS NULL", scope.OrganizationID, id).
			Update("revoked_at", tx.NowFunc())
		if revoked.Error != nil {
			return revoked.Error
		}
		if revoked.RowsAffected == 0 {
			err := pg.Record(tx, scope, id).Select("id").Take(&models.APIKey{}).Error
			if err != nil || !leaked { // it was revoked before, with what it made
				return err
			}
		}
		// guard: makers: what a key made ends with it
		after, err = makers.EndKey(tx, actor, id, scope.OrganizationID, leaked)
		if err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditRevoke, "api_key", id).With(after.Detail()))
	})
	return after, err
}
