package pg_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
)

// With sslmode=verify-full a server receives neither user nor password unless a certificate proves its name.
func TestTheDatabaseProvesItsName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		certified    string
		known, asked bool
	}{
		"itself":                                 {"localhost", true, true},
		"another name":                           {"db.example.com", true, false},
		"of an authority that is not trusted":    {"localhost", false, false},
		"no TLS, like an attacker in the middle": {"", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, root, told := tlsServer(t, c.certified)
			if !c.known {
				_, root, _ = tlsServer(t, "localhost")
			}
			db, err := pg.Open(t.Context(),
				pg.Options{URL: "postgres://levy_app:word@" + address + "/levy?sslmode=verify-full&sslrootcert=" +
					root})
			require.NoError(t, err)
			defer db.Close()
			require.ErrorIs(t, db.Ping(t.Context()), models.ErrUnavailable, "it is no database")
			require.Equal(t, c.asked, <-told)
		})
	}
}

// tlsServer begins as PostgreSQL does, by the name that its certificate has; without one it has no TLS. It reports
// whether it received anything after that.
func tlsServer(t *testing.T, certified string) (address, root string, told <-chan bool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{certified}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	root = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(root, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	heard := make(chan bool, 8)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			heard <- loginComes(conn, certified != "", tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key})
			_ = conn.Close()
		}
	}()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	return "localhost:" + port, root, heard
}

// loginComes answers a request for TLS, and reports whether anything follows.
func loginComes(conn net.Conn, willing bool, certificate tls.Certificate) bool {
	if _, err := io.ReadFull(conn, make([]byte, 8)); err != nil { // SSLRequest
		return false
	}
	answer, secured := byte('N'), conn
	if willing {
		answer = 'S'
		secured = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13})
	}
	if _, err := conn.Write([]byte{answer}); err != nil {
		return false
	}
	n, _ := secured.Read(make([]byte, 1))
	return n > 0
}
