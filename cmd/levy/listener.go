package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"
	"time"
)

// certificateEvery is how often the files of the certificate are read anew, by a connection.
const certificateEvery = time.Minute

// listen opens the listener of the API.
func (c Config) listen(ctx context.Context) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.HTTPAddr)
	if err != nil {
		return nil, fmt.Errorf("LEVY_HTTP_ADDR: %w", err)
	}
	return c.secured(listener, time.Now)
}

// secured is the listener of the API, by TLS when a certificate is configured. Errors: files that are no
// pair. Later a pair that cannot be read leaves the one before in use.
func (c Config) secured(listener net.Listener, now func() time.Time) (net.Listener, error) {
	if c.TLSCert == "" {
		return listener, nil
	}
	files := &certificate{cert: c.TLSCert, key: c.TLSKey, now: now}
	if _, err := files.get(nil); err != nil {
		return nil, fmt.Errorf("LEVY_TLS_CERT, LEVY_TLS_KEY: %w", err)
	}
	// HTTP/2 is for the proxy in front; by this listener come few clients, and HTTP/1.1 serves them.
	return tls.NewListener(listener, &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, GetCertificate: files.get,
	}), nil
}

// certificate is a pair of files.
type certificate struct {
	cert, key string
	now       func() time.Time

	mu   sync.Mutex
	pair *tls.Certificate
	read time.Time
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); c.pair == nil || now.Sub(c.read) >= certificateEvery {
		pair, err := tls.LoadX509KeyPair(c.cert, c.key)
		if err == nil {
			c.pair = &pair
		} else if c.pair == nil {
			return nil, err
		}
		c.read = now
	}
	return c.pair, nil
}
