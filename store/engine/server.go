package engine

import (
	"context"
	"time"

	"levy/models"
	"levy/store/pg"
)

// DatabaseServer returns how close PostgreSQL is to its limits. except is the replication slot that is no standby.
func (s *Store) DatabaseServer(ctx context.Context, except string) (d models.DatabaseServer, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT ((SELECT coalesce(sum(numbackends), 0) FROM pg_stat_database) * 100.0
		         / (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int))::bigint,
		       ((SELECT max(greatest(age(datfrozenxid), mxid_age(datminmxid))) FROM pg_database) * 100.0 / 2147483648)::bigint`,
	).Scan(&d.Connections, &d.Wraparound)
	if err != nil {
		return d, pg.Translate(err)
	}
	// pg_stat_replication shows standbys without a slot only to members of pg_monitor.
	rows, err := s.db.Query(ctx, `
		SELECT slot_name::text, greatest(0, pg_current_wal_lsn() - restart_lsn)::bigint
		  FROM pg_replication_slots WHERE NOT pg_is_in_recovery() AND slot_name <> $1 AND restart_lsn IS NOT NULL
		 UNION ALL
		SELECT application_name, max(greatest(0, pg_current_wal_lsn() - replay_lsn))::bigint
		  FROM pg_stat_replication WHERE NOT pg_is_in_recovery() AND replay_lsn IS NOT NULL AND application_name <> ''
		   AND NOT EXISTS (SELECT FROM pg_replication_slots WHERE active_pid = pid)
		 GROUP BY 1`, except)
	var standby models.Standby
	err = pg.ForEach(rows, err, []any{&standby.Name, &standby.Behind}, func() error {
		d.Standbys = append(d.Standbys, standby)
		return nil
	})
	return d, pg.Translate(err)
}

// OperatorKeyLeft returns the time until the first operator key ends; known is false if none that works has an end.
func (s *Store) OperatorKeyLeft(ctx context.Context) (left time.Duration, known bool, err error) {
	var microseconds *int64
	err = s.db.QueryRow(ctx, `
		SELECT (extract(epoch FROM min(expires_at) - now()) * 1000000)::bigint
		  FROM operator_keys WHERE revoked_at IS NULL AND expires_at > now()`).Scan(&microseconds)
	if err != nil || microseconds == nil {
		return 0, false, pg.Translate(err)
	}
	return time.Duration(*microseconds) * time.Microsecond, true, nil
}
