package people

import (
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// ofAddress restricts a statement to the accounts of an address, as it is compared.
const ofAddress = "coalesce(users.address_key, users.email_key) = ?"

// lockAddress locks the accounts of an address, also those that do not exist yet.
func lockAddress(tx *gorm.DB, email string) error {
	return tx.Exec("SELECT "+pg.LockAddress.Wait("?"), models.EmailKey(email)).Error
}

// accountsOf locks and reads the accounts of an address, spelled like it, with their roles: the proven one first, then
// those that are open. The transaction has the lock of the address.
func accountsOf(tx *gorm.DB, email string) ([]models.User, error) {
	var all []models.User
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Preload("Memberships").
		Where(ofAddress, models.EmailKey(email)).
		Order("proven_at IS NULL, status <> 'ACTIVE', created_at, id").Find(&all).Error
	// guard: identity: letters that look alike make another address
	all = slices.DeleteFunc(all, func(u models.User) bool { return !models.SameAddress(u.Email, email) })
	return all, err
}

// whoIs returns the account of the person among those of an address: the first that an organization has not disabled;
// nil for none.
func whoIs(accounts []models.User) *models.User {
	for i := range accounts {
		if accounts[i].Answers() {
			return &accounts[i]
		}
	}
	return nil
}

// prove makes an account that of the person who has just proved its address. It ends what others may hold of the
// accounts of the address: sessions, passwords, second factors, accounts at the provider and links. The account
// gets the roles that waited for a link of the operator, and those of the other accounts, which end. The caller writes
// how the person signs in from now on, by writeProof.
func prove(tx *gorm.DB, u *models.User, others []models.User, requestID string) error {
	actor := models.Actor{UserID: u.ID, UserName: u.Name, RequestID: requestID}
	others = slices.DeleteFunc(slices.Clone(others), func(o models.User) bool { return o.ID == u.ID || !o.Answers() })
	ids := []string{u.ID}
	for i := range others {
		ids = append(ids, others[i].ID)
	}
	if err := grantWaiting(tx, actor, u, ids); err != nil {
		return err
	}
	var err error
	// guard: identity: who proves an address ends what others hold of it
	if u.PasskeysEnded, err = endAccess(tx, ids...); err != nil {
		return err
	}
	for i := range others {
		if err := join(tx, actor, u, &others[i]); err != nil {
			return err
		}
	}
	return tx.Model(&models.User{}).Where(ofAddress+" AND id <> ?", u.Address(), u.ID).Update("proven_at", nil).Error
}

// endAccess ends sessions, links, second factors and passkeys of accounts. Passwords and accounts at
// the provider are columns of the account, which the caller writes. It returns how many passkeys there were.
func endAccess(tx *gorm.DB, ids ...string) (passkeys int, err error) {
	for _, id := range ids {
		if err := endSessions(tx, id); err != nil {
			return 0, err
		}
		dropped, err := dropSecondFactor(tx, id)
		if err != nil {
			return 0, err
		}
		passkeys += dropped
	}
	return passkeys, tx.Model(&Link{}).Where("user_id IN ? AND used_at IS NULL", ids).Update("used_at", tx.NowFunc()).Error
}

// join moves the roles, saved views and comments of an account to another one of the same person. A kind of e-mail that
// either has turned off stays off. The id of the first account alone stays, for the audit trail.
func join(tx *gorm.DB, actor models.Actor, u, from *models.User) error {
	for _, m := range from.Memberships {
		if roleIn(u, m.OrganizationID) == "" {
			if err := addMembership(tx, u, &models.Membership{OrganizationID: m.OrganizationID, Role: m.Role}); err != nil {
				return err
			}
		}
		err := pg.Audit(tx, actor.Entry(trailOf(m.OrganizationID), models.AuditUpdate, "user", u.ID).
			With(map[string]any{"fields": []string{"account"}, "joined": from.ID}))
		if err != nil {
			return err
		}
	}
	if u.StaffRole == nil {
		u.StaffRole = from.StaffRole
	}
	err := tx.Exec(`UPDATE saved_views v SET user_id = ? WHERE user_id = ? AND NOT EXISTS (SELECT FROM saved_views o
		WHERE o.user_id = ? AND o.list = v.list AND o.name_key = v.name_key)`, u.ID, from.ID, u.ID).Error
	if err != nil {
		return err
	}
	if err := tx.Exec("UPDATE comments SET user_id = ? WHERE user_id = ?", u.ID, from.ID).Error; err != nil {
		return err
	}
	err = tx.Exec(`UPDATE comment_mentions m SET user_id = ? WHERE user_id = ? AND NOT EXISTS (SELECT FROM comment_mentions o
		WHERE o.organization_id = m.organization_id AND o.comment_id = m.comment_id AND o.user_id = ?)`, u.ID, from.ID, u.ID).Error
	if err != nil {
		return err
	}
	if err := joinMailsOff(tx, u.ID, from.ID); err != nil {
		return err
	}
	for _, statement := range []string{
		"DELETE FROM comment_mentions WHERE user_id = ?",
		"DELETE FROM saved_views WHERE user_id = ?", "DELETE FROM preferences WHERE user_id = ?",
		"DELETE FROM memberships WHERE user_id = ?",
	} {
		if err := tx.Exec(statement, from.ID).Error; err != nil {
			return err
		}
	}
	gone := "joined-" + from.ID + "@invalid" // RFC 2606: no valid address
	err = tx.Model(&models.User{}).Where("id = ?", from.ID).Updates(map[string]any{
		"name": "Joined with " + u.ID, "email": gone, "email_key": models.EmailKey(gone), "address_key": nil,
		"password_hash": nil, "provider_issuer": nil, "provider_subject": nil, "staff_role": nil, "proven_at": nil,
		"status": models.UserDisabled, "updated_at": tx.NowFunc(),
	}).Error
	if err != nil {
		return err
	}
	return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", u.ID).
		With(map[string]any{"fields": []string{"account"}, "joined": from.ID}))
}

