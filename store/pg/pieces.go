package pg

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"

	"gorm.io/gorm"

	"levy/internal/secret"
	"levy/models"
)

// pieceSize is the size of a stored piece of a document, in bytes.
const pieceSize = 1 << 20

// InPieces calls each with the parts of a document as they are stored, so that no reader holds a whole document in memory.
func InPieces(content []byte, each func(n int, piece []byte) error) error {
	for n := 0; n*pieceSize < len(content); n++ {
		if err := each(n, content[n*pieceSize:min((n+1)*pieceSize, len(content))]); err != nil {
			return err
		}
	}
	return nil
}

// DeleteDocument deletes a document of an organization, a record of the type T, and its pieces by the statement. It audits it.
// Errors: gorm.ErrRecordNotFound, also for a deleted document.
func DeleteDocument[T any](tx *gorm.DB, scope models.Scope, id, deletePieces string, entry *models.AuditEntry) error {
	if err := tx.Exec(deletePieces, scope.OrganizationID, id).Error; err != nil {
		return err
	}
	deleted := Record(tx, scope, id).Delete(new(T))
	if deleted.Error != nil {
		return deleted.Error
	}
	if deleted.RowsAffected == 0 {
		return gorm.ErrRecordNotFound
	}
	return Audit(tx, entry)
}

// WritePieces writes a document of that many bytes to a writer. piece returns its parts in clear. Errors: those of piece and
// of the writer; secret.ErrUnreadable after the last part if the content is not that of the SHA-256.
func WritePieces(to io.Writer, id string, size int64, hash []byte, piece func(n int) ([]byte, error)) error {
	sum := sha256.New()
	written := int64(0)
	for n := 0; written < size; n++ {
		content, err := piece(n)
		if err != nil {
			return fmt.Errorf("piece %d of document %s: %w", n, id, err)
		}
		written += int64(len(content))
		sum.Write(content) // never fails
		if _, err := to.Write(content); err != nil {
			return err
		}
	}
	if !bytes.Equal(sum.Sum(nil), hash) {
		return fmt.Errorf("%w: document %s is not what was stored", secret.ErrUnreadable, id)
	}
	return nil
}
