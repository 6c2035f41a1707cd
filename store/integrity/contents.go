package integrity

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/store/pg"
)

// MissingContents returns the versions of tax content that are missing although transactions were calculated by them.
// Their tax could not be explained or calculated again.
func (s *Store) MissingContents(ctx context.Context) ([]string, error) {
	return s.texts(ctx, `
		SELECT t.content_version FROM transactions t LEFT JOIN content_versions v ON v.version = t.content_version
		 WHERE t.content_version IS NOT NULL AND v.version IS NULL GROUP BY 1 ORDER BY 1`)
}

// MasterKeys returns the ids of the master keys or wrapping keys in use. They wrap data keys of organizations,
// keys of documents and of second factors, and keys of the installation.
func (s *Store) MasterKeys(ctx context.Context) ([]string, error) {
	return s.texts(ctx, `
		SELECT master_key_id FROM data_keys
		 UNION SELECT master_key_id FROM installation_keys
		 UNION SELECT master_key_id FROM second_factors
		 UNION `+pg.MasterKeysOfDocuments+` ORDER BY 1`)
}

func (s *Store) texts(ctx context.Context, query string) (all []string, err error) {
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		rows, err := tx.Query(ctx, query)
		all, err = pg.Collect(rows, err, pgx.RowTo[string])
		return err
	})
	return all, pg.Translate(err)
}
