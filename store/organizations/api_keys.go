package organizations

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/content"
	"levy/store/pg"
)

// activeKey is the condition for keys that are neither revoked nor expired.
const activeKey = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"

// CreateAPIKey writes the record of a new key. Errors: *models.LimitError when
// the organization has models.MaxActiveAPIKeys active keys, models.ErrNotFound
// when the organization is not active.
func (s *Store) CreateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, k *models.APIKey) error {
	k.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error { return addAPIKey(s.db.GORM(ctx), actor, k) })
}

// addAPIKey creates a key of an active organization that has not reached its limit.
func addAPIKey(tx *gorm.DB, actor models.Actor, k *models.APIKey) error {
	scope := models.Scope{OrganizationID: k.OrganizationID}
	if err := lockKeys(tx, scope); err != nil {
		return err
	}
	if err := endsWithItsMaker(tx, actor, k); err != nil {
		return err
	}
	if err := roomForKey(tx, scope); err != nil {
		return err
	}
	return createAPIKey(tx, actor, k)
}

// endsWithItsMaker refuses an end of a key that comes after that of the key which asks for it, where
// both are of one organization: who stole a key that ends would keep the other. Errors: models.ErrForbidden.
func endsWithItsMaker(tx *gorm.DB, actor models.Actor, k *models.APIKey) error {
	if actor.APIKeyID == "" {
		return nil
	}
	var makers []models.APIKey
	err := tx.Select("expires_at").Where("organization_id = ? AND id = ?", k.OrganizationID, actor.APIKeyID).Find(&makers).Error
	if err != nil {
		return err
	}
	for _, maker := range makers { // none of a partner that makes the key of a client
		// guard: keys: one that ends makes none that ends later
		if later(k.ExpiresAt, maker.ExpiresAt) {
			return models.ErrForbidden
		}
	}
	return nil
}

// lockKeys makes changes that decide how many keys of one organization are active
// wait for each other: otherwise two could both count 19. The weaker lock leaves
// other inserts of the organization alone. Errors: models.ErrNotFound.
func lockKeys(tx *gorm.DB, scope models.Scope) error {
	// guard: keys: creations of one organization wait for each other
	return tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id").
		Where("id = ? AND status = ?", scope.OrganizationID, models.OrganizationActive).
		Take(&models.Organization{}).Error
}

// roomForKey refuses one more key than an organization may have. Errors:
// *models.LimitError.
func roomForKey(tx *gorm.DB, scope models.Scope) error {
	var active int64
	err := tx.Model(&models.APIKey{}).Where("organization_id = ? AND "+activeKey, scope.OrganizationID, tx.NowFunc()).Count(&active).Error
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
	if err := tx.Create(k).Error; err != nil {
		return err
	}
	return pg.Audit(tx, models.Scope{OrganizationID: k.OrganizationID}, actor, models.AuditCreate, "api_key", k.ID)
}

// APIKey reads the record of a key. Errors: models.ErrNotFound.
func (s *Store) APIKey(ctx context.Context, scope models.Scope, id string) (models.APIKey, error) {
	var k models.APIKey
	err := s.db.GORM(pg.ByKey(ctx)).Where("organization_id = ? AND id = ?", scope.OrganizationID, id).Take(&k).Error
	return k, pg.Translate(err)
}

var apiKeyOrder = pg.Sortable{"created_at": false, "expires_at": true, "name": true}

// ListAPIKeys lists the records of keys, or only those of active keys. order may
// be by "created_at", "expires_at" and "name".
func (s *Store) ListAPIKeys(
	ctx context.Context, scope models.Scope, activeOnly bool, order []models.Order, page models.Page,
) (models.List[models.APIKey], error) {
	q := s.db.GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	if activeOnly {
		q = q.Where(activeKey, s.db.Now())
	}
	return pg.ReadPage[models.APIKey](q, apiKeyOrder, order, page)
}

// lockAPIKey reads the record of a key for a change.
func lockAPIKey(tx *gorm.DB, scope models.Scope, id string) (models.APIKey, error) {
	var k models.APIKey
	err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).
		Where("organization_id = ? AND id = ?", scope.OrganizationID, id).Take(&k).Error
	return k, err
}

// later reports whether one end of a key comes after another; nil never comes.
func later(a, b *time.Time) bool { return b != nil && (a == nil || a.After(*b)) }

