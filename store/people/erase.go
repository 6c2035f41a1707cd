package people

import (
	"context"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/idempotency"
	"levy/store/makers"
	"levy/store/pg"
)

// erasedName replaces the name of an erased person.
const erasedName = "Erased on request"

// EraseUser erases the identity of a person: name and address, password, passkeys, links, sessions and roles. It also
// deletes the saved views of others that name the person. The record remains,
// so that actions of the person have an author. The audit trail and the histories of filings keep the id and the name
// of that time. A repetition changes nothing. Errors: models.ErrNotFound.
func (s *Store) EraseUser(ctx context.Context, staff models.Actor, id string) error {
	return pg.Translate(s.inTx(ctx, func(tx *gorm.DB) error {
		if err := eraseViews(tx, id, ""); err != nil {
			return err
		}
		gone := "erased-" + id + "@invalid" // RFC 2606: no valid address
		done := tx.Model(&models.User{}).Where("id = ?", id).Updates(map[string]any{
			"name": erasedName, "email": gone, "email_key": models.EmailKey(gone), "address_key": nil,
			"proven_at": nil, "password_hash": nil,
			"provider_issuer": nil, "provider_subject": nil, "staff_role": nil, "status": models.UserDisabled,
			"updated_at": tx.NowFunc(),
		})
		if done.Error != nil {
			return done.Error
		}
		if done.RowsAffected == 0 {
			return models.ErrNotFound
		}
		var of []string
		if err := tx.Model(&models.Membership{}).Where("user_id = ?",
			id).Order("organization_id").Pluck("organization_id", &of).Error; err != nil {
			return err
		}
		for _, organizationID := range of {
			if err := idempotency.Erase(tx, organizationID, id); err != nil {
				return err
			}
			after, err := makers.EndPerson(tx, staff, organizationID, id)
			if err != nil {
				return err
			}
			entry := staff.Entry(trailOf(organizationID), models.AuditRemove, "user", id)
			if err := pg.Audit(tx, entry.With(after.Detail())); err != nil {
				return err
			}
		}
		for _, statement := range []string{
			"DELETE FROM attached_proofs WHERE user_id = ?", "DELETE FROM second_factors WHERE user_id = ?",
			"DELETE FROM sign_in_links WHERE user_id = ?", "DELETE FROM sessions WHERE user_id = ?",
			"DELETE FROM sign_in_devices WHERE user_id = ?", "DELETE FROM saved_views WHERE user_id = ?",
			"DELETE FROM preferences WHERE user_id = ?",
			"DELETE FROM passkeys WHERE user_id = ?", "DELETE FROM mails WHERE user_id = ?",
			"DELETE FROM mail_stops WHERE user_id = ?",
			"DELETE FROM memberships WHERE user_id = ?",
			"DELETE FROM comment_mentions WHERE user_id = ?",
		} {
			if err := tx.Exec(statement, id).Error; err != nil {
				return err
			}
		}
		return pg.Audit(tx, staff.Entry(trailOf(""), models.AuditErase, "user", id))
	}))
}

// EraseCustomer erases the identity of a customer, also in events: name, identifiers, contacts, street and tax numbers.
// It deletes saved views that name the customer.
// It keeps city, state, postal code and country, which decide the tax of its sales. It also keeps the sales and
// exemption certificates, because tax law requires them. A repetition changes nothing. Errors: models.ErrNotFound.
func (s *Store) EraseCustomer(ctx context.Context, staff models.Actor, id string) error {
	kind, trail, err := s.subject(models.AcrossOrganizations(ctx), id)
	if err != nil {
		return err
	}
	return pg.Translate(s.inTx(ctx, func(tx *gorm.DB) error {
		if err := eraseViews(tx, id, trail.OrganizationID); err != nil {
			return err
		}
		err := tx.Exec(`
			UPDATE customers SET name = ?, email = NULL, phone = NULL, street_1 = NULL, street_2 = NULL, full_address = NULL,
			       registration_number = NULL, external_friendly_id = NULL, external_id = 'erased-' || id,
			       tax_registrations = '[]',
			       status = 'ARCHIVED', updated_at = now()
			 WHERE organization_id = ? AND id = ?
			   AND external_id <> 'erased-' || id`, erasedName, trail.OrganizationID, id).Error
		if err != nil {
			return err
		}
		// Events get the present record. Events that every sale has are not read: the types are those of the index
		// events_seldom.
		err = tx.Exec(`
			UPDATE events e SET previous = NULL, record = to_jsonb(c) FROM customers c
			 WHERE e.organization_id = c.organization_id AND e.object_id = c.id AND c.organization_id = ? AND c.id = ?
			   AND e.type NOT IN ('transaction.created', 'transaction.updated', 'transaction.processed', 'transaction.locked')`,
			trail.OrganizationID, id).Error
		if err != nil {
			return err
		}
		if err := idempotency.Erase(tx, trail.OrganizationID, id); err != nil {
			return err
		}
		return pg.Audit(tx, staff.Entry(trail, models.AuditErase, kind, id))
	}))
}
