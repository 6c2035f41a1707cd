package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"levy/internal/local"
)

// newEstimates makes requests for estimates of two lines, by category or by
// products of the catalogue.
func newEstimates(host, apiKey, organizationID string, byProduct bool) *sales {
	s := &sales{host: host, path: "/v1/tax/estimate", status: http.StatusOK}
	for kind := range kinds {
		names := [2]string{`"product_category":"PHYSICAL"`, `"product_category":"CLOTHING"`}
		if byProduct {
			names = [2]string{`"external_product_id":"` + product(kind, 1) + `"`, `"external_product_id":"` +
				product(kind, 2) + `"`}
		}
		s.templates = append(s.templates,
			s.template(apiKey, organizationID, estimateBody(kind, names[0], names[1], numberMark)))
	}
	return s
}

// estimateBody asks for an estimate of two goods, delivered to one of the destinations.
func estimateBody(kind int, first, second, externalID string) string {
	to := destinations[kind%len(destinations)]
	return fmt.Sprintf(`{"date":"2026-05-15T10:00:00Z",`+
		`"addresses":[{"type":"SHIP_TO","street_1":"%s","city":"%s","state":"%s","postal_code":"%s","country":"US"}],`+
		`"transaction_items":[{%s,"external_id":"%s","quantity":1,"amount":"249.99"},`+
		`{%s,"external_id":"LINE-2","quantity":2,"amount":"19.98"}]}`,
		to.street, to.city, to.state, to.zip, first, externalID, second)
}

// measureEstimate asks for estimates as fast as the answers come, beside the
// reference, and then at half of that rate.
func (b *bench) measureEstimate(ctx context.Context) (err error) {
	if err := b.ensure(ctx, false); err != nil {
		return err
	}
	address, err := b.startEcho(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end(ctx, &b.echo)) }()
	during := time.Duration(b.Seconds) * time.Second
	measure := func(name string, requests *sales, l load) (*phase, error) {
		if _, _, err := requests.post(ctx, load{clients: l.clients, during: warmUp, rate: l.rate}); err != nil {
			return nil, err
		}
		before := b.cpuNow()
		all, late, took, err := requests.postLate(ctx, l)
		if err != nil {
			return nil, err
		}
		p := b.report.add(name, newPhase(l.clients, all, took, b.cpuNow().since(before)))
		b.say("  %s: %s", name, p)
		if late != nil {
			sent := make(latencies, len(all))
			for i := range all {
				sent[i] = all[i] - late[i]
			}
			b.say("  sent late by p50 %.1f ms, p99 %.1f ms; since they were sent p50 %.1f ms, p99 %.1f ms",
				late.percentile(50), late.percentile(99), sent.percentile(50), sent.percentile(99))
			b.report.note("Of %s the requests were sent %.1f ms (p99) after they were planned, which their latency contains; "+
				"since they were sent it is %.1f ms.", name, late.percentile(99), sent.percentile(99))
		}
		return p, nil
	}
	clients := b.Clients[0]
	b.say("Estimates from %d connections for %d s each, beside an echo", clients, b.Seconds)
	echoed := newEstimates(address, b.apiKey, b.organizationID, false)
	reference, err := measure("echo", echoed, load{clients: clients, during: during})
	if err != nil {
		return err
	}
	// This is the reference of a request at half load. Waking a process for each request costs time, even if the process
	// does hardly anything.
	if _, err := measure("echo, half load", echoed,
		load{clients: clients, during: during, rate: reference.PerSecond / 2}); err != nil {
		return err
	}
	for _, byProduct := range []bool{false, true} {
		name, aim := "estimate by category", 0.5
		if byProduct {
			name, aim = "estimate by product", 0.35
		}
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
		b.report.compare(name, full, "echo behind the same middlewares", reference, aim)
		b.report.atMost(name+" at half load, p99", "ms", half.P99, 15)
	}
	return nil
}

// startEcho runs the reference in a process of its own, as Levy's API is. Its answer is one that
// Levy gives.
func (b *bench) startEcho(ctx context.Context) (string, error) {
	port, err := local.FreePort()
	if err != nil {
		return "", err
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	answer, err := b.oneEstimate(ctx)
	if err != nil {
		return "", err
	}
	file := filepath.Join(b.dir, "estimate.json")
	if err := os.WriteFile(file, answer, 0o600); err != nil {
		return "", err
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	log, err := os.OpenFile(filepath.Join(b.logs, "echo.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer log.Close()
	cmd := exec.Command(program, "--levy", b.Levy, "--serve-echo", address, "--echo-answer", file)
	cmd.Env, cmd.Stderr = b.env, log
	if b.echo, err = local.StartProcess(cmd, syscall.SIGKILL); err != nil {
		return "", err
	}
	err = until(ctx, "echo ready", 5*time.Millisecond, time.Minute,
		func(ctx context.Context) (bool, error) { return ready(ctx, address), nil })
	return address, err
}

// oneEstimate asks Levy for an estimate by category and returns the answer.
func (b *bench) oneEstimate(ctx context.Context) ([]byte, error) {
	body := estimateBody(0, `"product_category":"PHYSICAL"`, `"product_category":"CLOTHING"`, "LINE-1")
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.baseURL+"/v1/tax/estimate", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = http.Header{
		"X-Api-Key": {b.apiKey}, "X-Organization-Id": {b.organizationID}, "Content-Type": {"application/json"},
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("an estimate was answered with %d: %s", response.StatusCode, answer)
	}
	return answer, err
}
