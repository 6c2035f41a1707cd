package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// signedRelease fills a folder with files and their statement, signed with a key, whose public half it returns.
func signedRelease(t *testing.T, folder string, files map[string]string, payloadType, predicate string) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	statement := map[string]any{"_type": statementType, "predicateType": predicate, "predicate": map[string]any{
		"buildDefinition": map[string]any{
			"externalParameters":   map[string]any{"version": "v1.2.3"},
			"resolvedDependencies": []any{map[string]any{"digest": map[string]any{"gitCommit": "abc"}}},
		},
	}}
	var subject []any
	for name, content := range files {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		sum, err := fileSHA256(path)
		require.NoError(t, err)
		subject = append(subject, map[string]any{"name": name, "digest": map[string]any{"sha256": sum}})
	}
	statement["subject"] = subject
	payload, err := json.Marshal(statement)
	require.NoError(t, err)
	signature := ed25519.Sign(private, fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload))
	envelope, err := json.Marshal(map[string]any{
		"payloadType": payloadType, "payload": payload, "signatures": []any{map[string]any{"sig": signature}},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, provenanceFile), envelope, 0o600))
	return base64.StdEncoding.EncodeToString(public)
}

// A release counts only with the bytes and names that the publisher signed. Files that were not downloaded may be missing.
func TestAChangedReleaseIsRefused(t *testing.T) {
	t.Parallel()
	files := map[string]string{"levy_1.2.3_amd64.deb": "program", "levy-1.2.3.x86_64.rpm": "program"}
	for name, c := range map[string]struct {
		payload, predicate string
		change             func(t *testing.T, folder string)
		other              bool // the key of another publisher
		want               string
	}{
		"as signed":  {},
		"one file":   {change: func(t *testing.T, folder string) { remove(t, folder, "levy_1.2.3_amd64.deb") }},
		"other key":  {other: true, want: "none of the keys signed it"},
		"other kind": {payload: "text/plain", want: "which is no statement"},
		"no build":   {predicate: "https://example.com/test", want: "which is no provenance"},
		"a changed byte": {want: "levy_1.2.3_amd64.deb was changed", change: func(t *testing.T, folder string) {
			rewrite(t, folder, "levy_1.2.3_amd64.deb", "program", "proGram")
		}},
		"a file more": {want: "extra is no file of the release", change: func(t *testing.T, folder string) {
			require.NoError(t, os.WriteFile(filepath.Join(folder, "extra"), nil, 0o600))
		}},
		"a changed statement": {want: "none of the keys signed it", change: func(t *testing.T, folder string) {
			text, err := os.ReadFile(filepath.Join(folder, provenanceFile))
			require.NoError(t, err)
			var envelope map[string]any
			require.NoError(t, json.Unmarshal(text, &envelope))
			payload, err := base64.StdEncoding.DecodeString(envelope["payload"].(string))
			require.NoError(t, err)
			envelope["payload"] = []byte(strings.ReplaceAll(string(payload), "v1.2.3", "v1.2.4"))
			text, err = json.Marshal(envelope)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(folder, provenanceFile), text, 0o600))
		}},
		"nothing": {want: "the folder has no file of the release", change: func(t *testing.T, folder string) {
			remove(t, folder, "levy_1.2.3_amd64.deb", "levy-1.2.3.x86_64.rpm")
		}},
		"no statement": {want: "provenance.intoto.jsonl", change: func(t *testing.T, folder string) { remove(t, folder, provenanceFile) }},
	} {
		folder := t.TempDir()
		payload, predicate := statementPayload, provenancePredicate
		if c.payload != "" {
			payload = c.payload
		}
		if c.predicate != "" {
			predicate = c.predicate
		}
		key := signedRelease(t, folder, files, payload, predicate)
		if c.other {
			key = signedRelease(t, t.TempDir(), files, payload, predicate)
		}
		if c.change != nil {
			c.change(t, folder)
		}
		var out strings.Builder
		err := run(t.Context(), []string{"verify-release", folder, "--key", key}, nil, &out, io.Discard)
		if c.want != "" {
			require.ErrorContains(t, err, c.want, name)
			continue
		}
		require.NoError(t, err, name)
		require.Contains(t, out.String(), "of the 2 files of levy v1.2.3 are here, as the publisher signed them. Commit: abc.", name)
		require.NoError(t, run(t.Context(), []string{"verify-release", folder}, []string{"LEVY_CONTENT_KEYS=" + key}, io.Discard, io.Discard))
	}
	require.ErrorContains(t, run(t.Context(), []string{"verify-release", t.TempDir()}, nil, io.Discard, io.Discard), "say --key")
	require.ErrorContains(t, run(t.Context(), []string{"verify-release", t.TempDir(), "--key", "x"}, nil, io.Discard, io.Discard),
		"--key: key 1 is not 32 bytes in base64")
}

func remove(t *testing.T, folder string, names ...string) {
	t.Helper()
	for _, name := range names {
		require.NoError(t, os.Remove(filepath.Join(folder, name)))
	}
}

func rewrite(t *testing.T, folder, name, from, to string) {
	t.Helper()
	path := filepath.Join(folder, name)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o600))
}
