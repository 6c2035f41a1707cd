package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

type readyCmd struct{}

// Run asks /readyz of the private listener and fails unless it answers 200.
func (readyCmd) Run(p *program) error {
	if err := p.config.validate(); err != nil {
		return err
	}
	return askReady(p.ctx, reachable(p.config.PrivateAddr))
}

// askReady returns nil when the process listening on addr says it is ready.
func askReady(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s/readyz: %s", addr, resp.Status)
	}
	return nil
}

// reachable makes of an address to listen on one to connect to.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