// joinMailsOff moves the addresses in sent mails, and the kinds that are turned off. Preferences move where there are no others.
func joinMailsOff(tx *gorm.DB, to, from string) error {
	for _, statement := range []string{
		"UPDATE mail_stops SET user_id = @to WHERE user_id = @from",
		`UPDATE preferences SET user_id = @to WHERE user_id = @from AND NOT EXISTS (SELECT FROM preferences WHERE user_id = @to)`,
		`UPDATE preferences p SET updated_at = now(), mails_off = (SELECT jsonb_agg(DISTINCT kind)
		    FROM jsonb_array_elements(p.mails_off || f.mails_off) kind)
		   FROM preferences f WHERE p.user_id = @to AND f.user_id = @from AND f.mails_off <> '[]'`,
	} {
		if err := tx.Exec(statement, map[string]any{"to": to, "from": from}).Error; err != nil {
			return err
		}
	}
	return nil
}

// grantWaiting gives an account the roles that wait for links of the operator, the latest of each organization.
func grantWaiting(tx *gorm.DB, actor models.Actor, u *models.User, ids []string) error {
	var links []Link
	err := tx.Where("user_id IN ? AND by_operator AND used_at IS NULL AND expires_at > now()", ids).
		Order("created_at, hash").Find(&links).Error
	if err != nil {
		return err
	}
	for _, l := range links {
		var organizationID, was string
		switch {
		case l.OrganizationID != nil && l.Role != nil:
			organizationID = *l.OrganizationID
			was = roleIn(u, organizationID)
			m := models.Membership{OrganizationID: organizationID, Role: *l.Role}
			if err := addMembership(tx, u, &m); err != nil {
				return err
			}
		case l.StaffRole != nil:
			was = roleIn(u, "")
			u.StaffRole = l.StaffRole
		default:
			continue
		}
		err := pg.Audit(tx, actor.Entry(trailOf(organizationID), models.AuditUpdate, "user", u.ID).
			With(map[string]any{"fields": []string{}, "role": map[string]string{"from": was, "to": roleIn(u, organizationID)}}))
		if err != nil {
			return err
		}
	}
	return nil
}

// writeProof writes how the person of an account signs in from now on, and that the address is proven. It audits the
// names of what the person has set, and how many passkeys ended.
func writeProof(tx *gorm.DB, u *models.User, requestID string, fields ...string) error {
	u.Status, u.UpdatedAt = models.UserActive, tx.NowFunc()
	err := tx.Model(&models.User{}).Where("id = ?", u.ID).Select("status", "password_hash", "provider_issuer",
		"provider_subject", "staff_role", "proven_at", "updated_at").UpdateColumns(u).Error
	if err != nil {
		return err
	}
	detail := map[string]any{"fields": fields}
	if u.PasskeysEnded > 0 {
		detail["fields"], detail["passkeys_ended"] = append(fields, "passkeys"), u.PasskeysEnded
	}
	actor := models.Actor{UserID: u.ID, UserName: u.Name, RequestID: requestID}
	return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", u.ID).With(detail))
}
