package organizations

import (
	"context"
	"errors"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/internal/secret"
	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

// NewPartner is a partner with its first key, which is stored nowhere.
type NewPartner struct {
	OrganizationID string
	APIKey         string
}

// AddPartner creates a further partner with a key. Errors: *models.DuplicateError if an active partner has the name.
func (s *Store) AddPartner(
	ctx context.Context, hasher *secret.KeyHasher, staff models.Actor, name string, isTest bool,
) (NewPartner, error) {
	var created NewPartner
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// Concurrent creations wait for each other.
		if err := tx.Exec("SELECT " + pg.LockBootstrap.Wait()).Error; err != nil {
			return err
		}
		var holder string
		err := tx.Model(&models.Organization{}).Select("id").
			Where("parent_organization_id IS NULL AND name_key = ? AND status = ?", nameKey(name), models.OrganizationActive).
			Limit(1).Find(&holder).Error
		if err != nil {
			return err
		}
		// A new partner gets no name of an active one. No constraint of the database compares the names of partners.
		if holder != "" {
			return &models.DuplicateError{Field: "name", ExistingID: holder}
		}
		created, err = createPartner(tx, hasher, staff, name, isTest)
		return err
	})
	return created, err
}

func createPartner(
	tx *gorm.DB, hasher *secret.KeyHasher, staff models.Actor, name string, isTest bool,
) (NewPartner, error) {
	id := models.NewID(models.PrefixOrganization)
	internal := false
	root := &models.Organization{
		ID: id, ExternalID: id, Name: &name, Status: models.OrganizationActive, IsTest: isTest,
		BillingPlan: "FREE", InternalUse: &internal, OnboardingStatus: models.OnboardingNotStarted,
	}
	if err := createOrganization(tx, staff, root); err != nil {
		return NewPartner{}, err
	}
	if err := createOnboarding(tx, root, models.StepAPIKey); err != nil {
		return NewPartner{}, err
	}
	key, err := createFirstKey(tx, hasher, staff, id, "First key", isTest)
	return NewPartner{id, key}, err
}

// createFirstKey creates a key of a partner and returns it.
func createFirstKey(
	tx *gorm.DB, hasher *secret.KeyHasher, staff models.Actor, partner, name string, isTest bool,
) (string, error) {
	kind := secret.KindLive
	if isTest {
		kind = secret.KindTest
	}
	key := secret.NewAPIKey(kind)
	prefix, last4 := secret.Shown(key)
	return key, createAPIKey(tx, staff, &models.APIKey{
		OrganizationID: partner, ID: models.NewID(models.PrefixAPIKey), Name: &name,
		Hash: hasher.Hash(key), Prefix: prefix, Last4: last4,
	})
}

// ListPartners returns all partners, archived ones too, the oldest first.
func (s *Store) ListPartners(ctx context.Context) ([]models.PartnerSummary, error) {
	var found []models.PartnerSummary
	err := s.db.OpenTables().GORM(ctx).Raw(`
		SELECT o.id, coalesce(o.name, '') AS name, o.is_test, o.status, o.created_at, o.archived_at,
		       (SELECT count(*) FROM organizations c WHERE c.parent_organization_id = o.id AND c.status = 'ACTIVE') AS clients
		  FROM organizations o WHERE o.parent_organization_id IS NULL ORDER BY o.created_at, o.id`).Scan(&found).Error
	return found, pg.Translate(err)
}

// ArchivePartner archives a partner permanently, as ArchiveOrganization does. Errors: models.ErrNotFound, also of a client;
// ErrClients if it has active clients.
func (s *Store) ArchivePartner(ctx context.Context, scope models.Scope, staff models.Actor, reason string) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// No client can be created at the same time.
		if err := tx.Exec("SELECT "+pg.LockClients.Wait("?"), scope.OrganizationID).Error; err != nil {
			return err
		}
		partner, err := lockPartner(tx, scope)
		if err != nil {
			return err
		}
		clients, err := activeClients(tx, partner)
		if err != nil {
			return err
		}
		if len(clients) > 0 {
			return ErrClients
		}
		return s.ArchiveOrganization(ctx, scope, staff, reason)
	})
}

var (
	// ErrLive means that a partner is live already.
	ErrLive = errors.New("it is live already")
	// ErrUsed means that a partner or a client of it has records that count as tests.
	ErrUsed = errors.New("it has sales, imports, registrations or returns, which were tests: add a live partner instead")
)

// MakeLive makes a test partner and its active test clients live. It revokes their keys, which say that they are for
// tests, and returns a new key of the partner. wait returns when no call with a revoked key is under way any more. A
// call that ends too early is finished by a repetition. With ErrUsed it returns a new key for tests if none works any
// more. Errors: models.ErrNotFound, also of a client; models.ErrArchived; ErrLive; ErrUsed.
func (s *Store) MakeLive(
	ctx context.Context, hasher *secret.KeyHasher, staff models.Actor, scope models.Scope, wait func(context.Context) error,
) (NewPartner, error) {
	for waited := false; ; waited = true {
		made, err := s.tryMakeLive(ctx, hasher, staff, scope, waited)
		if err != nil || made.APIKey != "" {
			return made, err
		}
		if err := wait(ctx); err != nil {
			return made, err
		}
	}
}

