package contract

import (
	"bytes"
	"io"
)

// File is a file that a client uploads.
type File struct {
	Name    string    // safe to display and to store; empty for a file without a name
	Type    string    // media type, found from the content
	Content io.Reader // read once, while the file arrives; its error may be a *problem.Problem
}

// Bytes reads the file to its end. It does not copy a file that is in memory already. It returns the errors of Content.
func (f *File) Bytes() ([]byte, error) {
	if held, ok := f.Content.(*bytes.Buffer); ok {
		return held.Bytes(), nil
	}
	return io.ReadAll(f.Content)
}
