// Package prism starts Prism, a program of Stoplight that serves descriptions of APIs. Tests compare requests and answers
// with a description by it.
package prism

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ViolationsHeader lists in an answer what the server objects to.
const ViolationsHeader = "Sl-Violations"

// Violation is an objection to a request or an answer. The first word of its location says to which.
type Violation struct {
	Location []string
	Severity string
	Message  string
}

// ViolationsOf returns what an answer of the server objects to.
func ViolationsOf(t testing.TB, header http.Header) (found []Violation) {
	t.Helper()
	if text := header.Get(ViolationsHeader); text != "" {
		var err error
		found, err = ReadViolations(text)
		require.NoError(t, err, text)
	}
	return found
}

// ReadViolations reads the header of an answer.
func ReadViolations(text string) (found []Violation, err error) {
	err = json.Unmarshal([]byte(text), &found)
	return found, err
}

// Start runs the program in a mode: "mock" with a description, or "proxy" with a description and the address of a service.
// It returns the address. The program ends with the test.
func Start(t testing.TB, program, mode string, args ...string) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	host, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	said := &bytes.Buffer{}
	args = append(append([]string{mode}, args...), "--host", host, "--port", port, "--verboseLevel", "fatal")
	server := exec.CommandContext(t.Context(), program, args...)
	server.Stdout, server.Stderr = said, said
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	require.Eventually(t, func() bool {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 90*time.Second, 100*time.Millisecond, "%s", said)
	return "http://" + address
}