// UpdateAPIKey reads the record of a key, lets change alter it and writes its name,
// metadata and end, in one database transaction. Errors: models.ErrNotFound,
// *models.TransitionError for an end by which an expired key would work again, models.ErrForbidden
// when a key puts off an end, its own or another's, to after its own.
func (s *Store) UpdateAPIKey(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.APIKey),
) (models.APIKey, error) {
	var k models.APIKey
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// A later end keeps a place among the active keys that would become free.
		err := lockKeys(tx, scope)
		if err != nil {
			return err
		}
		if k, err = lockAPIKey(tx, scope, id); err != nil {
			return err
		}
		now := tx.NowFunc()
		before, was := k, k.Status(now)
		change(&k)
		if err := models.APIKeyTransitions.Check(string(was), string(k.Status(now))); err != nil {
			return err
		}
		if later(k.ExpiresAt, before.ExpiresAt) {
			if err := endsWithItsMaker(tx, actor, &k); err != nil {
				return err
			}
		}
		err = tx.Model(&models.APIKey{}).Where("organization_id = ? AND id = ?", scope.OrganizationID, id).
			Select("name", "metadata", "expires_at").UpdateColumns(&k).Error
		if err != nil {
			return err
		}
		return pg.AuditChange(tx, scope, actor, models.AuditUpdate, "api_key", id, pg.Changed(&before, &k))
	})
	return k, err
}

// RotateAPIKey writes the record of a key that replaces the one of that id, with
// its name, metadata, scopes and end; the old key ends after the overlap, unless it ends
// before. Errors: models.ErrNotFound, *models.TransitionError for a key that is not
// active, *models.LimitError, models.ErrForbidden for one that ends after the key which asks.
func (s *Store) RotateAPIKey(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, overlap time.Duration,
	k *models.APIKey,
) error {
	k.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if err := lockKeys(tx, scope); err != nil {
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
		if err := endsWithItsMaker(tx, actor, k); err != nil {
			return err
		}
		ends := now.Add(overlap)
		if old.ExpiresAt == nil || ends.Before(*old.ExpiresAt) {
			old.ExpiresAt = &ends
		}
		err = tx.Model(&models.APIKey{}).Where("organization_id = ? AND id = ?", scope.OrganizationID, id).
			Updates(map[string]any{"expires_at": old.ExpiresAt, "rotated_to": k.ID}).Error
		if err != nil {
			return err
		}
		if err := roomForKey(tx, scope); err != nil {
			return err
		}
		if err := pg.Audit(tx, scope, actor, models.AuditRotate, "api_key", id); err != nil {
			return err
		}
		return createAPIKey(tx, actor, k)
	})
}

// RevokeAPIKey ends a key for good. A key that is revoked already stays as it is.
// Errors: models.ErrNotFound.
func (s *Store) RevokeAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		revoked := tx.Model(&models.APIKey{}).
			Where("organization_id = ? AND id = ? AND revoked_at IS NULL", scope.OrganizationID, id).
			Update("revoked_at", tx.NowFunc())
		if revoked.Error != nil {
			return revoked.Error
		}
		if revoked.RowsAffected == 0 {
			return tx.Select("id").Where("organization_id = ? AND id = ?", scope.OrganizationID, id).Take(&models.APIKey{}).Error
		}
		return pg.Audit(tx, scope, actor, models.AuditRevoke, "api_key", id)
	})
}

// findPrincipal finds the living key behind a hash and notes its use, once a
// minute at most: the note is what makes a key confirmed.
var findPrincipal = `
WITH found AS (
  SELECT k.organization_id, k.id, k.expires_at, k.scopes, ` + principalColumns + `
  FROM api_keys k
  JOIN organizations o ON o.id = k.organization_id AND o.status = 'ACTIVE'
  ` + principalJoins + `
  WHERE k.hash = ANY($1)
    /* guard: keys: a revoked one is not found */ AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
    AND (p.id IS NULL OR p.status = 'ACTIVE')
), used AS (
  UPDATE api_keys k SET last_used_at = date_trunc('minute', now())
  FROM found f
  WHERE k.organization_id = f.organization_id AND k.id = f.id
    AND (k.last_used_at IS NULL OR k.last_used_at < date_trunc('minute', now()))
)
SELECT organization_id, id, expires_at, scopes, parent_organization_id, rounding_unit, per_minute, burst, business_address, fallback, covers, home, obligations, overrides FROM found`

// principalOf is the same for a person, who has no key.
var principalOf = `
SELECT o.id, '', NULL::timestamptz, NULL::jsonb, ` + principalColumns + `
  FROM organizations o
  ` + principalJoins + `
 WHERE o.id = $1 AND o.status = 'ACTIVE' AND (p.id IS NULL OR p.status = 'ACTIVE')`

