package content

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"levy/tax/content/internal/pack/archive"
)

const versionFile = "VERSION"

// PackedVersion reads the name of the content in a pack without parsing the rest.
func PackedVersion(pack []byte) (string, error) {
	files, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		return "", fmt.Errorf("content pack: %w", err)
	}
	version, err := fs.ReadFile(files, versionFile)
	return strings.TrimSpace(string(version)), err
}

// Tables are the files of one content by name: what an import changes.
type Tables map[string][]byte

// Unpack reads the tables of a pack. Tables that a pack of an earlier program lacks are taken from this program, but
// never those in ownTables.
func Unpack(pack []byte) (Tables, error) {
	t := Tables{}
	for i, from := range [][]byte{packed, pack} {
		files, err := zip.NewReader(bytes.NewReader(from), int64(len(from)))
		if err != nil {
			return nil, fmt.Errorf("content pack: %w", err)
		}
		for _, f := range files.File {
			// guard: packs: tables of a later release are not lent
			if _, own := ownTables[f.Name]; own && i == 0 {
				continue
			}
			if t[f.Name], err = fs.ReadFile(files, f.Name); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// Pack compresses the tables. Equal tables give equal bytes.
func (t Tables) Pack() ([]byte, error) { return archive.Write(t) }

// Name gives the tables the version that their text determines. It consists of the version of the embedded content and
// a part of the hash of all tables, such as 2026.07.1+3f2a9c1b. So the same import on the same base has the same name.
func (t Tables) Name() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if name == versionFile {
			continue
		}
		fmt.Fprintf(h, "%s %d\n", name, len(t[name]))
		h.Write(t[name])
	}
	base, _, _ := strings.Cut(strings.TrimSpace(string(t[versionFile])), "+")
	version := base + "+" + hex.EncodeToString(h.Sum(nil)[:4])
	t[versionFile] = []byte(version + "\n")
	return version
}
