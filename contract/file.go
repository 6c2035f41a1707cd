package contract

import (
	"bytes"
	"io"
)

// File is a file that a client uploads.
type File struct {
	Name    string    // safe to show and to store under; empty for a file without a name
	Type    string    // media type, by its content
	Content io.Reader // read once, while it arrives. Its error may be a *problem.Problem.
}

// Bytes reads the file to its end. A file that is in memory already is not copied. Errors: those of its content.
func (f *File) Bytes() ([]byte, error) {
	if held, ok := f.Content.(*bytes.Buffer); ok {
		return held.Bytes(), nil
	}
	return io.ReadAll(f.Content)
}
