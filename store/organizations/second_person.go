package organizations

import (
	"context"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// endSecondPerson decides a change of the settings that ends the second person for returns. The request of the first
// admin is only recorded, and the setting stays. The second admin ends it, which the history of every open return
// keeps. Errors: those of rules.EndsSecondPerson.
func (s *Store) endSecondPerson(
	ctx context.Context, actor models.Actor, before, after *models.OrganizationSettings,
) error {
	now := s.db.GORM(ctx).NowFunc()
	request := rules.SecondPersonEnd{By: actor, Now: now}
	if by := before.SecondPersonEndBy; by != nil {
		request.First, request.Asked = &models.Actor{UserID: *by, UserName: *before.SecondPersonEndName}, *before.SecondPersonEndAt
		var err error
		request.Access, err = pg.AccessSource(models.AcrossOrganizations(ctx), s.db, []string{*by, actor.UserID})
		if err != nil {
			return err
		}
	}
	ends, err := rules.EndsSecondPerson(request)
	if err != nil {
		return err
	}
	if ends {
		after.SecondPersonEndBy, after.SecondPersonEndName, after.SecondPersonEndAt = nil, nil, nil
		return s.noteSecondPersonEnded(ctx, before.OrganizationID, actor, *before.SecondPersonEndName)
	}
	after.RequireSecondPerson = true
	if request.First == nil || request.Expired() {
		after.SecondPersonEndBy, after.SecondPersonEndName, after.SecondPersonEndAt = &actor.UserID, &actor.UserName, &now
	}
	return nil
}

// noteSecondPersonEnded records in the history of each open return who ended the second person for returns. The reason
// names the admin who had asked for it.
func (s *Store) noteSecondPersonEnded(
	ctx context.Context, organizationID string, by models.Actor, askedBy string,
) error {
	kind, name := models.ActorUser, by.UserName
	if by.UserID == "" {
		kind, name = models.ActorStaff, by.Staff
	}
	_, err := s.db.Exec(ctx, `
		INSERT INTO filing_history (organization_id, filing_id, from_status, to_status, action, actor_type, actor_id,
		                            actor_name, reason, attempt)
		SELECT f.organization_id, f.id, f.status, f.status, $2, $3, nullif($4, ''), $5, $6, f.attempt
		  FROM filings f WHERE f.organization_id = $1 AND f.status NOT IN ('FILED', 'SKIPPED', 'CANCELLED')`,
		organizationID, string(models.FilingSecondPersonEnded), string(kind), by.UserID, name, "Asked for by "+askedBy+".")
	return pg.Translate(err)
}
