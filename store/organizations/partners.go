package organizations

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/internal/secret"
	"levy/models"
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
		// Two active partners do not have one name.
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
		// No client is created meanwhile.
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
// tests, and returns a new key of the partner. Errors: models.ErrNotFound, also of a client; models.ErrArchived; ErrLive;
// ErrUsed.
func (s *Store) MakeLive(
	ctx context.Context, hasher *secret.KeyHasher, staff models.Actor, scope models.Scope,
) (NewPartner, error) {
	made := NewPartner{OrganizationID: scope.OrganizationID}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if err := tx.Exec("SELECT "+pg.LockClients.Wait("?"), scope.OrganizationID).Error; err != nil {
			return err
		}
		partner, err := lockPartner(tx, scope)
		switch {
		case err != nil:
			return err
		case partner.Status == models.OrganizationArchived:
			return models.ErrArchived
		case !partner.IsTest:
			return ErrLive
		}
		all, err := activeClients(tx, partner)
		if err != nil {
			return err
		}
		all = append(all, partner)
		for i := range all {
			if !all[i].IsTest {
				continue
			}
			if err := makeLive(tx, staff, &all[i]); err != nil {
				return err
			}
		}
		made.APIKey, err = createFirstKey(tx, hasher, staff, scope.OrganizationID, "First live key", false)
		return err
	})
	return made, err
}

// makeLive makes an organization live that is locked and has no records of tests. Errors: ErrUsed.
func makeLive(tx *gorm.DB, staff models.Actor, o *models.Organization) error {
	var used bool
	err := tx.Raw(`SELECT EXISTS (SELECT FROM transactions WHERE organization_id = @id)
		OR EXISTS (SELECT FROM transaction_imports WHERE organization_id = @id)
		OR EXISTS (SELECT FROM registrations WHERE organization_id = @id)
		OR EXISTS (SELECT FROM filings WHERE organization_id = @id)`, map[string]any{"id": o.ID}).Scan(&used).Error
	if err != nil {
		return err
	}
	// Records of tests never become live ones.
	if used {
		return ErrUsed
	}
	before, now := *o, tx.NowFunc()
	o.IsTest, o.UpdatedAt = false, now
	err = tx.Model(&models.Organization{}).Where("id = ?", o.ID).Select("is_test", "updated_at").UpdateColumns(o).Error
	if err != nil {
		return err
	}
	err = tx.Model(&models.APIKey{}).Where("organization_id = ? AND revoked_at IS NULL", o.ID).Update("revoked_at", now).Error
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
