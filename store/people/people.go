// Package people stores the people who use the service, their roles, the links to set passwords, and their sessions.
//
// A person belongs to the whole installation and arrives without an organization, like a key. So these methods take no
// scope, except for those that name an organization. Of links and sessions only a hash is stored.
package people

import (
	"context"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// installation is the organization in the audit trail for changes of people of the operator.
const installation = models.InstallationAudit

// Store reads and writes people.
type Store struct{ db *pg.DB }

// New returns the store on a database.
func New(db *pg.DB) *Store { return &Store{db} }

// trailOf returns the scope of the audit entries about people of an organization, or of the operator for "".
func trailOf(organizationID string) models.Scope {
	if organizationID == "" {
		organizationID = installation
	}
	return models.Scope{OrganizationID: organizationID}
}

// inTx runs fn in a database transaction across organizations, because only their own users reach the audit trail of an
// organization.
func (s *Store) inTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	return s.db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) error { return fn(s.db.GORM(ctx)) })
}

// usersOf restricts tx to people with a role in the organization, or with the operator for "".
func usersOf(tx *gorm.DB, organizationID string) *gorm.DB {
	if organizationID == "" {
		return tx.Where("users.staff_role IS NOT NULL")
	}
	return tx.Where("users.id IN (SELECT m.user_id FROM memberships m WHERE m.organization_id = ?)", organizationID)
}

// ListUsers returns a page of the people of an organization, or of the operator for "", by name.
func (s *Store) ListUsers(
	ctx context.Context, organizationID string, page models.Page,
) (models.List[models.User], error) {
	q := usersOf(s.db.OpenTables().GORM(ctx), organizationID).Preload("Memberships")
	list, err := pg.ReadPage[models.User](q, pg.Sortable{"name": false}, []models.Order{{Column: "name"}}, page)
	if err == nil {
		err = pg.Translate(withSecondFactor(s.db.OpenTables().GORM(ctx), list.Items))
	}
	return list, err
}

// User returns a person of an organization, or of the operator for "". Errors: models.ErrNotFound.
func (s *Store) User(ctx context.Context, organizationID, id string) (models.User, error) {
	var u models.User
	err := usersOf(s.db.OpenTables().GORM(ctx), organizationID).Preload("Memberships").
		Where("users.id = ?", id).Take(&u).Error
	return u, pg.Translate(err)
}

// Accounts returns the accounts of an address that sign in with a password: the proven one first, then in the order of
// their creation.
func (s *Store) Accounts(ctx context.Context, email string) ([]models.User, error) {
	var all []models.User
	err := s.db.OpenTables().GORM(ctx).
		Where(ofAddress+" AND status = ? AND password_hash IS NOT NULL", models.EmailKey(email), models.UserActive).
		Order("proven_at IS NULL, created_at, id").Find(&all).Error
	return all, pg.Translate(err)
}

// Account returns an account, whatever its roles. Errors: models.ErrNotFound.
func (s *Store) Account(ctx context.Context, id string) (models.User, error) {
	var u models.User
	err := s.db.OpenTables().GORM(ctx).Where("id = ?", id).Take(&u).Error
	return u, pg.Translate(err)
}
