package integrity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

// keyPlace is a table with wrapped keys, and the columns that identify a key.
type keyPlace struct {
	kind                 secret.KeyKind
	table                string
	organization, record string // of the row t
}

var keyPlaces = []keyPlace{
	{secret.KeyOfOrganization, "data_keys", "t.organization_id", "''"},
	{secret.KeyOfDocument, "exemption_attachments", "t.organization_id", "t.id"},
	{secret.KeyOfSecondFactor, "second_factors", "'" + models.InstallationAudit + "'", "t.user_id"},
	{secret.KeyOfInstallation, "installation_keys", "'" + models.InstallationAudit + "'", "t.id"},
}

// everyKey reads all wrapped keys, as of one moment.
var everyKey = func() string {
	var parts []string
	for _, p := range keyPlaces {
		parts = append(parts, fmt.Sprintf(`SELECT '%s'::text, %s::text, %s::text, t.master_key_id::text,
			  t.wrapped, t.created_at
			FROM %s t WHERE t.wrapped IS NOT NULL`, p.kind, p.organization, p.record, p.table))
	}
	return strings.Join(parts, " UNION ALL ")
}()

// KeysWriter writes a file with the wrapped keys.
type KeysWriter interface {
	Key(secret.StoredKey) error
	// Erased writes the id of a person, a customer or an organization that was erased.
	Erased(id string) error
	// Commit replaces the previous file.
	Commit() error
	// Discard removes an uncommitted file.
	Discard()
}

// SaveKeys writes all wrapped keys of one moment, and the ids of erased records, to the writer that begin returns.
// The id of the file is audited before the keys are read: a database that does not know it is older than the file.
// Files are written one after the other, each newer than the last one. It returns errors of begin and of the writer
// unchanged.
func (s *Store) SaveKeys(
	ctx context.Context, staff models.Actor, place string, begin func(ctx context.Context, id string) (KeysWriter, error),
) (models.SavedKeys, error) {
	ctx = models.AcrossOrganizations(ctx)
	saved := models.SavedKeys{ID: models.NewID("keys"), Place: place}
	if err := s.auditKeys(ctx, staff, models.AuditSaveKeys, saved); err != nil {
		return saved, err
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, "SELECT "+pg.LockSavedKeys.Wait()+", set_config('statement_timeout', '0', true)")
		if err != nil {
			return err
		}
		to, err := begin(ctx, saved.ID)
		if err != nil {
			return err
		}
		defer to.Discard()
		if saved.Keys, err = s.writeKeys(ctx, to); err != nil {
			return err
		}
		return s.auditKeys(ctx, staff, models.AuditKeysSaved, saved)
	})
	return saved, err
}

// writeKeys reads the erased records after the keys. A record that was erased in between is in the file with both.
func (s *Store) writeKeys(ctx context.Context, to KeysWriter) (n int64, err error) {
	rows, err := s.db.Query(ctx, everyKey)
	var k secret.StoredKey
	key := []any{&k.Kind, &k.OrganizationID, &k.RecordID, &k.MasterKeyID, &k.Wrapped, &k.MadeAt}
	err = pg.ForEach(rows, err, key, func() error {
		n++
		return to.Key(k)
	})
	if err != nil {
		return n, err
	}
	if rows, err = s.db.Query(ctx, "SELECT DISTINCT entity_id::text FROM audit WHERE action = $1 ORDER BY 1",
		models.AuditErase); err != nil {
		return n, pg.Translate(err)
	}
	var id string
	if _, err = pgx.ForEachRow(rows, []any{&id}, func() error { return to.Erased(id) }); err != nil {
		return n, pg.Translate(err)
	}
	return n, to.Commit()
}

func (s *Store) auditKeys(ctx context.Context, staff models.Actor, action string, saved models.SavedKeys) error {
	detail := map[string]any{"place": saved.Place, "keys": saved.Keys}
	scope := models.Scope{OrganizationID: models.InstallationAudit}
	return pg.Translate(pg.Audit(s.db.GORM(ctx), staff.Entry(scope, action, "wrapped_keys", saved.ID).With(detail)))
}

// KnowsKeys reports whether the database wrote a file with wrapped keys, or was restored with it.
func (s *Store) KnowsKeys(ctx context.Context, id string) (knows bool, err error) {
	err = s.db.QueryRow(models.AcrossOrganizations(ctx),
		"SELECT EXISTS (SELECT FROM audit WHERE organization_id = $1 AND entity_id = $2)",
		models.InstallationAudit, id).Scan(&knows)
	return knows, pg.Translate(err)
}

// KeysSaved returns the last file with the wrapped keys, and the records erased since.
func (s *Store) KeysSaved(ctx context.Context) (known models.KeysSaved, err error) {
	ctx = models.AcrossOrganizations(ctx)
	var last models.SavedKeys
	var detail json.RawMessage
	var at time.Time
	var microseconds int64
	err = s.db.QueryRow(ctx, `
		SELECT entity_id::text, detail, at, (extract(epoch FROM greatest(now() - at, interval '0')) * 1000000)::bigint
		  FROM audit
		 WHERE action = $1
		 ORDER BY at DESC LIMIT 1`, models.AuditKeysSaved).Scan(&last.ID, &detail, &at, &microseconds)
	if errors.Is(err, pgx.ErrNoRows) {
		return known, nil
	}
	if err != nil {
		return known, pg.Translate(err)
	}
	var of struct {
		Place string `json:"place"`
		Keys  int64  `json:"keys"`
	}
	if err := json.Unmarshal(detail, &of); err != nil {
		return known, err
	}
	last.Place, last.Keys = of.Place, of.Keys
	known.At = at
	known.Last, known.Age = &last, time.Duration(microseconds)*time.Microsecond
	err = s.db.QueryRow(ctx, "SELECT count(DISTINCT entity_id) FROM audit WHERE action = $1 AND at > $2",
		models.AuditErase, at).Scan(&known.ErasedSince)
	return known, pg.Translate(err)
}
