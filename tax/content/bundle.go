package content

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"levy/tax/content/internal/pack/archive"
)

// The files of a bundle.
const (
	ManifestFile  = "manifest.json"
	SignatureFile = "manifest.sig"
	PackFile      = "content.zip"
)

// The limits of a bundle are many times the size of the content of this program. They are checked before anything is
// unpacked, so that a small archive cannot fill the memory.
const (
	MaxManifest  = 1 << 20
	MaxSignature = 1 << 10
	maxPack      = 64 << 20
	maxTables    = 100
	maxTable     = 128 << 20
	maxTableRows = 2_000_000
)

// bundleFormat is what this program writes and reads.
const bundleFormat = 1

// signedAs begins every signed text, so that a signature serves for nothing else.
const signedAs = "levy content bundle v1\n"

// Bundle is a published version of the tables. It has the tables in one archive, a manifest with the hash of each, and
// the signature of the manifest.
type Bundle struct{ Manifest, Signature, Pack []byte }

// Manifest says what a bundle holds.
type Manifest struct {
	Format  int    `json:"format"`
	Version string `json:"version"`
	Publication
	Pack   FileSum    `json:"pack"`
	Tables []TableSum `json:"tables"` // by name
}

// FileSum is the size of a file in bytes and its SHA-256 in hexadecimal digits.
type FileSum struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// TableSum describes a table of the archive.
type TableSum struct {
	Name string `json:"name"`
	Rows int    `json:"rows"` // lines of text, with the first
	FileSum
}

// ErrBundle is wrapped by every error of a bundle that is not what its signature promises.
var ErrBundle = errors.New("content bundle")

