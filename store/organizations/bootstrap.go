package organizations

import (
	"cmp"
	"context"

	"gorm.io/gorm"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

// Bootstrapped is the first root organization of an installation. The keys are empty unless this call created them,
// because they are stored nowhere.
type Bootstrapped struct {
	NewPartner

	OperatorKey string
}

// Created reports whether this call created the organization.
func (b Bootstrapped) Created() bool { return b.APIKey != "" }

// Bootstrap creates the first root organization with a key, and one operator key. Later and concurrent calls find the
// organization and return only its id, that of an active one first.
func (s *Store) Bootstrap(
	ctx context.Context, hasher *secret.KeyHasher, staff models.Actor, name string, isTest bool,
) (Bootstrapped, error) {
	var created Bootstrapped
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if err := tx.Exec("SELECT " + pg.LockBootstrap.Wait()).Error; err != nil {
			return err
		}
		err := tx.Model(&models.Organization{}).Select("id").Where("parent_organization_id IS NULL").
			Order("status <> 'ACTIVE', created_at, id").Limit(1).Find(&created.OrganizationID).Error
		if err != nil || created.OrganizationID != "" {
			return err
		}
		created, err = createFirst(tx, hasher, staff, name, isTest)
		return err
	})
	if err != nil {
		return Bootstrapped{}, err
	}
	return created, nil
}

func createFirst(
	tx *gorm.DB, hasher *secret.KeyHasher, staff models.Actor, name string, isTest bool,
) (Bootstrapped, error) {
	partner, err := createPartner(tx, hasher, staff, name, isTest)
	if err != nil {
		return Bootstrapped{}, err
	}
	created := Bootstrapped{NewPartner: partner, OperatorKey: secret.NewAPIKey(secret.KindOperator)}
	public, _ := secret.PublicProofKey(created.OperatorKey)
	_, db := pg.DBOf(tx)
	err = tx.Exec(`INSERT INTO operator_keys (id, hash, name, public_key, created_at, master_key_id)
		VALUES (?, ?, ?, ?, ?, ?)`,
		models.NewID(models.PrefixOperatorKey), hasher.Hash(created.OperatorKey), cmp.Or(staff.Staff,
			models.UnnamedStaff), public, tx.NowFunc(), db.MasterKeyID()).Error
	return created, err
}
