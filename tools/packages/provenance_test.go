package main

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	intoto "github.com/in-toto/attestation/go/v1"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
)

// The program verifies what the library has signed, and refuses each file with a changed byte.
func TestTheProgramVerifiesTheRelease(t *testing.T) {
	r := made(t)
	key, err := readKey(r.key)
	require.NoError(t, err)
	public := base64.StdEncoding.EncodeToString(key.public())
	verify := func() (string, error) {
		out, err := exec.CommandContext(t.Context(), r.program, "verify-release", r.dist, "--key", public).CombinedOutput()
		return string(out), err
	}
	out, err := verify()
	require.NoError(t, err, out)
	require.Equal(t, "9 of the 9 files of levy "+testVersion+" are here, as the publisher signed them. Commit: "+r.commit+".\n", out)

	entries, err := os.ReadDir(r.dist)
	require.NoError(t, err)
	for _, entry := range entries {
		if entry.Name() == filepath.Base(r.program) {
			continue // it runs
		}
		flip(t, r.at(entry.Name()))
		out, err := verify()
		require.Error(t, err, entry.Name())
		require.Contains(t, out, entry.Name())
		flip(t, r.at(entry.Name()))
	}
	out, err = verify()
	require.NoError(t, err, out)
}

// flip changes a bit in the middle of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer file.Close()
	information, err := file.Stat()
	require.NoError(t, err)
	at := information.Size() / 2
	one := make([]byte, 1)
	_, err = file.ReadAt(one, at)
	require.NoError(t, err)
	one[0] ^= 1
	_, err = file.WriteAt(one, at)
	require.NoError(t, err)
}

// Other verifiers accept the envelope, and read its statement.
func TestTheProvenanceIsThatOfItsStandards(t *testing.T) {
	r := made(t)
	text, err := os.ReadFile(r.at(provenanceFile))
	require.NoError(t, err)
	var envelope dsse.Envelope
	require.NoError(t, json.Unmarshal(text, &envelope))
	key, err := readKey(r.key)
	require.NoError(t, err)
	verifier, err := dsse.NewEnvelopeVerifier(key)
	require.NoError(t, err)
	accepted, err := verifier.Verify(t.Context(), &envelope)
	require.NoError(t, err)
	require.Len(t, accepted, 1)
	payload, err := envelope.DecodeB64Payload()
	require.NoError(t, err)
	var statement intoto.Statement
	require.NoError(t, protojson.Unmarshal(payload, &statement))
	require.NoError(t, statement.Validate())
	require.Equal(t, predicateType, statement.GetPredicateType())

	require.NoError(t, os.WriteFile(r.key+".wrong", []byte("x"), 0o600))
	_, err = readKey(r.key + ".wrong")
	require.ErrorContains(t, err, "has no 32 bytes in base64")
}

// Sums are those that sha256sum checks.
func TestTheSumsAreChecked(t *testing.T) {
	r := made(t)
	needs(t, "sha256sum", "coreutils")
	command := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "--quiet", sumsFile)
	command.Dir = r.dist
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
}
