package testbed

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"levy/internal/local/postgres"
)

// standbyName is that by which the primary waits for the standby.
const standbyName = "levy_standby"

// AddStandby gives the bed's own PostgreSQL a standby that has every commit before it is answered. The
// commands and processes that are started from now on, and DB, know both servers, and use the one that
// takes writes.
func (b *Bed) AddStandby(ctx context.Context) {
	b.tb.Helper()
	primary, err := url.Parse(b.DatabaseURL)
	require.NoError(b.tb, err)
	password, _ := primary.User.Password()
	major := b.Count("SELECT current_setting('server_version_num')::int / 10000")
	dir := b.Folder("standby")
	cluster := filepath.Join(dir, "cluster")
	require.NoError(b.tb, os.Mkdir(cluster, 0o700))
	tools, err := postgres.FindTools(major, "")
	require.NoError(b.tb, err)
	from := *primary
	from.RawQuery = url.Values{"sslmode": {"disable"}, "application_name": {standbyName}}.Encode()
	cmd, err := tools.Command(ctx, "pg_basebackup", "--dbname", from.String(), "--pgdata", filepath.Join(cluster, "data"),
		"--checkpoint=fast", "--no-sync", "--write-recovery-conf")
	require.NoError(b.tb, err)
	out, err := cmd.CombinedOutput()
	require.NoError(b.tb, err, "%s", out)
	require.NoError(b.tb, tools.Own(cluster))
	record, err := json.Marshal(map[string]any{"dir": "cluster", "password": password})
	require.NoError(b.tb, err)
	require.NoError(b.tb, os.WriteFile(filepath.Join(dir, "cluster.json"), record, 0o600))
	standby, err := postgres.Start(ctx, postgres.Config{Dir: dir, Fast: b.own.fast, Out: os.Stderr})
	require.NoError(b.tb, err)
	b.own.standby = standby
	b.tb.Cleanup(func() {
		_ = standby.Stop(context.Background())
		if b.tb.Failed() {
			b.tb.Logf("the end of the standby's log:\n%s", tail(filepath.Join(dir, "postgres.log"), 20))
		}
	})
	b.Exec("ALTER SYSTEM SET synchronous_standby_names = '" + standbyName + "'")
	b.Exec("SELECT pg_reload_conf()")
	b.Eventually("the primary waits for the standby", func(context.Context) (bool, error) {
		return b.Count("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1, nil
	})
	both := *primary
	other, err := url.Parse(standby.URL(""))
	require.NoError(b.tb, err)
	both.Host += "," + other.Host
	both.RawQuery = url.Values{"sslmode": {"disable"}, "target_session_attrs": {"read-write"}}.Encode()
	service, err := url.Parse(b.serviceURL)
	require.NoError(b.tb, err)
	ofService := both
	ofService.User = service.User
	b.Set("LEVY_DATABASE_URL", ofService.String())
	b.DB.Close()
	b.DB, err = pgxpool.New(ctx, both.String())
	require.NoError(b.tb, err)
	b.tb.Cleanup(b.DB.Close)
}

// Promote has the standby take writes, and returns when it does.
func (b *Bed) Promote(ctx context.Context) {
	b.tb.Helper()
	pool, err := pgxpool.New(ctx, b.own.standby.URL(""))
	require.NoError(b.tb, err)
	defer pool.Close()
	var promoted bool
	require.NoError(b.tb, pool.QueryRow(ctx, "SELECT pg_promote()").Scan(&promoted))
	require.True(b.tb, promoted)
}
