package pg

import (
	"context"
	"errors"

	"levy/models/ledger"
)

// Leaf returns the digest of a content of the ledger, under the key of the installation that the database does not
// have. A process without master keys makes none.
func (db *DB) Leaf(ctx context.Context, content []byte) ([]byte, error) {
	key, err := db.LoadTaxIDKey(ctx)
	if errors.Is(err, ErrNoMasterKeys) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return key.Leaf(content)[:ledger.DigestSize], nil
}
