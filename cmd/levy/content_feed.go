package main

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// feed is a file that is to be imported: a CSV file, also inside a zip.
type feed struct {
	path string
	name string // of the CSV file
	size int64
}

// openFeed finds the CSV file.
func openFeed(file string) (*feed, error) {
	f := &feed{path: file, name: filepath.Base(file)}
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	return f, r.Close()
}

func (f *feed) zipped() bool { return strings.EqualFold(filepath.Ext(f.path), ".zip") }

// open begins to read the CSV text from its start.
func (f *feed) open() (io.ReadCloser, error) {
	if !f.zipped() {
		file, err := os.Open(f.path)
		if err != nil {
			return nil, err
		}
		info, err := file.Stat()
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		f.size = info.Size()
		return file, nil
	}
	archive, err := zip.OpenReader(f.path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	var inside *zip.File
	for _, entry := range archive.File {
		switch strings.ToLower(path.Ext(entry.Name)) {
		case ".csv", ".txt":
			if inside != nil {
				return nil, errors.Join(fmt.Errorf("%s holds more than one table", f.path), archive.Close())
			}
			inside = entry
		}
	}
	if inside == nil {
		return nil, errors.Join(fmt.Errorf("%s holds no .csv file", f.path), archive.Close())
	}
	text, err := inside.Open()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.path, err), archive.Close())
	}
	f.name, f.size = path.Base(inside.Name), int64(inside.UncompressedSize64)
	return zippedText{text, archive}, nil
}

type zippedText struct {
	io.ReadCloser
	archive io.Closer
}

// Close closes the text and its archive.
func (z zippedText) Close() error { return errors.Join(z.ReadCloser.Close(), z.archive.Close()) }

// read hands the text to use, shows how far it is and returns the hash of the text.
func (f *feed) read(progressTo io.Writer, what string, use func(io.Reader) error) (sum []byte, err error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	p := newProgress(progressTo, what+" "+f.name, f.size)
	defer p.end()
	hash := sha256.New()
	text := io.TeeReader(io.TeeReader(r, hash), writerFunc(func(b []byte) { p.add(int64(len(b))) }))
	if err := use(text); err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, text); err != nil {
		return nil, err
	}
	return hash.Sum(nil), nil
}

type writerFunc func([]byte)

// Write implements io.Writer.
func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
