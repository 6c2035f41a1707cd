package registrations

import (
	"context"
	"encoding/json"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

// Grants are the grants of organizations at one authority, encrypted.
type Grants struct {
	store     *Store
	authority string
}

// Grants returns the grants at the authority of an adapter.
func (s *Store) Grants(authority string) *Grants { return &Grants{s, authority} }

const selectGrant = "SELECT tokens FROM authority_grants WHERE organization_id = $1 AND authority = $2"

// Grant reads the grant of an organization. Errors: models.ErrNotFound; secret.ErrUnreadable.
func (g *Grants) Grant(ctx context.Context, organizationID string) (models.AuthorityGrant, error) {
	return g.read(ctx, organizationID, selectGrant)
}

func (g *Grants) read(ctx context.Context, organizationID, statement string) (grant models.AuthorityGrant, err error) {
	var tokens []byte
	if err := g.store.db.QueryRow(ctx, statement, organizationID, g.authority).Scan(&tokens); err != nil {
		return grant, pg.Translate(err)
	}
	if len(tokens) == 0 {
		return grant, nil // of a first renewal that is under way
	}
	key, err := g.store.db.LoadTaxIDKey(ctx)
	if err != nil {
		return grant, err
	}
	plain, err := key.DocumentKey(organizationID).Open(g.field(), tokens)
	if err != nil {
		return grant, err
	}
	return grant, json.Unmarshal(plain, &grant)
}

// field is what tokens are bound to when they are encrypted, with the organization.
func (g *Grants) field() string { return "authority_grants " + g.authority }

// seal returns the grant of an organization as it is stored.
func (g *Grants) seal(key *secret.TextKey, organizationID string, grant models.AuthorityGrant) (tokens []byte, err error) {
	plain, err := json.Marshal(grant)
	if err != nil {
		return nil, err
	}
	// guard: grants: tokens are encrypted before they are stored
	tokens = key.DocumentKey(organizationID).Seal(g.field(), plain)
	return tokens, nil
}

// RenewGrant replaces the grant of an organization by that which renew makes of the stored one, which is empty if there is none.
// One process renews at a time: the others wait for it, and renew sees what it made. Errors: those of renew, after which the
// old grant stays; secret.ErrUnreadable.
func (g *Grants) RenewGrant(
	ctx context.Context, organizationID string, renew func(context.Context, models.AuthorityGrant) (models.AuthorityGrant, error),
) (grant models.AuthorityGrant, err error) {
	key, err := g.store.db.LoadTaxIDKey(ctx)
	if err != nil {
		return grant, err
	}
	err = g.store.db.InTx(ctx, func(ctx context.Context) error {
		// Of two first renewals one waits here for the other.
		_, err := g.store.db.Exec(ctx, `INSERT INTO authority_grants (organization_id, authority, tokens) VALUES ($1, $2, '')
			ON CONFLICT DO NOTHING`, organizationID, g.authority)
		if err != nil {
			return pg.Translate(err)
		}
		// guard: grants: one process renews a grant at a time
		stored, err := g.read(ctx, organizationID, selectGrant+" FOR UPDATE")
		if err != nil {
			return err
		}
		if grant, err = renew(ctx, stored); err != nil || grant == stored {
			return err
		}
		tokens, err := g.seal(key, organizationID, grant)
		if err != nil {
			return err
		}
		_, err = g.store.db.Exec(ctx, `UPDATE authority_grants SET tokens = $3, renewed_at = now()
			WHERE organization_id = $1 AND authority = $2`, organizationID, g.authority, tokens)
		return pg.Translate(err)
	})
	return grant, err
}
