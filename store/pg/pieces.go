package pg

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"

	"levy/internal/secret"
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
