package people

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

// CreateUser writes an account with a role in an organization, or with the operator if the membership is nil, and the
// link of the invitation. Accounts of the address elsewhere neither prevent that nor show: the account shares nothing
// with them but the address. Errors: *models.DuplicateError (email) with the id of the account that the organization has
// already.
func (s *Store) CreateUser(
	ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, linkHash []byte,
) error {
	return s.createUser(ctx, actor, u, m, func(tx *gorm.DB) error { return addLink(tx, u.ID, linkHash) })
}

// CreateUserByMail is CreateUser for an invitation by e-mail: its link is made when the mail is sent.
func (s *Store) CreateUserByMail(ctx context.Context, actor models.Actor, u *models.User, m *models.Membership) error {
	return s.createUser(ctx, actor, u, m, func(tx *gorm.DB) error {
		organizationID := ""
		if m != nil {
			organizationID = m.OrganizationID
		}
		return addMail(tx, organizationID, u.ID, models.MailInvitation, "")
	})
}

// createUser writes an account with its role. invite adds the link or the mail of the invitation.
func (s *Store) createUser(
	ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, invite func(tx *gorm.DB) error,
) error {
	organizationID := ""
	if m != nil {
		organizationID = m.OrganizationID
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := lockAddress(tx, u.Email); err != nil {
			return err
		}
		duplicate := &models.DuplicateError{Field: "email"}
		// guard: invitations: only those of one's own organization are known already
		own := usersOf(tx.Model(&models.User{}), organizationID)
		err := own.Where(ofAddress, models.EmailKey(u.Email)).Select("users.id").Limit(1).Find(&duplicate.ExistingID).Error
		if err != nil {
			return err
		}
		if duplicate.ExistingID != "" {
			return duplicate
		}
		if err := createAccount(tx, u); err != nil {
			return err
		}
		if m != nil {
			if err := addMembership(tx, u, m); err != nil {
				return err
			}
			made := models.Maker{OrganizationID: m.OrganizationID, Kind: models.MadeInvitation, ID: u.ID}
			if _, err := makers.Record(tx, actor, made); err != nil {
				return err
			}
		}
		if err := invite(tx); err != nil {
			return err
		}
		return auditInvitation(tx, actor, u, m)
	})
}

// createAccount writes an account that was not opened yet. The transaction has the lock of its address.
func createAccount(tx *gorm.DB, u *models.User) error {
	key := models.EmailKey(u.Email)
	u.ID, u.EmailKey, u.Status = models.NewID(models.PrefixUser), key, models.UserInvited
	u.CreatedAt = tx.NowFunc()
	u.UpdatedAt = u.CreatedAt
	var shared bool
	err := tx.Raw("SELECT EXISTS (SELECT FROM users WHERE email_key = ?)", key).Scan(&shared).Error
	if err != nil {
		return err
	}
	if shared {
		u.EmailKey, u.AddressKey = key+" "+u.ID, &key
	}
	return tx.Omit(clause.Associations).Create(u).Error
}

// addMembership gives an account a role in an organization, or another one.
func addMembership(tx *gorm.DB, u *models.User, m *models.Membership) error {
	m.UserID, m.CreatedAt = u.ID, tx.NowFunc()
	err := tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "organization_id"}, {Name: "user_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"role"}),
	}).Create(m).Error
	if err != nil {
		return err
	}
	for i := range u.Memberships {
		if u.Memberships[i].OrganizationID == m.OrganizationID {
			u.Memberships[i].Role = m.Role
			return nil
		}
	}
	u.Memberships = append(u.Memberships, *m)
	return nil
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

// Ensure gives the person with an address a role by a link of the operator, for the command line. Without an
// organization the person is staff. An unknown person gets an account with the role. known means that
// accounts of the address exist already. The role then waits until the link is opened, because others may have set them
// up. Only another role of a proven person where that person has one, and a lower one of any person, count at once.
// Passkeys of the person is how many end when the link is opened: those of all accounts of the address.
// Errors: models.ErrNotFound for a person who is not known and has no name.
func (s *Store) Ensure(
	ctx context.Context, actor models.Actor, u models.User, m *models.Membership, linkHash []byte,
) (models.User, bool, error) {
	known := false
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		if err := lockAddress(tx, u.Email); err != nil {
			return err
		}
		accounts, err := accountsOf(tx, u.Email)
		if err != nil {
			return err
		}
		known = len(accounts) > 0
		passkeys, err := passkeysOf(tx, accounts)
		if err != nil {
			return err
		}
		link, invited := &Link{Hash: linkHash, ByOperator: true}, u
		if account := whoIs(accounts); account != nil {
			err = raise(tx, account, u.StaffRole, m, link)
			invited = *account
		} else {
			if known && u.Name == "" {
				invited.Name = accounts[0].Name
			}
			err = createInvited(tx, &invited, m)
		}
		if err != nil {
			return err
		}
		if err := writeLink(tx, invited.ID, link); err != nil {
			return err
		}
		if m == nil {
			err = auditInvitation(tx, actor, &models.User{ID: invited.ID, StaffRole: u.StaffRole}, nil)
		} else {
			err = auditInvitation(tx, actor, &invited, m)
		}
		u = invited
		u.Passkeys = passkeys
		return err
	})
	return u, known, err
}

// createInvited writes an account with its role.
func createInvited(tx *gorm.DB, u *models.User, m *models.Membership) error {
	if u.Name == "" {
		return models.ErrNotFound
	}
	if err := createAccount(tx, u); err != nil || m == nil {
		return err
	}
	return addMembership(tx, u, m)
}

// raise lets the link of a known person carry the role, or gives it at once.
func raise(tx *gorm.DB, u *models.User, staff *models.StaffRole, m *models.Membership, link *Link) error {
	if u.Status == models.UserDisabled { // without a role, see whoIs
		u.Status = models.UserInvited
		u.ForgetAccount()
		u.PasswordHash = nil
		err := tx.Model(&models.User{}).Where("id = ?", u.ID).
			Select("status", "password_hash", "provider_issuer", "provider_subject").UpdateColumns(u).Error
		if err != nil {
			return err
		}
	}
	organizationID := ""
	if m != nil {
		organizationID = m.OrganizationID
	}
	was := roleIn(u, organizationID)
	lower := m == nil && was == string(models.StaffOperator) || m != nil && models.Role(was).Includes(m.Role)
	// guard: invitations: what others may have set up gets no role before its link is opened
	if was == "" || u.ProvenAt == nil && !lower {
		link.StaffRole = staff
		if m != nil {
			link.StaffRole, link.OrganizationID, link.Role = nil, &m.OrganizationID, &m.Role
		}
		return nil
	}
	if m != nil {
		return addMembership(tx, u, m)
	}
	u.StaffRole = staff
	return tx.Model(&models.User{}).Where("id = ?", u.ID).
		Updates(map[string]any{"staff_role": staff, "updated_at": tx.NowFunc()}).Error
}