// principalColumns are what a principal knows of its organization o.
var (
	principalColumns = `o.parent_organization_id, s.rounding_unit, l.per_minute, l.burst,
         d.business_address, coalesce(s.enable_business_address_fallback, false) AS fallback,
         (SELECT jsonb_agg(jsonb_build_object('country', r.country_code, 'state', r.state_code, 'from',
           r.registration_date,
                   'home', CASE WHEN r.oss_type = 'UNION' THEN r.oss_member_state_of_identification_code END))
            FROM registrations r WHERE r.organization_id = o.id
              AND r.status IN ('REGISTERED', 'DEREGISTERING')) AS covers,
         coalesce(d.place->>'country', '') AS home,
         (SELECT jsonb_agg(jsonb_build_object('country_code', n.country_code, 'state_code', n.state_code,
                   'from', n.obliged_from::timestamp AT TIME ZONE 'UTC', 'until',
                     n.obliged_until::timestamp AT TIME ZONE 'UTC', 'gaps', n.obliged_gaps))
            FROM nexus_records n WHERE n.organization_id = o.id AND n.enabled
              AND n.state_code = n.country_code
             AND n.obliged_from IS NOT NULL) AS obligations,
         ` + content.OverridesOf("o.id") + ` AS overrides`
	principalJoins = `JOIN organization_settings s ON s.organization_id = o.id
  LEFT JOIN rate_limits l ON l.organization_id = o.id
  LEFT JOIN organization_details d ON d.organization_id = o.id AND d.place IS NOT NULL
  LEFT JOIN organizations p ON p.id = o.parent_organization_id`
)

// FindPrincipal finds who a key speaks for. hashes are those of one key under
// every master key. It crosses organizations by nature: a key arrives without
// one. Errors: models.ErrNotFound for a key that is unknown, revoked or expired,
// or whose organization or its parent is archived.
func (s *Store) FindPrincipal(ctx context.Context, hashes [][]byte) (models.Principal, error) {
	// Only the organization of the key is set, and only for this.
	batch := &pgx.Batch{}
	batch.Queue("SELECT set_config('levy.organizations', coalesce(organization_of_key($1), ''), true)", hashes)
	return s.principal(ctx, batch, findPrincipal, hashes)
}

// PrincipalOf is what a key of the organization would speak for, for a person who has a role there.
// Whether that is so, the caller has to know. Errors: models.ErrNotFound for an organization that is
// unknown or archived, or whose parent is.
func (s *Store) PrincipalOf(ctx context.Context, organizationID string) (models.Principal, error) {
	return s.principal(models.WithReach(ctx, organizationID), &pgx.Batch{}, principalOf, organizationID)
}

// principal reads one by a statement of a batch.
func (s *Store) principal(ctx context.Context, batch *pgx.Batch, statement string, of any) (models.Principal, error) {
	var p models.Principal
	var perMinute, burst *int
	var address []byte
	var fallback bool
	found := true
	batch.Queue(statement, of).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&p.OrganizationID, &p.APIKeyID, &p.ExpiresAt, &p.Scopes, &p.ParentOrganizationID,
			&p.RoundingUnit, &perMinute, &burst, &address, &fallback, &p.Covers, &p.Home, &p.Obligations, &p.Overrides)
		if found = !errors.Is(err, pgx.ErrNoRows); !found {
			return nil // an error would make the driver forget the statements
		}
		return err
	})
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return models.Principal{}, pg.Translate(err)
	}
	if !found {
		return models.Principal{}, models.ErrNotFound
	}
	var err error
	if address != nil {
		if p.Business, err = models.BusinessOf(address, fallback); err != nil {
			return models.Principal{}, err
		}
	}
	if perMinute != nil && burst != nil {
		p.RateLimit = &models.RateLimit{PerMinute: *perMinute, Burst: *burst}
	}
	return p, nil
}

// WatchPrincipals tells until ctx ends of which organizations something changed that
// FindPrincipal reads of the organization or its parent: triggers say so with the database
// transaction of the change. heard is called when from now on nothing is missed, lost when
// something may be. It crosses organizations by nature.
func (s *Store) WatchPrincipals(ctx context.Context, heard func(), changed func(organizationID string), lost func(error)) {
	s.db.Listen(ctx, "levy_principals", pg.Listener{Begun: heard, Heard: changed, Lost: lost})
}
