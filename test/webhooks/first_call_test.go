package webhooks_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// programs run the samples of the page "First call", by their names.
var programs = map[string][]string{
	"first-call.sh":  {"sh"},
	"first-call.py":  {"python3"},
	"first-call.mjs": {"node"},
	"first-call.go":  {"go", "run"},
}

// The samples of the page "First call" run as the server prints them, but for the port of their receiver.
func TestTheSamplesOfFirstCallRun(t *testing.T) {
	t.Parallel()
	bed := open(t, testbed.Options{})
	bed.Worker.Start()
	for name, command := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skip("the language is not here: " + command[0])
			}
			free, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			_, port, err := net.SplitHostPort(free.Addr().String())
			require.NoError(t, err)
			if name == "first-call.sh" { // the sample listens at no port itself
				receiver := &http.Server{Handler: http.HandlerFunc(accept)} //nolint:gosec // it ends with the test
				go func() { _ = receiver.Serve(free) }()
				defer func() { _ = receiver.Close() }()
			} else {
				require.NoError(t, free.Close())
			}

			program := printed(t, bed.API.URL()+"/docs/"+name)
			require.Contains(t, program, bed.API.URL())
			require.Contains(t, program, "3000")
			file := filepath.Join(t.TempDir(), name)
			// They run in the same second, which is a part of their ids.
			own := strings.NewReplacer("3000", port, "LAMP-", name+"-LAMP-", "ORDER-", name+"-ORDER-", "REFUND-", name+"-REFUND-",
				"order-", name+"-order-", "refund-", name+"-refund-")
			require.NoError(t, os.WriteFile(file, []byte(own.Replace(program)), 0o600))
			ctx, cancel := context.WithTimeout(t.Context(), testbed.WaitLimit)
			defer cancel()
			run := exec.CommandContext(ctx, command[0], append(command[1:], file)...)
			run.Env = append(os.Environ(), "LEVY_API_KEY="+bed.APIKey, "LEVY_ORGANIZATION="+bed.OrganizationID, "GOFLAGS=")
			said, err := run.CombinedOutput()
			require.NoError(t, err, "%s", said)
			for _, words := range []string{"prod_", "8.88", "txn_", "PROCESSED", "PARTIAL_CREDIT_NOTE"} {
				require.Contains(t, string(said), words)
			}
			if name == "first-call.sh" {
				require.Contains(t, string(said), `"status":"DELIVERED"`)
			} else {
				require.Contains(t, string(said), "received ")
			}
		})
	}
}

// printed returns a page of the server.
func printed(t *testing.T, address string) string {
	t.Helper()
	answer, err := http.Get(address) //nolint:gosec // it is the server of the test
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	require.Equal(t, http.StatusOK, answer.StatusCode)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(body)
}
