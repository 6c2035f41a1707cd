package webhook_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/webhook"
)

// receivers are those of docs/webhooks.md: the language of the block, its file, and the program that runs it.
var receivers = []struct {
	language, file string
	command        []string
}{
	{"go", "main.go", []string{"go", "run"}},
	{"js", "receiver.js", []string{"node"}},
	{"python", "receiver.py", []string{"python3"}},
}

// The receivers of the documentation run as they are printed, and verify what Levy sends with the reference library
// of their language. LEVY_RECEIVERS is a folder with node_modules and, in python, the packages of Python.
func TestTheReceiversOfTheDocumentation(t *testing.T) {
	folder := os.Getenv("LEVY_RECEIVERS")
	if folder == "" {
		t.Skip("the reference libraries of other languages are not here: see make receivers")
	}
	page, err := os.ReadFile("../../docs/webhooks.md")
	require.NoError(t, err)
	for _, r := range receivers {
		t.Run(r.language, func(t *testing.T) {
			printed := regexp.MustCompile("(?s)```" + r.language + "\n(.*?)```").FindSubmatch(page)
			require.NotNil(t, printed)
			file := filepath.Join(folder, r.file)
			require.NoError(t, os.WriteFile(file, printed[1], 0o600))
			current, _ := webhook.NewSecret(webhook.SchemeShared)
			former, _ := webhook.NewSecret(webhook.SchemeShared)
			command := exec.CommandContext(t.Context(), r.command[0], append(r.command[1:], file)...)
			command.Env = append(os.Environ(), "WEBHOOK_SECRET="+current, "PYTHONPATH="+filepath.Join(folder, "python"))
			command.Stdout, command.Stderr = t.Output(), t.Output()
			stop := startGroup(t, command)
			defer stop()
			try(t, current, former)
		})
	}
}

// try sends a receiver requests that it must accept, and requests that it must refuse.
func try(t *testing.T, current, former string) {
	t.Helper()
	const address = "127.0.0.1:3000"
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 5*time.Minute, 50*time.Millisecond, "it listens")
	client := webhook.NewClient(webhook.Options{Hosts: webhook.Hosts{"127.0.0.1"}, Timeout: time.Minute})
	body := []byte(`{"type":"test.ping","data":{"object":{"name":"Zoë"}}}`)
	other, _ := webhook.NewSecret(webhook.SchemeShared)
	private, _ := webhook.NewSecret(webhook.SchemePublic)
	for name, sent := range map[string]struct {
		at      time.Time
		secrets []string
		body    []byte
		status  int
	}{
		"signed":                     {time.Now(), []string{current}, body, http.StatusNoContent},
		"signed twice in a rotation": {time.Now(), []string{other, current, former}, body, http.StatusNoContent},
		"signed by both schemes":     {time.Now(), []string{private, current}, body, http.StatusNoContent},
		"another secret":             {time.Now(), []string{former}, body, http.StatusBadRequest},
		"another body": {time.Now(), []string{current}, []byte(`{"type":"filing.filed"}`),
			http.StatusBadRequest},
		"too old": {time.Now().Add(-6 * time.Minute), []string{current}, body, http.StatusBadRequest},
		"too new": {time.Now().Add(6 * time.Minute), []string{current}, body, http.StatusBadRequest},
	} {
		headers, err := webhook.Headers("evnt_1", sent.at, body, sent.secrets...)
		require.NoError(t, err)
		reply := client.Post(t.Context(), "http://"+address+"/levy", headers, sent.body)
		require.Empty(t, reply.Failed, name)
		require.Equal(t, sent.status, reply.Status, name)
	}
}

// verifyPublic verifies a signature v1a by the cryptography of Node.
const verifyPublic = `const crypto = require("node:crypto");
const [key, message, signature] = process.argv.slice(1);
const x = Buffer.from(key, "base64").toString("base64url");
const publicKey = crypto.createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
process.exit(crypto.verify(null, Buffer.from(message), publicKey, Buffer.from(signature, "base64")) ? 0 : 1);`

// No reference library verifies v1a: another implementation of ed25519 does.
func TestAnotherImplementationVerifiesAsymmetricSignatures(t *testing.T) {
	if os.Getenv("LEVY_RECEIVERS") == "" {
		t.Skip("Node is not asked for: see make receivers")
	}
	private, public := webhook.NewSecret(webhook.SchemePublic)
	headers, err := webhook.Headers("evnt_1", time.Unix(1614265330, 0), []byte(`{"name":"Zoë"}`), private)
	require.NoError(t, err)
	encoded := strings.TrimPrefix(headers.Get("webhook-signature"), "v1a,")
	key := strings.TrimPrefix(public, "whpk_")
	verify := func(message string) error {
		return exec.CommandContext(t.Context(), "node", "-e", verifyPublic, key, message, encoded).Run()
	}
	require.NoError(t, verify(`evnt_1.1614265330.{"name":"Zoë"}`))
	require.Error(t, verify(`evnt_2.1614265330.{"name":"Zoë"}`))
	raw, err := base64.StdEncoding.DecodeString(key)
	require.NoError(t, err)
	require.Len(t, raw, ed25519.PublicKeySize)
}
