package people

import (
	"context"
	"encoding/json"
	"strings"

	"levy/models"
	"levy/store/pg"
)

// personalQuery reads the personal data of the subject $1, one JSON object for each row. It may use its organization,
// $2.
type personalQuery struct{ kind, sql string }

// erasures reads when a subject was erased, because the export lacks the erased data.
var erasures = personalQuery{"erasure", `SELECT jsonb_build_object('erased_at', a.at, 'by', a.staff) FROM audit a
	WHERE a.action = 'erase' AND a.entity_id = $1 ORDER BY a.id`}

// personalQueries are the queries for a subject, by the prefix of its id. They omit hashes of secrets,
// which are not personal data, and sealed values, which only their data key opens.
var personalQueries = map[string][]personalQuery{
	models.PrefixUser: {
		erasures,
		{"user", "SELECT to_jsonb(u) - 'password_hash' FROM users u WHERE u.id = $1"},
		{"membership", "SELECT to_jsonb(m) FROM memberships m WHERE m.user_id = $1 ORDER BY m.organization_id"},
		{"second_factor", `SELECT jsonb_build_object('user_id', f.user_id, 'created_at', f.created_at,
			  'confirmed_at', f.confirmed_at)
			FROM second_factors f WHERE f.user_id = $1`},
		{"passkey", `SELECT to_jsonb(p) - 'credential_id' - 'public_key' FROM passkeys p
			WHERE p.user_id = $1 ORDER BY p.created_at`},
		{"recovery_code", "SELECT to_jsonb(r) - 'hash' - 'master_key_id' FROM recovery_codes r WHERE r.user_id = $1 ORDER BY r.used_at"},
		{"attached_proof", "SELECT to_jsonb(p) - 'digest' FROM attached_proofs p WHERE p.user_id = $1 ORDER BY p.made_at"},
		{"preferences", "SELECT to_jsonb(p) FROM preferences p WHERE p.user_id = $1"},
		{"saved_view", "SELECT to_jsonb(v) FROM saved_views v WHERE v.user_id = $1 ORDER BY v.list, v.name_key"},
		{"comment", `SELECT to_jsonb(c) || jsonb_build_object('texts', (SELECT jsonb_agg(v.text ORDER BY v.number)
			  FROM comment_versions v WHERE v.organization_id = c.organization_id AND v.comment_id = c.id))
			FROM comments c WHERE c.user_id = $1 ORDER BY c.created_at, c.id`},
		{"mention", "SELECT to_jsonb(m) FROM comment_mentions m WHERE m.user_id = $1 ORDER BY m.organization_id, m.comment_id"},
		{"device", "SELECT to_jsonb(d) - 'hash' FROM sign_in_devices d WHERE d.user_id = $1 ORDER BY d.seen_at"},
		{"session", "SELECT to_jsonb(s) - 'hash' FROM sessions s WHERE s.user_id = $1 ORDER BY s.created_at"},
		{"audit", `SELECT to_jsonb(a)
			FROM audit a
			WHERE a.user_id = $1 OR a.entity_type = 'user' AND a.entity_id = $1 ORDER BY a.id`},
	},
	models.PrefixCustomer: {
		erasures,
		{"customer", "SELECT to_jsonb(c) FROM customers c WHERE c.organization_id = $2 AND c.id = $1"},
		{"exemption", `SELECT to_jsonb(e)
			FROM exemptions e
			JOIN customers c ON c.organization_id = e.organization_id AND c.id = e.customer_id
			WHERE c.organization_id = $2 AND c.id = $1 ORDER BY e.id`},
		{"exemption_attachment", `SELECT to_jsonb(a) - 'wrapped' - 'master_key_id'
			FROM customers c
			JOIN exemptions e ON e.organization_id = c.organization_id AND e.customer_id = c.id
			JOIN exemption_attachments a ON a.organization_id = e.organization_id AND a.exemption_id = e.id
			WHERE c.organization_id = $2 AND c.id = $1 ORDER BY a.id`},
		{"transaction", `SELECT jsonb_build_object('id', t.id, 'external_id', t.external_id, 'date', t.date,
			  'status', t.status,
			  'addresses', (SELECT jsonb_agg(to_jsonb(a)) FROM transaction_addresses a
			                 WHERE a.organization_id = t.organization_id AND a.transaction_id = t.id))
			FROM customers c JOIN transactions t ON t.organization_id = c.organization_id AND t.customer_id = c.id
			WHERE c.organization_id = $2 AND c.id = $1 ORDER BY t.date, t.id`},
	},
	models.PrefixOrganization: {
		erasures,
		{"organization", "SELECT to_jsonb(o) FROM organizations o WHERE o.id = $1"},
		{"organization_settings", "SELECT to_jsonb(s) FROM organization_settings s WHERE s.organization_id = $1"},
		{"organization_details", "SELECT to_jsonb(d) FROM organization_details d WHERE d.organization_id = $1"},
		{"bank_details", "SELECT to_jsonb(b) FROM bank_details b WHERE b.organization_id = $1"},
		{"onboarding_mail", `SELECT to_jsonb(m) - 'hashes' FROM onboarding_mails m
			WHERE m.organization_id = $1 AND m.email <> '' ORDER BY m.id`},
		{"api_key", "SELECT to_jsonb(k) - 'hash' FROM api_keys k WHERE k.organization_id = $1 ORDER BY k.id"},
		{"membership", `SELECT to_jsonb(m) || jsonb_build_object('email', u.email, 'name', u.name)
			FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 ORDER BY m.user_id`},
	},
}

