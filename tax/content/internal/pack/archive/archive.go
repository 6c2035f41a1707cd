// Package archive builds the embedded form of the content tables.
package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"io/fs"
	"path"
)

// Pack puts every table and the version of a folder into a zip, in order of
// name and without times, so that equal tables give equal bytes.
func Pack(folder fs.FS) ([]byte, error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, e := range entries {
		if path.Ext(e.Name()) != ".csv" && e.Name() != "VERSION" {
			continue
		}
		text, err := fs.ReadFile(folder, e.Name())
		if err != nil {
			return nil, err
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.Name(), Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
