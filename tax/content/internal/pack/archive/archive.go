// Package archive builds the embedded form of the content tables.
package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
)

// Pack puts every table and the version of a folder into a zip.
func Pack(folder fs.FS) ([]byte, error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	tables := map[string][]byte{}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".csv" && e.Name() != "VERSION" {
			continue
		}
		if tables[e.Name()], err = fs.ReadFile(folder, e.Name()); err != nil {
			return nil, err
		}
	}
	return Write(tables)
}

// Write puts files into a zip in order of name and without times, so that equal
// files give equal bytes.
func Write(files map[string][]byte) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
