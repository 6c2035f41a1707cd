package organizations

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/content"
	"levy/store/pg"
)

// grantedNow is what the partner of the organization o may do for it by the grant g, or an empty text without one. See
// models.Organization.Granted.
const grantedNow = `CASE WHEN g.role IS NULL THEN '' WHEN o.onboarding_status = 'IN_PROGRESS' THEN 'admin' ELSE g.role END`

// findPrincipal finds the active key with a hash and records its use, once a minute at most. The first use confirms the
// key. A use also replaces a hash under an older master key by the first one of $1, whose key is $2. It replaces none if
// that is NULL.
var findPrincipal = `
WITH found AS (
  SELECT k.organization_id, k.id, k.expires_at, k.scopes, k.allowed_addresses, k.master_key_id,
         ` + grantedNow + ` AS granted,
         ` + principalColumns + `
  FROM api_keys k
  JOIN organizations o ON o.id = k.organization_id AND o.status = 'ACTIVE'
  ` + principalJoins + `
  LEFT JOIN client_grants g ON k.granted AND g.organization_id = k.organization_id AND g.ended_at IS NULL
  WHERE k.hash = ANY($1) AND (g.organization_id IS NOT NULL OR NOT k.granted)
    /* guard: keys: a revoked one is not found */ AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
    AND (p.id IS NULL OR p.status = 'ACTIVE')
), used AS (
  UPDATE api_keys k SET last_used_at = date_trunc('minute', now()),
         hash = CASE WHEN $2::text IS NULL THEN k.hash ELSE ($1::bytea[])[1] END,
         master_key_id = coalesce($2::text, k.master_key_id)
  FROM found f
  WHERE k.organization_id = f.organization_id AND k.id = f.id
    AND (k.last_used_at IS NULL OR k.last_used_at < date_trunc('minute', now())
         OR f.master_key_id IS DISTINCT FROM coalesce($2::text, f.master_key_id))
)
SELECT organization_id, id, expires_at, scopes, allowed_addresses, granted, parent_organization_id, rounding_unit,
       per_minute, burst,
       business_address, fallback, covers, home, obligations, overrides FROM found`

// principalOf is findPrincipal for a person, without a key.
var principalOf = `
SELECT o.id, '', NULL::timestamptz, NULL::jsonb, NULL::jsonb, ` + grantedNow + `, ` + principalColumns + `
  FROM organizations o
  ` + principalJoins + `
  LEFT JOIN client_grants g ON g.organization_id = o.id AND g.ended_at IS NULL
 WHERE o.id = $1 AND o.status = 'ACTIVE' AND (p.id IS NULL OR p.status = 'ACTIVE')`

// principalColumns are the columns of a principal about its organization o.
var (
	principalColumns = `o.parent_organization_id, s.rounding_unit, l.per_minute, l.burst,
         d.business_address, coalesce(s.enable_business_address_fallback, false) AS fallback,
         (SELECT jsonb_agg(jsonb_build_object('country', r.country_code, 'state', r.state_code, 'from',
           r.registration_date, 'simplified', r.registrations_regime = 'SIMPLIFIED',
                   'home', CASE WHEN r.oss_type = 'UNION' THEN r.oss_member_state_of_identification_code END))
            FROM registrations r WHERE r.organization_id = o.id
              AND r.status IN ('REGISTERED', 'DEREGISTERING')) AS covers,
         coalesce(d.place->>'country', '') AS home,
         (SELECT jsonb_agg(jsonb_build_object('country_code', n.country_code, 'state_code', n.state_code,
                   'from', n.obliged_from::timestamp AT TIME ZONE 'UTC', 'until',
                     n.obliged_until::timestamp AT TIME ZONE 'UTC', 'gaps', n.obliged_gaps))
            FROM nexus_records n WHERE n.organization_id = o.id AND n.enabled
              AND n.state_code = n.country_code
             AND n.obliged_from IS NOT NULL) AS obligations,
         ` + content.OverridesOf("o.id") + ` AS overrides`
	principalJoins = `JOIN organization_settings s ON s.organization_id = o.id
  LEFT JOIN rate_limits l ON l.organization_id = o.id
  LEFT JOIN organization_details d ON d.organization_id = o.id AND d.place IS NOT NULL
  LEFT JOIN organizations p ON p.id = o.parent_organization_id`
)

// FindPrincipal returns the principal of a key. hashes are those of the key under every master key, that of the current
// one first.
// It crosses organizations, because a key arrives without one. Errors: models.ErrNotFound for a key that is unknown,
// revoked or expired, or whose organization or its parent is archived.
func (s *Store) FindPrincipal(ctx context.Context, hashes [][]byte) (models.Principal, error) {
	// The setting has only the organization of the key, for this statement alone. Planning would take most of the time.
	batch := &pgx.Batch{}
	batch.Queue("SELECT set_config('levy.organizations', coalesce(organization_of_key($1), ''), true), "+
		pg.PlanByKey, hashes)
	return s.principal(ctx, batch, findPrincipal, hashes, s.db.NewestMasterKeyID())
}

// PrincipalOf returns the principal of an organization, for a person with a role there. The caller must have checked
// the role. Errors: models.ErrNotFound for an organization that is unknown or archived, or whose parent is.
func (s *Store) PrincipalOf(ctx context.Context, organizationID string) (models.Principal, error) {
	batch := &pgx.Batch{}
	batch.Queue("SELECT " + pg.PlanByKey)
	return s.principal(models.WithReach(ctx, organizationID), batch, principalOf, organizationID)
}

// principal reads a principal by a statement of a batch.
func (s *Store) principal(ctx context.Context, batch *pgx.Batch, statement string, of ...any) (models.Principal, error) {
	var p models.Principal
	var perMinute, burst *int
	var address []byte
	var fallback bool
	found := true
	batch.Queue(statement, of...).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&p.OrganizationID, &p.APIKeyID, &p.ExpiresAt, &p.Scopes, &p.Networks, &p.Grant, &p.ParentOrganizationID,
			&p.RoundingUnit, &perMinute, &burst, &address, &fallback, &p.Covers, &p.Home, &p.Obligations, &p.Overrides)
		if found = !errors.Is(err, pgx.ErrNoRows); !found {
			return nil // after an error the driver would drop its prepared statements
		}
		return err
	})
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return models.Principal{}, pg.Translate(err)
	}
	if !found {
		return models.Principal{}, models.ErrNotFound
	}
	var err error
	if address != nil {
		if p.Business, err = models.BusinessOf(address, fallback); err != nil {
			return models.Principal{}, err
		}
	}
	if perMinute != nil && burst != nil {
		p.RateLimit = &models.RateLimit{PerMinute: *perMinute, Burst: *burst}
	}
	return p, nil
}

// WatchPrincipals calls changed, until ctx ends, with organizations whose data for FindPrincipal has changed,
// in the organization or its parent. Triggers notify with the database transaction of the change. It calls connected
// when no change is missed from then on, and lost when changes may be missed. It crosses organizations.
func (s *Store) WatchPrincipals(
	ctx context.Context, connected func(), changed func(organizationID string), lost func(error),
) {
	s.db.Listen(ctx, "levy_principals", pg.Listener{Connected: connected, Received: changed, Lost: lost})
}
