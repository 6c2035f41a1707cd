package organizations

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

// ChangeGrant sets what the partner of a client may do for it. It also confirms the grant, and gives an ended one again.
// Errors: models.ErrNotFound if that is not the partner, *models.InvalidError.
func (s *Store) ChangeGrant(
	ctx context.Context, scope models.Scope, actor models.Actor, partnerID string, role models.GrantRole,
) (g models.Grant, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if g, err = lockGrant(tx, scope, partnerID); err != nil {
			return err
		}
		before, now := g, tx.NowFunc()
		if role == models.GrantAsBefore && (g.Role != role || g.EndedAt != nil) {
			return &models.InvalidError{Faults: []models.Fault{{
				Code: models.FieldNotAllowed, Path: "role",
				Message: "as_before can only be confirmed where the grant has it. Choose preparer or approver.",
			}}}
		}
		g.Role, g.ConfirmedAt, g.EndedAt, g.UpdatedAt = role, &now, nil, now
		if err := saveGrant(tx, &g); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "grant", partnerID).
			With(map[string]any{"role": map[string]any{"from": before.Role, "to": role}}))
	})
	return g, err
}

// EndGrant ends what the partner of a client may do for it, at once. It revokes the keys that the partner made under the
// grant, and ends or names its other things. A repetition changes nothing. Errors: models.ErrNotFound if that is not the
// partner.
func (s *Store) EndGrant(
	ctx context.Context, scope models.Scope, actor models.Actor, partnerID string,
) (g models.Grant, after models.Aftermath, err error) {
	// The keys and people of the partner, which made the things, belong to another organization.
	err = s.db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if err := lockKeys(tx, scope); err != nil {
			return err
		}
		if g, err = lockGrant(tx, scope, partnerID); err != nil || g.EndedAt != nil {
			return err
		}
		now := tx.NowFunc()
		g.EndedAt, g.UpdatedAt = &now, now
		if err := saveGrant(tx, &g); err != nil {
			return err
		}
		if after, err = endKeysOfGrant(tx, scope, actor, partnerID); err != nil {
			return err
		}
		if err := endDeliveries(tx, scope, partnerID); err != nil {
			return err
		}
		rest, err := makers.EndGrant(tx, actor, scope.OrganizationID)
		if err != nil {
			return err
		}
		after.Add(rest)
		return pg.Audit(tx, actor.Entry(scope, models.AuditRevoke, "grant", partnerID).With(after.Detail()))
	})
	return g, after, err
}

// endKeysOfGrant revokes the keys that the partner made under its grant, and ends or names what they made.
func endKeysOfGrant(
	tx *gorm.DB, scope models.Scope, actor models.Actor, partnerID string,
) (after models.Aftermath, err error) {
	var keys []models.APIKey
	err = tx.Model(&keys).Clauses(clause.Returning{Columns: []clause.Column{{Name: "id"}}}).
		// guard: grants: keys end with the grant under which they were made
		Where("organization_id = ? AND granted AND revoked_at IS NULL", scope.OrganizationID).
		Update("revoked_at", tx.NowFunc()).Error
	if err != nil {
		return after, err
	}
	for _, k := range keys {
		entry := actor.Entry(scope, models.AuditRevoke, "api_key", k.ID)
		if err := pg.Audit(tx, entry.With(map[string]any{"grant_ended": partnerID})); err != nil {
			return after, err
		}
		after.Ended = append(after.Ended, models.Made{
			Kind: models.MadeAPIKey, OrganizationID: scope.OrganizationID, ID: k.ID,
		})
		// guard: grants: what a key under a grant made ends with it
		made, err := makers.EndKey(tx, actor, k.ID, scope.OrganizationID, false)
		if err != nil {
			return after, err
		}
		after.Add(made)
	}
	return after, nil
}

// endDeliveries deletes what waits to be sent to webhooks of the partner about the client. A run that is creating
// deliveries has locked its endpoint, and later ones find the end of the grant.
func endDeliveries(tx *gorm.DB, scope models.Scope, partnerID string) error {
	var endpoints []string
	err := tx.Raw(`SELECT id FROM webhook_endpoints WHERE organization_id = ? AND include_clients ORDER BY id
		FOR NO KEY UPDATE`, partnerID).Scan(&endpoints).Error
	// guard: grants: nothing is sent about a client after its grant
	if err != nil || len(endpoints) == 0 {
		return err
	}
	return tx.Exec(`DELETE FROM webhook_deliveries
		WHERE organization_id = ? AND endpoint_id IN ? AND status = 'PENDING' AND event_organization_id = ?`,
		partnerID, endpoints, scope.OrganizationID).Error
}

// lockGrant locks and reads the grant of a partner. Errors: gorm.ErrRecordNotFound.
func lockGrant(tx *gorm.DB, scope models.Scope, partnerID string) (g models.Grant, err error) {
	err = tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("organization_id = ? AND partner_id = ?", scope.OrganizationID, partnerID).Take(&g).Error
	return g, err
}

func saveGrant(tx *gorm.DB, g *models.Grant) error {
	return tx.Model(&models.Grant{}).Where("organization_id = ?", g.OrganizationID).
		Select("role", "confirmed_at", "ended_at", "updated_at").UpdateColumns(g).Error
}
