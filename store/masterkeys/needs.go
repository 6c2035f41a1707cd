package masterkeys

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// MadeUntil returns until when a process may have made something with a key: InFront after one last said that it has it in
// front. Of a key that none had in front since there are such notes it is when it was first seen.
func MadeUntil(k *models.MasterKey) time.Time {
	if k.InFrontAt != nil {
		return k.InFrontAt.Add(InFront)
	}
	return k.FirstSeenAt
}

// needs counts what needs the key $1. Sessions and links have no master key of their own: those that began by $2 may have
// it. So may a hash of which the key is not known.
const needs = `
	SELECT kind, sum(n)::bigint, max(until) FROM (
	  SELECT 'process', count(*), NULL::timestamptz FROM master_keys WHERE id = $1 AND in_front_at > now() - $3::interval
	  UNION ALL SELECT 'api_key', count(*), CASE WHEN count(*) = count(expires_at) THEN max(expires_at) END FROM api_keys
	   WHERE ` + heldBy + ` AND ` + active + `
	  UNION ALL SELECT 'operator_key', count(*), CASE WHEN count(*) = count(expires_at) THEN max(expires_at) END
	    FROM operator_keys WHERE ` + heldBy + ` AND ` + active + `
	  UNION ALL SELECT 'data_key', count(*), NULL FROM data_keys WHERE master_key_id = $1
	  UNION ALL SELECT 'document', count(*), NULL FROM exemption_attachments WHERE master_key_id = $1
	  UNION ALL SELECT 'second_factor', count(*), NULL FROM second_factors WHERE master_key_id = $1
	  UNION ALL SELECT 'installation_key', count(*), NULL FROM installation_keys WHERE master_key_id = $1
	  UNION ALL SELECT 'recovery_code', count(*), NULL FROM recovery_codes WHERE ` + heldBy + ` AND used_at IS NULL
	  UNION ALL SELECT 'session', count(*), max(ends_at) FROM sessions
	   WHERE created_at <= $2 AND revoked_at IS NULL AND ends_at > now()
	  UNION ALL SELECT 'sign_in_link', count(*), max(expires_at) FROM sign_in_links
	   WHERE created_at <= $2 AND used_at IS NULL AND expires_at > now()
	  UNION ALL SELECT 'onboarding_link', count(*), max(expires_at) FROM onboarding_links
	   WHERE created_at <= $2 AND expires_at > now()
	  UNION ALL SELECT 'calendar_feed', count(*), CASE WHEN count(*) = count(expires_at) THEN max(expires_at) END
	    FROM calendar_feeds WHERE ` + heldBy + ` AND (expires_at IS NULL OR expires_at > now())) n (kind, n, until)
	 WHERE n > 0 GROUP BY 1 ORDER BY 1`

const (
	active = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())"
	heldBy = "(master_key_id = $1 OR master_key_id IS NULL)"
)

// Needs returns what needs a key, as far as the database knows. It crosses organizations. Errors: models.ErrNotFound for a
// key that no process has had.
func (s *Store) Needs(ctx context.Context, id string) ([]models.MasterKeyNeed, error) {
	ctx = models.AcrossOrganizations(ctx)
	key, err := s.Key(ctx, id)
	if err != nil {
		return nil, err
	}
	var found []models.MasterKeyNeed
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		rows, err := tx.Query(ctx, needs, id, MadeUntil(&key), InFront)
		found, err = pg.Collect(rows, err, pgx.RowToStructByPos[models.MasterKeyNeed])
		return err
	})
	if err != nil {
		return nil, pg.Translate(err)
	}
	newest, err := s.Newest(ctx)
	if err != nil {
		return nil, err
	}
	if _, links, err := s.audit.SealsThatNeed(ctx, newest, id); err != nil {
		return nil, err
	} else if links > 0 {
		found = append(found, models.MasterKeyNeed{Kind: models.NeedAuditSeal, Count: links})
	}
	return found, nil
}

// holders selects what only its holder can move to another key. $1 is the key, empty for all but the newest, which is $2.
const holders = `
	SELECT coalesce(k.master_key_id, ''), k.kind, k.organization_id, k.organization_name, k.id, k.name, k.last_used_at, k.expires_at
	  FROM (
	    SELECT a.master_key_id::text, 'api_key' AS kind, a.organization_id::text, coalesce(o.name, '') AS organization_name,
	           a.id::text, coalesce(a.name, '') AS name, a.last_used_at, a.expires_at
	      FROM api_keys a JOIN organizations o ON o.id = a.organization_id AND o.status = 'ACTIVE'
	     WHERE a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > now())
	    UNION ALL
	    SELECT master_key_id::text, 'operator_key', '', '', id::text, coalesce(name, ''), NULL, expires_at
	      FROM operator_keys WHERE ` + active + `
	    UNION ALL
	    SELECT r.master_key_id::text, 'recovery_code', '', '', u.id::text, u.name, NULL, NULL
	      FROM recovery_codes r JOIN users u ON u.id = r.user_id
	     WHERE r.used_at IS NULL GROUP BY 1, u.id, u.name) k
	 WHERE CASE WHEN $1 = '' THEN k.master_key_id IS DISTINCT FROM $2 ELSE k.master_key_id = $1 OR k.master_key_id IS NULL END
	 ORDER BY k.kind, k.organization_name, k.organization_id, k.id`

// Holders returns the keys and codes that only their holders can move away from a master key, by using or replacing them.
// For an empty id it returns those of all master keys but the newest. It crosses organizations.
func (s *Store) Holders(ctx context.Context, id string) (found []models.MasterKeyHolder, err error) {
	newest, err := s.Newest(ctx)
	if err != nil {
		return nil, err
	}
	err = s.db.InSnapshot(models.AcrossOrganizations(ctx), func(ctx context.Context, tx pg.Querier) error {
		rows, err := tx.Query(ctx, holders, id, newest)
		found, err = pg.Collect(rows, err, pgx.RowToStructByPos[models.MasterKeyHolder])
		return err
	})
	return found, pg.Translate(err)
}

// BackupsThatNeed returns how many noted backups may need a key that is retired now, when they are restored. These are all:
// until its retirement something may have needed it, such as the hash of an API key.
func (s *Store) BackupsThatNeed(ctx context.Context) (n int64, err error) {
	err = s.db.QueryRow(ctx, "SELECT count(*) FROM backups").Scan(&n)
	return n, pg.Translate(err)
}

// Used returns the ids of the keys that a copy of the database needs: those that are not retired, and those that wrap.
func (s *Store) Used(ctx context.Context) (ids []string, err error) {
	err = s.db.InSnapshot(models.AcrossOrganizations(ctx), func(ctx context.Context, tx pg.Querier) error {
		rows, err := tx.Query(ctx, `SELECT id::text FROM master_keys WHERE retired_at IS NULL
			UNION SELECT master_key_id FROM data_keys
			UNION SELECT master_key_id FROM installation_keys
			UNION SELECT master_key_id FROM second_factors
			UNION `+pg.MasterKeysOfDocuments+` ORDER BY 1`)
		ids, err = pg.Collect(rows, err, pgx.RowTo[string])
		return err
	})
	return ids, pg.Translate(err)
}
