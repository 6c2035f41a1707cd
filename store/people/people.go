// Package people stores the people who use the service, their roles, the links to set passwords, and their sessions.
//
// A person belongs to the whole installation and arrives without an organization, like a key. So these methods take no
// scope, except for those that name an organization. Of links and sessions only a hash is stored.
package people

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

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

// CreateUser writes a person with a role in an organization, or with the operator if the membership is nil,
// and the link of the invitation. Errors: *models.DuplicateError (email), with the id of the person only if the
// organization has that person, too.
func (s *Store) CreateUser(
	ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, linkHash []byte,
) error {
	u.ID, u.EmailKey, u.Status = models.NewID(models.PrefixUser), models.EmailKey(u.Email), models.UserInvited
	organizationID := ""
	if m != nil {
		organizationID = m.OrganizationID
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		u.CreatedAt = tx.NowFunc()
		u.UpdatedAt = u.CreatedAt
		created := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "email_key"}}, DoNothing: true}).
			Omit(clause.Associations).Create(u)
		if created.Error != nil {
			return created.Error
		}
		if created.RowsAffected == 0 {
			return duplicateEmail(tx, u.EmailKey, organizationID)
		}
		if m != nil {
			m.UserID, m.CreatedAt = u.ID, u.CreatedAt
			if err := tx.Create(m).Error; err != nil {
				return err
			}
			u.Memberships = []models.Membership{*m}
		}
		if err := addLink(tx, u.ID, linkHash); err != nil {
			return err
		}
		return auditInvitation(tx, actor, u, m)
	})
}

// auditInvitation records the invitation and the role: in an organization, or with the operator without a membership.
func auditInvitation(tx *gorm.DB, actor models.Actor, u *models.User, m *models.Membership) error {
	if m == nil {
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditInvite, "user", u.ID).
			With(map[string]any{"role": u.StaffRole}))
	}
	return pg.Audit(tx, actor.Entry(trailOf(m.OrganizationID), models.AuditInvite, "user", u.ID).
		With(map[string]any{"role": m.Role}))
}

func duplicateEmail(tx *gorm.DB, emailKey, organizationID string) error {
	duplicate := &models.DuplicateError{Field: "email"}
	err := tx.Model(&models.User{}).Select("users.id").
		Joins("LEFT JOIN memberships m ON m.user_id = users.id AND m.organization_id = ?", organizationID).
		Where("users.email_key = ? AND (m.user_id IS NOT NULL OR ? = '')", emailKey, organizationID).
		Limit(1).Find(&duplicate.ExistingID).Error
	if err != nil {
		return err
	}
	return duplicate
}

// Ensure creates or updates a person, sets the role and creates a link, for the command line. Without an organization
// the person is staff.
func (s *Store) Ensure(
	ctx context.Context, actor models.Actor, u models.User, m *models.Membership, linkHash []byte,
) (models.User, error) {
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		role := u.StaffRole
		var err error
		if u, err = findOrCreate(tx, u); err != nil {
			return err
		}
		if m == nil {
			u.StaffRole = role
			err = tx.Model(&models.User{}).Where("id = ?", u.ID).
				Updates(map[string]any{"staff_role": role, "updated_at": tx.NowFunc()}).Error
		} else {
			m.UserID, m.CreatedAt = u.ID, tx.NowFunc()
			err = tx.Clauses(clause.OnConflict{
				Columns:   []clause.Column{{Name: "organization_id"}, {Name: "user_id"}},
				DoUpdates: clause.AssignmentColumns([]string{"role"}),
			}).Create(m).Error
		}
		if err != nil {
			return err
		}
		if err := dropSecondFactor(tx, u.ID); err != nil { // the last administrator may have lost the app
			return err
		}
		if err := addLink(tx, u.ID, linkHash); err != nil {
			return err
		}
		return auditInvitation(tx, actor, &u, m)
	})
	return u, err
}

// findOrCreate returns the person with the address of u and reactivates it, or else creates u.
func findOrCreate(tx *gorm.DB, u models.User) (models.User, error) {
	u.EmailKey = models.EmailKey(u.Email)
	var known []models.User
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("email_key = ?", u.EmailKey).Find(&known).Error
	if err != nil {
		return u, err
	}
	if len(known) == 0 {
		u.ID, u.Status = models.NewID(models.PrefixUser), models.UserInvited
		u.CreatedAt = tx.NowFunc()
		u.UpdatedAt = u.CreatedAt
		return u, tx.Omit(clause.Associations).Create(&u).Error
	}
	u = known[0]
	u.ForgetAccount() // the person returns by the link, or by another account
	return u, tx.Model(&models.User{}).Where("id = ?", u.ID).
		Select("status", "provider_issuer", "provider_subject").UpdateColumns(&u).Error
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

// UserByEmail returns a person. Errors: models.ErrNotFound.
func (s *Store) UserByEmail(ctx context.Context, email string) (models.User, error) {
	var u models.User
	err := s.db.OpenTables().GORM(ctx).Preload("Memberships").
		Where("email_key = ?", models.EmailKey(email)).Take(&u).Error
	return u, pg.Translate(err)
}
