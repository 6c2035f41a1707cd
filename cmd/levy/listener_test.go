package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// writePair writes a certificate for 127.0.0.1 and its key, and returns the certificate.
func writePair(t *testing.T, cert, key string, number int64) *x509.Certificate {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return parsed
}

func TestTheListenerTakesACertificateThatWasReplaced(t *testing.T) {
	t.Parallel()
	folder, now := t.TempDir(), time.Now()
	c := Config{TLSCert: filepath.Join(folder, "cert.pem"), TLSKey: filepath.Join(folder, "key.pem")}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = plain.Close() })
	_, err = c.secured(plain, time.Now)
	require.ErrorContains(t, err, "LEVY_TLS_CERT")
	first := writePair(t, c.TLSCert, c.TLSKey, 1)
	listener, err := c.secured(plain, func() time.Time { return now })
	require.NoError(t, err)

	shown := func(trusted *x509.Certificate) int64 {
		accepted := make(chan error, 1)
		go func() {
			conn, err := listener.Accept()
			if err == nil {
				err = conn.(*tls.Conn).HandshakeContext(t.Context())
			}
			accepted <- err
		}()
		roots := x509.NewCertPool()
		roots.AddCert(trusted)
		conn, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12})
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, <-accepted)
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	require.EqualValues(t, 1, shown(first))
	second := writePair(t, c.TLSCert, c.TLSKey, 2)
	require.EqualValues(t, 1, shown(first), "it is read anew once a minute")
	now = now.Add(time.Minute)
	require.EqualValues(t, 2, shown(second))
	require.NoError(t, os.WriteFile(c.TLSKey, nil, 0o600))
	now = now.Add(time.Minute)
	require.EqualValues(t, 2, shown(second), "the pair before stays in use")
}

// The API answers at the socket that systemd has opened for it, and takes none that is meant for another process.
func TestTheAPITakesTheSocketOfSystemd(t *testing.T) {
	t.Parallel()
	opened, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer opened.Close()
	passed := func(pid, count string) (net.Listener, error) {
		file, err := opened.(*net.TCPListener).File()
		require.NoError(t, err)
		defer file.Close()
		number, err := syscall.Dup(int(file.Fd()))
		require.NoError(t, err)
		return passedListener(func(name string) string {
			return map[string]string{"LISTEN_PID": pid, "LISTEN_FDS": count}[name]
		}, uintptr(number))
	}
	own := strconv.Itoa(os.Getpid())
	listener, err := passed(own, "1")
	require.NoError(t, err)
	defer listener.Close()
	require.Equal(t, opened.Addr(), listener.Addr())

	other, err := passed("1", "1")
	require.NoError(t, err)
	require.Nil(t, other)
	_, err = passed(own, "2")
	require.ErrorContains(t, err, `LISTEN_FDS is "2": the API takes one`)
}
