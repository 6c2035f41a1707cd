package masterkeys

import (
	"context"
	"fmt"

	"levy/models"
	"levy/store/pg"
)

// askSome is how many events one statement writes.
const askSome = 500

// ask writes an event for API keys that need the key $1, unless one was written since the newest key came in front.
const ask = `
	INSERT INTO events (organization_id, type, object_id, record)
	SELECT a.organization_id, $2, a.id, to_jsonb(a) - '{hash,master_key_id}'::text[]
	  FROM api_keys a JOIN organizations o ON o.id = a.organization_id AND o.status = 'ACTIVE'
	 WHERE (a.master_key_id = $1 OR a.master_key_id IS NULL)
	   AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > now())
	   AND NOT EXISTS (SELECT FROM events e WHERE e.organization_id = a.organization_id AND e.object_id = a.id AND e.type = $2
	                      AND e.created_at >= (SELECT current_since FROM master_keys WHERE ` + newestKey + `))
	 ORDER BY a.organization_id, a.id LIMIT $3`

// Ask asks each organization, by an event, to use or rotate its API keys that need a master key. It returns how many
// events it wrote. The newest key asks nothing. It may be interrupted and repeated. Errors: models.ErrNotFound for a key
// that no process has had.
func (s *Store) Ask(ctx context.Context, staff models.Actor, id string) (asked int64, err error) {
	ctx = models.AcrossOrganizations(ctx)
	key, err := s.Key(ctx, id)
	if err != nil {
		return 0, err
	}
	if key.Newest {
		return 0, fmt.Errorf("it is the newest: %w", models.ErrForbidden)
	}
	entry := staff.Entry(models.Scope{OrganizationID: models.InstallationAudit}, models.AuditAsk, "master_key", id)
	if err := pg.Audit(s.db.GORM(ctx), entry); err != nil {
		return 0, pg.Translate(err)
	}
	for {
		written, err := s.db.Exec(ctx, ask, id, models.EventKeyReplacementDue, askSome)
		if err != nil {
			return asked, pg.Translate(err)
		}
		asked += written.RowsAffected()
		if written.RowsAffected() < askSome {
			return asked, nil
		}
	}
}
