package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"time"
)

// certificateEvery is how often the files of the certificate are read anew, by a connection.
const certificateEvery = time.Minute

// listen opens the listener of the API. Where systemd listens for it (levy-api.socket), it takes that socket instead:
// connections that arrive while a process is replaced wait in it.
func (c Config) listen(ctx context.Context) (net.Listener, error) {
	listener, err := passedListener(os.Getenv, firstPassed)
	if err != nil {
		return nil, fmt.Errorf("the socket of systemd: %w", err)
	}
	if listener == nil {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", c.HTTPAddr)
	}
	if err != nil {
		return nil, fmt.Errorf("LEVY_HTTP_ADDR: %w", err)
	}
	return c.secured(listener, time.Now)
}

// firstPassed is the number of the first socket that systemd passes to a process: see sd_listen_fds(3).
const firstPassed = 3

// passedListener returns the socket that systemd has passed to this process; nil without one. Commands that this process
// runs do not get it. Errors: several sockets, or one that does not listen.
func passedListener(getenv func(string) string, number uintptr) (net.Listener, error) {
	if getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	if count := getenv("LISTEN_FDS"); count != "1" {
		return nil, fmt.Errorf("LISTEN_FDS is %q: the API takes one", count)
	}
	file := os.NewFile(number, "levy-api.socket")
	listener, err := net.FileListener(file) // a copy that commands do not inherit
	return listener, errors.Join(err, file.Close())
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