var bundleVersion = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,9}){1,3}$`)

// PackFolder packs the tables of a folder of the form of data/.
func PackFolder(folder fs.FS) ([]byte, error) { return archive.Pack(folder) }

// NewBundle signs a pack. Errors: ErrBundle for a version that is not made of numbers, as 2026.11.4 is. Also ErrBundle for
// imported boundary files, because these are in the database of one installation.
func NewBundle(pack []byte, number Publication, key ed25519.PrivateKey) (Bundle, error) {
	version, err := PackedVersion(pack)
	if err != nil {
		return Bundle{}, err
	}
	m := Manifest{Format: bundleFormat, Version: version, Publication: number, Pack: sumOf(pack)}
	if err := eachTable(pack, func(t TableSum) error {
		m.Tables = append(m.Tables, t)
		return nil
	}); err != nil {
		return Bundle{}, err
	}
	if err := m.check(); err != nil {
		return Bundle{}, err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return Bundle{}, err
	}
	text = append(text, '\n')
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(key, signed(text)))
	return Bundle{Manifest: text, Signature: []byte(signature + "\n"), Pack: pack}, nil
}

func signed(manifest []byte) []byte { return append([]byte(signedAs), manifest...) }

// OpenManifest reads the manifest of a bundle that one of the trusted keys signed, and returns that key. Nothing
// is read of a manifest that none of them did. Errors: ErrBundle.
func OpenManifest(text, signature []byte, trusted []ed25519.PublicKey) (Manifest, ed25519.PublicKey, error) {
	sig, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(signature)))
	if err != nil {
		return Manifest{}, nil, fmt.Errorf("%w: the signature is not base64", ErrBundle)
	}
	at := slices.IndexFunc(trusted, func(key ed25519.PublicKey) bool { return ed25519.Verify(key, signed(text), sig) })
	if at < 0 {
		return Manifest{}, nil, fmt.Errorf("%w: none of the %d trusted keys signed it, or it was changed since", ErrBundle,
			len(trusted))
	}
	var m Manifest
	in := json.NewDecoder(bytes.NewReader(text))
	if err := in.Decode(&m); err != nil {
		return Manifest{}, nil, fmt.Errorf("%w: %s: %w", ErrBundle, ManifestFile, err)
	}
	return m, trusted[at], m.check()
}

// check finds what no bundle of this program has.
func (m Manifest) check() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%w: %s", ErrBundle, fmt.Sprintf(format, args...)))
	}
	if m.Format != bundleFormat {
		fault("its format is %d, and this program reads format %d", m.Format, bundleFormat)
	}
	if !bundleVersion.MatchString(m.Version) {
		fault("the version %q is not made of numbers, such as 2026.11.4", m.Version)
	}
	if text := m.fault(); text != "" {
		fault("%s", text)
	}
	if m.Pack.Bytes < 1 || m.Pack.Bytes > maxPack {
		fault("%s has %d bytes, and %d are allowed", PackFile, m.Pack.Bytes, maxPack)
	}
	if len(m.Tables) > maxTables {
		fault("it has %d tables, and %d are allowed", len(m.Tables), maxTables)
	}
	for i, t := range m.Tables {
		if i > 0 && m.Tables[i-1].Name >= t.Name {
			fault("the table %s is not in order of name", t.Name)
		}
		if t.Name == boundariesTable {
			fault("imported boundary files are in the database of one installation: build it of tables without them")
		}
		if t.Bytes > maxTable || t.Rows > maxTableRows {
			fault("%s has %d bytes in %d rows, and %d in %d are allowed", t.Name, t.Bytes, t.Rows, maxTable, maxTableRows)
		}
	}
	return errors.Join(faults...)
}

// CheckPack makes sure that the archive is the one that the manifest names, with the same tables. Errors:
// ErrBundle.
func (m Manifest) CheckPack(pack []byte) error {
	if sumOf(pack) != m.Pack {
		return fmt.Errorf("%w: %s is not the file that the manifest names", ErrBundle, PackFile)
	}
	left := m.Tables
	err := eachTable(pack, func(t TableSum) error {
		if len(left) == 0 || left[0] != t {
			return fmt.Errorf("%w: the table %s is not the one that the manifest names", ErrBundle, t.Name)
		}
		left = left[1:]
		return nil
	})
	if err != nil {
		return err
	}
	version, err := PackedVersion(pack)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrBundle, err)
	case len(left) > 0:
		return fmt.Errorf("%w: the table %s is missing", ErrBundle, left[0].Name)
	case version != m.Version:
		return fmt.Errorf("%w: its tables are version %s, and its manifest says %s", ErrBundle, version, m.Version)
	}
	return nil
}

// eachTable sums up the tables of a pack in its order, none read beyond the bounds.
func eachTable(pack []byte, use func(TableSum) error) error {
	files, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrBundle, PackFile, err)
	}
	for _, f := range files.File {
		t, err := tableSum(f)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrBundle, f.Name, err)
		}
		if err := use(t); err != nil {
			return err
		}
	}
	return nil
}

// tableSum reads a table once, one byte more than the bound at most.
func tableSum(f *zip.File) (TableSum, error) {
	r, err := f.Open()
	if err != nil {
		return TableSum{}, err
	}
	defer r.Close()
	t, hash := TableSum{Name: f.Name}, sha256.New()
	lines := writerFunc(func(b []byte) { t.Rows += bytes.Count(b, []byte{'\n'}) })
	t.Bytes, err = io.Copy(io.MultiWriter(hash, lines), io.LimitReader(r, maxTable+1))
	t.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return t, err
}

type writerFunc func([]byte)

// Write implements io.Writer.
func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}

func sumOf(file []byte) FileSum {
	sum := sha256.Sum256(file)
	return FileSum{Bytes: int64(len(file)), SHA256: hex.EncodeToString(sum[:])}
}

// SameTables reports whether two packs hold the same tables, however they are compressed.
func SameTables(a, b []byte) (bool, error) {
	var sums [2][]TableSum
	for i, pack := range [][]byte{a, b} {
		if err := eachTable(pack, func(t TableSum) error {
			sums[i] = append(sums[i], t)
			return nil
		}); err != nil {
			return false, err
		}
	}
	return slices.Equal(sums[0], sums[1]), nil
}
