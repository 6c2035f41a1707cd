package catalog

import (
	"bytes"
	"context"

	"gorm.io/gorm/clause"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

// piece is a stored part of a document.
type piece struct {
	N       int
	Content []byte
}

// SealDocument seals one document that an older version stored in clear text. found is false if there is none.
// It is one database transaction, so an interrupted run is repeated.
func (s *Store) SealDocument(ctx context.Context, vault *secret.Vault) (found bool, err error) {
	err = s.db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		var some []models.Attachment
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE", Options: "SKIP LOCKED"}).
			Where("wrapped IS NULL").Order("organization_id, id").Limit(1).Find(&some).Error
		if found = err == nil && len(some) > 0; !found {
			return err
		}
		a := some[0]
		var pieces []piece
		if err := tx.Raw(selectPieces, a.OrganizationID, a.ID).Scan(&pieces).Error; err != nil {
			return err
		}
		// Deleted and inserted again, because triggers count stored bytes by that.
		if err := tx.Exec(deletePieces, a.OrganizationID, a.ID).Error; err != nil {
			return err
		}
		key, wrapped := vault.NewRecordKey(a.OrganizationID, a.ID)
		for _, p := range pieces {
			if err := insertSealed(tx, a, p.N, p.Content, key); err != nil {
				return err
			}
		}
		return tx.Exec("UPDATE exemption_attachments SET master_key_id = ?, wrapped = ? WHERE organization_id = ? AND id = ?",
			wrapped.MasterKeyID, wrapped.Wrapped, a.OrganizationID, a.ID).Error
	})
	return found, err
}

// DocumentsInClear returns how many documents SealDocument has not sealed yet.
func (s *Store) DocumentsInClear(ctx context.Context) (n int64, err error) {
	err = s.db.QueryRow(models.AcrossOrganizations(ctx),
		"SELECT count(*) FROM exemption_attachments WHERE wrapped IS NULL").Scan(&n)
	return n, pg.Translate(err)
}

// DocumentsOf calls each with the documents of the exemptions of a customer in clear. Errors: secret.ErrUnreadable,
// also for a document with another content than was stored, and those of each.
func (s *Store) DocumentsOf(
	ctx context.Context, vault *secret.Vault, customerID string, each func(a models.Attachment, content []byte) error,
) error {
	ctx = models.AcrossOrganizations(ctx)
	var all []models.Attachment
	err := s.db.GORM(ctx).Where(`(organization_id, exemption_id) IN (SELECT e.organization_id, e.id FROM exemptions e
		JOIN customers c ON c.organization_id = e.organization_id AND c.id = e.customer_id WHERE c.id = ?)`, customerID).
		Order("id").Find(&all).Error
	if err != nil {
		return pg.Translate(err)
	}
	for _, a := range all {
		var content bytes.Buffer
		if err := s.WriteAttachment(ctx, models.Scope{OrganizationID: a.OrganizationID}, vault, a, &content); err != nil {
			return err
		}
		if err := each(a, content.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// openerOf returns a function that opens the pieces of a document by their number. It returns pieces unchanged that an
// older version stored in clear text. Errors, also of the returned function: secret.ErrUnreadable.
func openerOf(keys secret.RecordKeyOpener, a models.Attachment) (func(n int, piece []byte) ([]byte, error), error) {
	if a.MasterKeyID == nil {
		return func(_ int, piece []byte) ([]byte, error) { return piece, nil }, nil
	}
	key, err := keys.RecordKey(secret.RecordKey{
		OrganizationID: a.OrganizationID, RecordID: a.ID,
		WrappedKey: secret.WrappedKey{MasterKeyID: *a.MasterKeyID, Wrapped: a.Wrapped},
	})
	if err != nil {
		return nil, err
	}
	return func(n int, piece []byte) ([]byte, error) { return key.Open(a.PieceField(n), piece) }, nil
}

// DocumentKeys returns the keys of documents, for their rotation.
func (s *Store) DocumentKeys() pg.WrappedKeys {
	return pg.WrappedKeys{DB: s.db, Table: "exemption_attachments", Organization: "organization_id", Record: "id"}
}