// tryMakeLive is one attempt of MakeLive. It returns no key where calls may be under way with keys that it revoked.
func (s *Store) tryMakeLive(
	ctx context.Context, hasher *secret.KeyHasher, staff models.Actor, scope models.Scope, waited bool,
) (NewPartner, error) {
	made := NewPartner{OrganizationID: scope.OrganizationID}
	var used bool
	// The key of a partner has made things of its clients.
	err := s.db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) (err error) {
		tx := s.db.GORM(ctx)
		all, err := lockTests(tx, scope)
		if err != nil {
			return err
		}
		if used, err = anyUsed(tx, all); err != nil {
			return err
		}
		if used { // calls that were under way may have written something after their key was revoked
			made.APIKey, err = replaceLostKey(tx, hasher, staff, scope.OrganizationID)
			return err
		}
		revoked, err := endTestKeys(tx, staff, all)
		if err != nil || revoked > 0 || !waited {
			return err
		}
		for i := range all {
			if err := setLive(tx, staff, &all[i]); err != nil {
				return err
			}
		}
		made.APIKey, err = createFirstKey(tx, hasher, staff, scope.OrganizationID, "First live key", false)
		return err
	})
	if err == nil && used {
		err = ErrUsed
	}
	return made, err
}

// lockTests locks and reads a test partner and its active test clients. Errors: models.ErrNotFound, models.ErrArchived,
// ErrLive.
func lockTests(tx *gorm.DB, scope models.Scope) ([]models.Organization, error) {
	if err := tx.Exec("SELECT "+pg.LockClients.Wait("?"), scope.OrganizationID).Error; err != nil {
		return nil, err
	}
	partner, err := lockPartner(tx, scope)
	switch {
	case err != nil:
		return nil, err
	case partner.Status == models.OrganizationArchived:
		return nil, models.ErrArchived
	case !partner.IsTest:
		return nil, ErrLive
	}
	all, err := activeClients(tx, partner)
	all = slices.DeleteFunc(all, func(o models.Organization) bool { return !o.IsTest })
	return append(all, partner), err
}

// anyUsed reports whether one of the organizations has records of tests, which never become live ones.
func anyUsed(tx *gorm.DB, all []models.Organization) (used bool, err error) {
	for i := 0; i < len(all) && !used && err == nil; i++ {
		err = tx.Raw(`SELECT EXISTS (SELECT FROM transactions WHERE organization_id = @id)
			OR EXISTS (SELECT FROM transaction_imports WHERE organization_id = @id)
			OR EXISTS (SELECT FROM registrations WHERE organization_id = @id)
			OR EXISTS (SELECT FROM filings WHERE organization_id = @id)`, map[string]any{"id": all[i].ID}).Scan(&used).Error
	}
	return used, err
}

// replaceLostKey creates a key for tests of a partner that has no active key, and returns it.
func replaceLostKey(tx *gorm.DB, hasher *secret.KeyHasher, staff models.Actor, partner string) (key string, err error) {
	var active int64
	err = tx.Model(&models.APIKey{}).Where("organization_id = ? AND "+activeKey, partner, tx.NowFunc()).Count(&active).Error
	if err != nil || active > 0 {
		return "", err
	}
	return createFirstKey(tx, hasher, staff, partner, "First key", true)
}

// endTestKeys revokes all keys of organizations, ends what they have made, and returns how many they were.
func endTestKeys(tx *gorm.DB, staff models.Actor, all []models.Organization) (revoked int, err error) {
	for i := range all {
		var ids []string
		err := tx.Raw("UPDATE api_keys SET revoked_at = ? WHERE organization_id = ? AND revoked_at IS NULL RETURNING id",
			tx.NowFunc(), all[i].ID).Scan(&ids).Error
		if err != nil {
			return revoked, err
		}
		revoked += len(ids)
		for _, id := range ids {
			after, err := makers.EndKey(tx, staff, id, all[i].ID, false)
			if err != nil {
				return revoked, err
			}
			entry := staff.Entry(models.Scope{OrganizationID: all[i].ID}, models.AuditRevoke, "api_key", id)
			if err := pg.Audit(tx, entry.With(after.Detail())); err != nil {
				return revoked, err
			}
		}
	}
	return revoked, nil
}

// setLive makes an organization live that is locked and has no records of tests.
func setLive(tx *gorm.DB, staff models.Actor, o *models.Organization) error {
	before, now := *o, tx.NowFunc()
	o.IsTest, o.UpdatedAt = false, now
	err := tx.Model(&models.Organization{}).Where("id = ?", o.ID).Select("is_test", "updated_at").UpdateColumns(o).Error
	if err != nil {
		return err
	}
	return pg.Audit(tx, staff.Entry(models.Scope{OrganizationID: o.ID}, models.AuditUpdate, "organization", o.ID).
		With(pg.Changed(&before, o)))
}

// lockPartner locks and reads a partner. The lock waits for changes of it. Errors: gorm's not found, also
// of a client.
func lockPartner(tx *gorm.DB, scope models.Scope) (models.Organization, error) {
	var o models.Organization
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("id = ? AND parent_organization_id IS NULL", scope.OrganizationID).Take(&o).Error
	return o, err
}

// activeClients locks and reads the active clients of a partner.
func activeClients(tx *gorm.DB, partner models.Organization) (clients []models.Organization, err error) {
	err = tx.Clauses(clause.Locking{Strength: "UPDATE"}).Order("id").
		Where("parent_organization_id = ? AND status = ?", partner.ID, models.OrganizationActive).Find(&clients).Error
	return clients, err
}
