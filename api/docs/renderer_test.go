package docs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func unpacked(t *testing.T) []byte {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(rendererJS))
	require.NoError(t, err)
	plain, err := io.ReadAll(packed)
	require.NoError(t, err)
	return plain
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	body, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(body, into), path)
}

// The embedded bytes are those that make vendor-docs copied from the package of the lock file.
func TestTheRendererIsThatOfThePackage(t *testing.T) {
	t.Parallel()
	var origin struct{ Package, Version, Integrity, SHA256 string }
	readJSON(t, "renderer/origin.json", &origin)
	sum := sha256.Sum256(unpacked(t))
	require.Equal(
		t, origin.SHA256, hex.EncodeToString(sum[:]), "renderer.js.gz is not what was taken out of the package",
	)

	var wanted struct{ Dependencies map[string]string }
	readJSON(t, "../../tools/docs/package.json", &wanted)
	require.Equal(t, map[string]string{origin.Package: origin.Version}, wanted.Dependencies, "run make vendor-docs")
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	readJSON(t, "../../tools/docs/package-lock.json", &lock)
	locked := lock.Packages["node_modules/"+origin.Package]
	require.Equal(t, origin.Version, locked.Version)
	require.Equal(t, origin.Integrity, locked.Integrity)
	require.Regexp(t, `^sha512-`, locked.Integrity)
}

func TestTheLicencesAreBesideTheRenderer(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("renderer/LICENSES.txt")
	require.NoError(t, err)
	for _, words := range []string{
		"@scalar/types ", "Copyright (c) 2023-present Scalar", "Permission is hereby granted, free of charge",
		"\nvue ", "\nzod ",
	} {
		require.Contains(t, string(text), words)
	}
}
