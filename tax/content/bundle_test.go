package content

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/content/internal/pack/archive"
)

func bundleKey(seed byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
}

func public(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }

func signature(key ed25519.PrivateKey, manifest []byte) []byte {
	return []byte(base64.StdEncoding.EncodeToString(ed25519.Sign(key, signed(manifest))))
}

func packOf(t *testing.T, tables map[string]string) []byte {
	t.Helper()
	files := map[string][]byte{}
	for name, text := range tables {
		files[name] = []byte(text)
	}
	pack, err := archive.Write(files)
	require.NoError(t, err)
	return pack
}

func TestOnlyWhatATrustedKeySignedIsABundle(t *testing.T) {
	t.Parallel()
	key, other := bundleKey(1), bundleKey(2)
	tables := map[string]string{"VERSION": "2026.12.1\n", "rates.csv": "a,b\n1,2\n"}
	pack := packOf(t, tables)
	b, err := NewBundle(pack, Publication{}, key)
	require.NoError(t, err)
	again, err := NewBundle(packOf(t, tables), Publication{}, key)
	require.NoError(t, err)
	require.Equal(t, b, again, "equal tables give an equal bundle")

	m, by, err := OpenManifest(b.Manifest, b.Signature, []ed25519.PublicKey{public(other), public(key)})
	require.NoError(t, err)
	require.Equal(t, public(key), by)
	require.Equal(t, "2026.12.1", m.Version)
	require.Equal(t, 2, m.Tables[1].Rows)
	require.NoError(t, m.CheckPack(pack))

	for name, c := range map[string]struct {
		manifest, signature []byte
		trusted             ed25519.PublicKey
	}{
		"another key": {b.Manifest, b.Signature, public(other)},
		"a changed manifest": {bytes.Replace(b.Manifest, []byte("2026.12.1"), []byte("2026.12.2"), 1), b.Signature,
			public(key)},
		"no signature": {b.Manifest, nil, public(key)},
		"not base64":   {b.Manifest, []byte("%"), public(key)},
	} {
		_, _, err := OpenManifest(c.manifest, c.signature, []ed25519.PublicKey{c.trusted})
		require.ErrorIs(t, err, ErrBundle, name)
	}
	for name, changed := range map[string]map[string]string{
		"another text":        {"VERSION": "2026.12.1\n", "rates.csv": "a,b\n1,3\n"},
		"an additional table": {"VERSION": "2026.12.1\n", "rates.csv": "a,b\n1,2\n", "x.csv": ""},
		"a missing table":     {"VERSION": "2026.12.1\n"},
	} {
		pack := packOf(t, changed)
		require.ErrorIs(t, m.CheckPack(pack), ErrBundle, name)
		forged := m
		forged.Pack = sumOf(pack)
		require.ErrorIs(t, forged.CheckPack(pack), ErrBundle, name+", with the sum of the archive")
		same, err := SameTables(b.Pack, pack)
		require.NoError(t, err)
		require.False(t, same, name)
	}
	same, err := SameTables(pack, stored(t, tables))
	require.NoError(t, err)
	require.True(t, same, "compression does not count")
}

