package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"levy/internal/local"
)

// newEstimates makes requests for estimates of two lines, by category or by
// products of the catalogue.
func newEstimates(host, apiKey, organizationID string, byProduct bool) *sales {
	s := &sales{host: host, path: "/v1/tax/estimate", status: http.StatusOK}
	for kind := range kinds {
		to := destinations[kind%len(destinations)]
		names := [2]string{`"product_category":"PHYSICAL"`, `"product_category":"CLOTHING"`}
		if byProduct {
			names = [2]string{`"external_product_id":"` + product(kind, 1) + `"`, `"external_product_id":"` + product(kind, 2) + `"`}
		}
		body := fmt.Sprintf(`{"date":"2026-05-15T10:00:00Z",`+
			`"addresses":[{"type":"SHIP_TO","street_1":"%s","city":"%s","state":"%s","postal_code":"%s","country":"US"}],`+
			`"transaction_items":[{%s,"external_id":"%s","quantity":1,"amount":"249.99"},{%s,"external_id":"LINE-2","quantity":2,"amount":"19.98"}]}`,
			to.street, to.city, to.state, to.zip, names[0], numberMark, names[1])
		s.templates = append(s.templates, s.template(apiKey, organizationID, body))
	}
	return s
}

// measureEstimate asks for estimates as fast as the answers come, beside the
// reference, and then at half of that rate.
func (b *bench) measureEstimate(ctx context.Context) (err error) {
	if err := b.ensure(ctx, false); err != nil {
		return err
	}
	echo, address, err := b.startEcho(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end(ctx, &echo)) }()
	during := time.Duration(b.Seconds) * time.Second
	measure := func(name string, requests *sales, l load) (*phase, error) {
		if _, _, err := requests.post(ctx, load{clients: l.clients, during: warmUp, rate: l.rate}); err != nil {
			return nil, err
		}
		before := b.cpuNow()
		all, took, err := requests.post(ctx, l)
		if err != nil {
			return nil, err
		}
		p := b.report.add(name, newPhase(l.clients, all, took, b.cpuNow().since(before)))
		b.say("  %s: %s", name, p)
		return p, nil
	}
	clients := b.Clients[0]
	b.say("Estimates from %d connections for %d s each, beside a JSON echo", clients, b.Seconds)
	reference, err := measure("JSON echo", newEstimates(address, b.apiKey, b.organizationID, false), load{clients: clients, during: during})
	if err != nil {
		return err
	}
	for _, byProduct := range []bool{false, true} {
		name := map[bool]string{false: "estimate by category", true: "estimate by product"}[byProduct]
		requests := newEstimates(b.sales.host, b.apiKey, b.organizationID, byProduct)
		profiles := b.startProfiles(ctx, name, during, "api")
		full, err := measure(name, requests, load{clients: clients, during: during})
		if err := errors.Join(err, profiles()); err != nil {
			return err
		}
		half, err := measure(name+", half load", requests, load{clients: clients, during: during, rate: full.PerSecond / 2})
		if err != nil {
			return err
		}
		b.report.compare(name, full, "bare JSON echo, same authentication", reference, 0.5)
		b.report.atMost(name+" at half load, p99", "ms", half.P99, 15)
	}
	return nil
}

// startEcho runs the reference in a process of its own, as Levy's API is.
func (b *bench) startEcho(ctx context.Context) (*local.Process, string, error) {
	port, err := local.FreePort()
	if err != nil {
		return nil, "", err
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	program, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	cmd := exec.Command(program, "--levy", b.Levy, "--serve-echo", address)
	cmd.Env, cmd.Stderr = b.env, os.Stderr
	echo, err := local.StartProcess(cmd, syscall.SIGKILL)
	if err != nil {
		return nil, "", err
	}
	err = until(ctx, "echo ready", 5*time.Millisecond, time.Minute, func(ctx context.Context) (bool, error) { return ready(ctx, address), nil })
	return echo, address, err
}
