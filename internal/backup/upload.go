package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/minio/minio-go/v7"
)

// Take sends the cluster to the object store as PostgreSQL sends it: nothing of it is on a disk in between. Each file
// is compared with its checksum during the upload. Then it is a backup that is not verified.
func (b *Bucket) Take(ctx context.Context, of Server, m *Manifest) (name string, removed []string, err error) {
	release, err := of.hold(ctx, slotOfBuckets)
	if err != nil {
		return "", nil, err
	}
	defer release()
	if removed, err = removeUnfinished(ctx, b); err != nil {
		return "", nil, err
	}
	name = nameAt(m.BeganAt)
	if err := b.send(ctx, name, m, of.streamer(b, m)); err != nil {
		tidy, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		return "", removed, errors.Join(err, b.Remove(tidy, name))
	}
	return name, removed, nil
}

// send makes a backup of what write writes, a tar archive of a cluster.
func (b *Bucket) send(ctx context.Context, name string, m *Manifest, write streamer) error {
	if err := b.put(ctx, b.key(name, begunFile), nil); err != nil {
		return err
	}
	list, err := pack(ctx, m, write, func(ctx context.Context, from io.Reader) error {
		_, err := b.core.Client.PutObject(ctx, b.bucket, b.key(name, archiveFile), from, -1,
			minio.PutObjectOptions{PartSize: b.partSize, ContentType: "application/zstd"})
		return b.explain(err)
	})
	if err != nil {
		return err
	}
	if err := b.put(ctx, b.key(name, listFile), list); err != nil {
		return err
	}
	m.EndedAt = time.Now().UTC()
	return b.Write(ctx, name, m.begun())
}

// Replication slots, for as long as a backup is taken: the server keeps the WAL that the end of the backup needs. There is one
// for each kind of place, so no two backups of a server are taken into one place at the same time.
const (
	slotOfBuckets = "levy_backup"
	slotOfFolders = "levy_backup_folder"
)

// hold makes a slot. release gives it back, as does the end of the connection.
func (s Server) hold(ctx context.Context, slot string) (release func(), err error) {
	conn, err := s.replicate(ctx, "levy backup", nil)
	if err != nil {
		return nil, err
	}
	closing := func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		_ = conn.Close(end) // the server ends it by itself, too
	}
	_, err = conn.Exec(ctx, "CREATE_REPLICATION_SLOT "+slot+" TEMPORARY PHYSICAL RESERVE_WAL").ReadAll()
	if err != nil {
		closing()
		return nil, fmt.Errorf("no replication slot for the backup; if it exists, another backup of this server is being taken: %w", err)
	}
	return func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		// The next backup may follow at once. The server drops the slot of a connection only some time after its end.
		_, _ = conn.Exec(end, "DROP_REPLICATION_SLOT "+slot).ReadAll()
		closing()
	}, nil
}

// replicate connects for replication, by the name of the application and with further settings of the session.
func (s Server) replicate(ctx context.Context, name string, settings map[string]string) (*pgconn.PgConn, error) {
	at, password, err := libpq(s.URL)
	if err != nil {
		return nil, err
	}
	config, err := pgconn.ParseConfig(at)
	if err != nil {
		return nil, errors.New("the address of the database is not one that is understood")
	}
	config.Password = password
	config.RuntimeParams = map[string]string{"application_name": name, "replication": "true", "idle_session_timeout": "0"}
	maps.Copy(config.RuntimeParams, settings)
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("no connection for replication: %w", err)
	}
	return conn, nil
}