// stored packs without compression.
func stored(t *testing.T, tables map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		require.NoError(t, err)
		_, err = io.WriteString(f, tables[name])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// A signed bundle is refused as well when it is larger than this program accepts.
func TestABundleIsBounded(t *testing.T) {
	t.Parallel()
	key := bundleKey(1)
	many := map[string]string{"VERSION": "2026.12.1\n"}
	for i := range maxTables {
		many[strings.Repeat("x", i+1)+".csv"] = ""
	}
	for fault, tables := range map[string]map[string]string{
		"is not made of numbers": {"VERSION": "2026.12.1+3f2a9c1b\n"},
		"tables without them":    {"VERSION": "2026.12.1\n", boundariesTable: "state,load\nMN,1\n"},
		"it has 101 tables":      many,
		"in 2000001 rows":        {"VERSION": "2026.12.1\n", "rates.csv": strings.Repeat("\n", maxTableRows+1)},
	} {
		_, err := NewBundle(packOf(t, tables), Publication{}, key)
		require.ErrorIs(t, err, ErrBundle)
		require.ErrorContains(t, err, fault)
	}
	text := []byte(`{"format":2,"version":"2026.12.1","pack":{"bytes":1}}`)
	_, _, err := OpenManifest(text, signature(key, text), []ed25519.PublicKey{public(key)})
	require.ErrorContains(t, err, "its format is 2")
	text = []byte(`{"format":1,"version":"2026.12.1","pack":{"bytes":99999999999}}`)
	_, _, err = OpenManifest(text, signature(key, text), []ed25519.PublicKey{public(key)})
	require.ErrorContains(t, err, "99999999999 bytes")
}

// A signed file that is no valid bundle is refused with its reason. The manifest is no JSON or names tables out of
// order. The pack has another version, no version, or is broken.
func TestASignedBundleThatIsInvalidIsRefused(t *testing.T) {
	t.Parallel()
	key := bundleKey(1)
	const known = `{"format":1,"version":"2026.1","pack":{"bytes":1},"tables":`
	for text, want := range map[string]string{
		`{"format":1`:                               "manifest.json: unexpected EOF",
		`{"format":"1"}`:                            "manifest.json: json: cannot unmarshal string",
		`{"format":1}`:                              `the version "" is not made of numbers`,
		`{"version":"2026.1"}`:                      "its format is 0, and this program reads format 1",
		`{"format":1,"version":"2026.1"}`:           "content.zip has 0 bytes",
		known + `[{"name":"b"},{"name":"a"}]}`:      "the table a is not in order",
		known + `[{"name":"a"},{"name":"a"}]}`:      "the table a is not in order",
		known + `[{"name":"a","bytes":134217729}]}`: "a has 134217729 bytes",
		known + `[{"name":"a","rows":2000001}]}`:    "0 bytes in 2000001 rows",
		known + `[{"name":"boundaries.csv"}]}`:      "build it of tables without them",
	} {
		_, _, err := OpenManifest([]byte(text), signature(key, []byte(text)), []ed25519.PublicKey{public(key)})
		require.ErrorIs(t, err, ErrBundle, text)
		require.ErrorContains(t, err, want, text)
	}
	tables := map[string]string{"VERSION": "2026.12.1\n", "rates.csv": "a,b\n1,2\n"}
	pack := stored(t, tables)
	b, err := NewBundle(pack, Publication{}, key)
	require.NoError(t, err)
	m, _, err := OpenManifest(b.Manifest, b.Signature, []ed25519.PublicKey{public(key)})
	require.NoError(t, err)
	m.Version = "2026.12.2"
	require.ErrorContains(t, m.CheckPack(pack), "its tables are version 2026.12.1, and its manifest says 2026.12.2")
	delete(tables, "VERSION")
	nameless := Manifest{Pack: sumOf(stored(t, tables)), Tables: m.Tables[1:]}
	require.ErrorIs(t, nameless.CheckPack(stored(t, tables)), ErrBundle)
	broken := bytes.Replace(pack, []byte("1,2"), []byte("1,3"), 1) // the sum of the archive itself no longer fits
	m.Pack = sumOf(broken)
	require.ErrorContains(t, m.CheckPack(broken), "rates.csv: zip: checksum error")
	for name, wrong := range map[string][]byte{"no archive": []byte("PK"), "a broken one": broken} {
		_, err = NewBundle(wrong, Publication{}, key)
		require.Error(t, err, name)
		_, err = SameTables(pack, wrong)
		require.ErrorIs(t, err, ErrBundle, name)
		_, err = SameTables(wrong, pack)
		require.ErrorIs(t, err, ErrBundle, name)
	}
}

func TestVersionsAreComparedByTheirNumbers(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"2026.9.2", "2026.11.1"}, {"2026.11.4", "2026.11.10"}, {"2025.12.9", "2026.1.1"}, {"2026.11", "2026.11.1"},
		{"2026.11.1+ffffffff", "2026.11.2+00000000"},
	} {
		require.True(t, Older(pair[0], pair[1]), pair)
		require.False(t, Older(pair[1], pair[0]), pair)
	}
	require.False(t, Older("2026.11.1", "2026.11.1+3f2a9c1b"), "an import does not make a version newer")
	require.False(t, Older("2026.11.1+3f2a9c1b", "2026.11.1"))
}
