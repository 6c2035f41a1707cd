package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"levy/internal/progress"
	"levy/models"
	"levy/tax/content"
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

// stateFeed is a file that a member state publishes.
type stateFeed struct {
	*feed
	of   content.FeedName
	fips string // of the state
}

// openFeed finds the CSV file of a state, whose name says which one, and that it holds what is asked for.
func (d *draft) openFeed(file string, kind byte, what string) (stateFeed, error) {
	f, err := openFeed(file)
	if err != nil {
		return stateFeed{}, err
	}
	of, err := content.ParseFeedName(f.name)
	if err != nil {
		return stateFeed{}, err
	}
	if of.Kind != kind {
		return stateFeed{}, fmt.Errorf("%s is not a %s file", f.name, what)
	}
	fips, ok := d.tables.StateFIPS(of.State)
	if !ok {
		return stateFeed{}, fmt.Errorf("%s: unknown state %s", f.name, of.State)
	}
	return stateFeed{f, of, fips}, nil
}

// imported notes that the rows of a file are in the draft.
func (d *draft) imported(f *feed, sum []byte, rows int) {
	d.sources = append(d.sources, models.ContentSource{File: f.name, SHA256: hex.EncodeToString(sum), Rows: rows})
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
	if inside.UncompressedSize64 > maxUnpacked {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.path, errUnpacked), archive.Close())
	}
	text, err := inside.Open()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.path, err), archive.Close())
	}
	f.name, f.size = path.Base(inside.Name), int64(inside.UncompressedSize64)
	return &zippedText{ReadCloser: text, archive: archive, left: maxUnpacked}, nil
}

// maxUnpacked bounds the text in a zip, in bytes. The largest tables have some hundred megabytes.
const maxUnpacked = 4 << 30

var errUnpacked = fmt.Errorf("the table in it has more than %d bytes", int64(maxUnpacked))

type zippedText struct {
	io.ReadCloser
	archive io.Closer
	left    int64 // bytes that may still be read
}

// Read reads the text up to the limit, whatever the archive says of its size. Errors: errUnpacked.
func (z *zippedText) Read(b []byte) (int, error) {
	n, err := z.ReadCloser.Read(b)
	if z.left -= int64(n); z.left < 0 {
		return 0, errUnpacked
	}
	return n, err
}

// Close closes the text and its archive.
func (z *zippedText) Close() error { return errors.Join(z.ReadCloser.Close(), z.archive.Close()) }

// read hands the text to use, shows how far it is and returns the hash of the text.
func (f *feed) read(progressTo io.Writer, what string, use func(io.Reader) error) (sum []byte, err error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	p := progress.Begin(progressTo, what+" "+f.name, progress.Bytes, f.size)
	defer p.End()
	hash := sha256.New()
	text := io.TeeReader(io.TeeReader(r, hash), writerFunc(func(b []byte) { p.Add(int64(len(b))) }))
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