// PersonalData calls each with the personal data of a person, a customer or an organization, by id,
// one record after the other. It first audits the reader. Errors: models.ErrNotFound, and those of each.
func (s *Store) PersonalData(
	ctx context.Context, staff models.Actor, id string, each func(kind string, record json.RawMessage) error,
) error {
	ctx = models.AcrossOrganizations(ctx)
	kind, trail, err := s.subject(ctx, id)
	if err != nil {
		return err
	}
	if err := pg.Audit(s.db.GORM(ctx), staff.Entry(trail, models.AuditExport, kind, id)); err != nil {
		return pg.Translate(err)
	}
	for _, q := range personalQueries[prefixOf(id)] {
		args := []any{id, trail.OrganizationID}
		if !strings.Contains(q.sql, "$2") {
			args = args[:1]
		}
		rows, err := s.db.Query(ctx, q.sql, args...)
		var record json.RawMessage
		if err := pg.ForEach(rows, err, []any{&record}, func() error {
			if err := s.db.OpenTaxIDs(ctx, trail.OrganizationID, models.AnyTaxIDs{Document: &record}); err != nil {
				return err
			}
			return each(q.kind, record)
		}); err != nil {
			return err
		}
	}
	return nil
}

// prefixOf returns the prefix of an id.
func prefixOf(id string) string {
	prefix, _, _ := strings.Cut(id, "_")
	return prefix
}

// subject returns the type of the record with an id, and the scope of its audit entries. Errors: models.ErrNotFound.
func (s *Store) subject(ctx context.Context, id string) (kind string, trail models.Scope, err error) {
	switch prefixOf(id) {
	case models.PrefixUser:
		kind = "user"
		err = s.db.QueryRow(ctx, "SELECT $2::text FROM users WHERE id = $1", id, installation).Scan(&trail.OrganizationID)
	case models.PrefixCustomer:
		kind = "customer"
		// By the primary key, once for each organization, because another index would cost every sale to a new customer.
		err = s.db.QueryRow(ctx, `SELECT o.id FROM organizations o
			WHERE EXISTS (SELECT FROM customers c
			               WHERE c.organization_id = o.id AND c.id = $1 OFFSET 0)`, id).Scan(&trail.OrganizationID)
	case models.PrefixOrganization:
		kind = "organization"
		err = s.db.QueryRow(ctx, "SELECT id FROM organizations WHERE id = $1", id).Scan(&trail.OrganizationID)
	default:
		err = models.ErrNotFound
	}
	return kind, trail, pg.Translate(err)
}
