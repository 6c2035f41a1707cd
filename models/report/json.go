package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/go-json-experiment/json"
)

// JSONWriter writes a report in its canonical form. The transactions must come in id order. It writes many small
// pieces.
type JSONWriter struct {
	to    io.Writer
	row   bytes.Buffer
	begun bool // a transaction has been written
}

// NewJSONWriter begins a report.
func NewJSONWriter(to io.Writer, h *Head) (*JSONWriter, error) {
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	// "transactions" is the last of the names, so it follows all members of the head.
	head = append(head[:len(head)-1], `,"transactions":[`...)
	_, err = to.Write(head)
	return &JSONWriter{to: to}, err
}

// Transaction adds a transaction.
func (w *JSONWriter) Transaction(t *Transaction) error {
	w.row.Reset()
	if w.begun {
		w.row.WriteByte(',')
	}
	w.begun = true
	if err := json.MarshalWrite(&w.row, t); err != nil {
		return err
	}
	_, err := w.to.Write(w.row.Bytes())
	return err
}

// End ends the report.
func (w *JSONWriter) End() error {
	_, err := io.WriteString(w.to, "]}")
	return err
}

// Hash computes the hash of a report from its parts.
type Hash struct {
	*JSONWriter
	sum hash.Hash
}

// NewHash begins the hash of a report. It ignores the hash in the head.
func NewHash(h *Head) (*Hash, error) {
	content := *h
	content.Hash = nil
	sum := sha256.New()
	w, err := NewJSONWriter(sum, &content)
	return &Hash{w, sum}, err
}

// Sum ends the report and returns its hash, in hexadecimal.
func (h *Hash) Sum() (string, error) {
	if err := h.End(); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.sum.Sum(nil)), nil
}
