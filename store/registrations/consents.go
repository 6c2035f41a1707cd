package registrations

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// connectionType is how the audit trail calls the connection of an organization to an authority. Its id is the adapter.
const connectionType = "authority_connection"

// verifierField is what the verifier of a consent is bound to when it is encrypted.
const verifierField = "authority_consents"

// BeginConsent stores a consent in the place of an earlier one of the authority, whose state is void from then on.
func (s *Store) BeginConsent(ctx context.Context, scope models.Scope, actor models.Actor, c models.AuthorityConsent) error {
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return err
	}
	verifier := key.DocumentKey(scope.OrganizationID).Seal(verifierField, []byte(c.Verifier))
	return s.connecting(ctx, scope, actor, models.AuditUpdate, c.Authority, "begun", func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, `
			INSERT INTO authority_consents (organization_id, authority, state, session, user_id, verifier, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (organization_id, authority) DO UPDATE SET state = excluded.state, session = excluded.session,
			  user_id = excluded.user_id, verifier = excluded.verifier, expires_at = excluded.expires_at`,
			scope.OrganizationID, c.Authority, c.State, c.Session, c.UserID, verifier, c.ExpiresAt)
		return pg.Translate(err)
	})
}

// UseConsent takes the consent with a state, which exists no more afterwards. Errors: models.ErrNotFound.
func (s *Store) UseConsent(
	ctx context.Context, scope models.Scope, authority string, state []byte,
) (c models.AuthorityConsent, err error) {
	var sealed []byte
	err = s.db.QueryRow(ctx, `
		DELETE FROM authority_consents WHERE organization_id = $1 AND authority = $2
		   AND /* guard: consents: only the newest state of an organization counts */ state = $3
		RETURNING authority, state, session, user_id, verifier, expires_at`, scope.OrganizationID, authority, state).
		Scan(&c.Authority, &c.State, &c.Session, &c.UserID, &sealed, &c.ExpiresAt)
	if err != nil {
		return c, pg.Translate(err)
	}
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return c, err
	}
	verifier, err := key.DocumentKey(scope.OrganizationID).Open(verifierField, sealed)
	c.Verifier = string(verifier)
	return c, err
}

// RefuseConsent records in the audit trail that a person has not granted access, or that the authority has not taken it.
func (s *Store) RefuseConsent(ctx context.Context, scope models.Scope, actor models.Actor, authority string) error {
	return s.connecting(ctx, scope, actor, models.AuditUpdate, authority, "refused",
		func(context.Context) error { return nil })
}

// Connect stores what a person has granted, in the place of an earlier grant. A renewal that is under way ends first.
func (s *Store) Connect(
	ctx context.Context, scope models.Scope, actor models.Actor, authority string, grant models.AuthorityGrant, ends time.Time,
) error {
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return err
	}
	grant.Consented = true
	tokens, err := s.Grants(authority).seal(key, scope.OrganizationID, grant)
	if err != nil {
		return err
	}
	return s.connecting(ctx, scope, actor, models.AuditCreate, authority, "granted", func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, `
			INSERT INTO authority_grants (organization_id, authority, tokens, granted_at, granted_by, ends_at)
			VALUES ($1, $2, $3, now(), $4, $5)
			ON CONFLICT (organization_id, authority) DO UPDATE SET tokens = excluded.tokens, renewed_at = now(),
			  granted_at = excluded.granted_at, granted_by = excluded.granted_by, ends_at = excluded.ends_at`,
			scope.OrganizationID, authority, tokens, actor.Name(), ends)
		return pg.Translate(err)
	})
}

// Disconnect deletes the tokens of an organization, and a consent that was begun. A grant without tokens stays, by which a sandbox
// knows that it was not asked. Errors: models.ErrNotFound if nothing is granted or begun.
func (s *Store) Disconnect(ctx context.Context, scope models.Scope, actor models.Actor, authority string) error {
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return err
	}
	tokens, err := s.Grants(authority).seal(key, scope.OrganizationID, models.AuthorityGrant{Consented: true})
	if err != nil {
		return err
	}
	return s.connecting(ctx, scope, actor, models.AuditRevoke, authority, "ended", func(ctx context.Context) error {
		ended, err := s.db.Exec(ctx, `
			UPDATE authority_grants SET tokens = $3, granted_at = NULL, granted_by = NULL, ends_at = NULL
			 WHERE organization_id = $1 AND authority = $2 AND granted_at IS NOT NULL`, scope.OrganizationID, authority, tokens)
		if err != nil {
			return pg.Translate(err)
		}
		begun, err := s.db.Exec(ctx, "DELETE FROM authority_consents WHERE organization_id = $1 AND authority = $2",
			scope.OrganizationID, authority)
		if err == nil && ended.RowsAffected()+begun.RowsAffected() == 0 {
			return models.ErrNotFound
		}
		return pg.Translate(err)
	})
}

// connecting changes the connection of an organization, and records it in the audit trail in the same database transaction.
func (s *Store) connecting(
	ctx context.Context, scope models.Scope, actor models.Actor, action, authority, step string,
	change func(ctx context.Context) error,
) error {
	return pg.Translate(s.db.InTx(ctx, func(ctx context.Context) error {
		if err := change(ctx); err != nil {
			return err
		}
		entry := actor.Entry(scope, action, connectionType, authority).With(map[string]any{"access": step})
		return pg.Audit(s.db.GORM(ctx), entry)
	}))
}

// Connections returns the connections of an organization that people have granted, by authority.
func (s *Store) Connections(ctx context.Context, scope models.Scope) ([]models.AuthorityConnection, error) {
	rows, err := s.db.Query(ctx, `
		SELECT authority, granted_at, coalesce(granted_by, ''), ends_at FROM authority_grants
		 WHERE organization_id = $1 AND granted_at IS NOT NULL AND ends_at IS NOT NULL ORDER BY authority`, scope.OrganizationID)
	if err != nil {
		return nil, pg.Translate(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.AuthorityConnection])
	return list, pg.Translate(err)
}
