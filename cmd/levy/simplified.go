package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"levy/authority"
	"levy/authority/streamlined"
	"levy/models"
	"levy/returns"
	"levy/tax"
	"levy/tax/calendar"
)

// byUpload is the way to a state at whose web site people upload returns.
const byUpload = "UPLOAD"

// simplifiedService is how the simplified returns of organizations that are not for tests reach a state.
type simplifiedService struct {
	state   string
	address string // of its web service; "" where people upload returns
}

// simplifiedServices reads LEVY_SIMPLIFIED_SERVICES. Errors name all that is wrong.
func (c Config) simplifiedServices() (services []simplifiedService, err error) {
	const name = "LEVY_SIMPLIFIED_SERVICES"
	for _, entry := range c.SimplifiedServices {
		state, way, ok := strings.Cut(entry, "=")
		switch {
		case !ok || !tax.IsStateCode(state):
			err = errors.Join(err, fmt.Errorf("%s: %q is not of the form MI=https://… or MI=%s", name, state, byUpload))
			continue
		case slices.ContainsFunc(services, func(s simplifiedService) bool { return s.state == state }):
			err = errors.Join(err, fmt.Errorf("%s: %s is there twice", name, state))
			continue
		}
		s := simplifiedService{state: state}
		if way != byUpload {
			s.address = way
			err = errors.Join(err, safeURL(name+" of "+state, way))
		}
		services = append(services, s)
	}
	return services, err
}

// transmitterPattern has a Streamlined id and the organization that transmits by it.
var transmitterPattern = regexp.MustCompile(`^(S[0-9]{8})@(` + models.PrefixOrganization + `_[0-9a-z]{26})$`)

// simplifiedPasswords reads LEVY_SIMPLIFIED_PASSWORDS: what each organization signs in with, by streamlined.PasswordKey. Each entry
// names its organization, because an organization enters its Streamlined id itself. Errors have no password.
func (c Config) simplifiedPasswords() (map[string]string, error) {
	const name = "LEVY_SIMPLIFIED_PASSWORDS"
	passwords := map[string]string{}
	for n, entry := range strings.Fields(c.SimplifiedPasswords.Reveal()) {
		user, password, _ := strings.Cut(entry, ":")
		parts := transmitterPattern.FindStringSubmatch(user)
		if parts == nil || password == "" {
			return nil, fmt.Errorf("%s: entry %d is not of the form S00004711@%s_…:PASSWORD", name, n+1, models.PrefixOrganization)
		}
		key := streamlined.PasswordKey(parts[2], parts[1])
		if passwords[key] != "" {
			return nil, fmt.Errorf("%s: %s is there twice", name, user)
		}
		passwords[key] = password
	}
	return passwords, nil
}

// validateSimplified checks the settings of services of states without what only the worker reads.
func (c Config) validateSimplified() error {
	services, wrong := c.simplifiedServices()
	_, passwords := c.simplifiedPasswords()
	_, files := c.simplifiedFiles(services)
	return errors.Join(wrong, passwords, files)
}

// sentTo returns the authorities whose returns have a document of an adapter.
func (c Config) sentTo() returns.AdapterAuthorities {
	to := returns.AdapterAuthorities{Tests: slices.Clone(c.SimplifiedReturns)}
	if c.VATReturns {
		to.Tests = append(to.Tests, models.UnitedKingdom)
	}
	services, _ := c.simplifiedServices() // validate has found its faults
	for _, s := range services {
		if s.address == "" {
			to.Upload = append(to.Upload, s.state)
		} else {
			to.Live = append(to.Live, s.state)
		}
	}
	return to
}

// realPause is how long a real state is not asked again: the guide allows four questions a day. It is a little shorter than the six
// hours between the runs of the schedule, of which each one is to ask.
const realPause = 6*time.Hour - 10*time.Minute

// simplifiedAdapters returns the adapters of simplified returns, by place: those to sandboxes, and those to real states. Error: a
// setting is wrong, or names no member.
func (p *parts) simplifiedAdapters(behaviour authority.Behaviour) (sandboxes, real map[string]authority.Gateway, err error) {
	services, err := p.cfg.simplifiedServices()
	if err != nil {
		return nil, nil, err
	}
	members, named := p.taxes.Current().SimplifiedStates(calendar.DateOf(time.Now())), []string{}
	for _, state := range p.cfg.SimplifiedReturns {
		if !slices.Contains(members, state) {
			return nil, nil, fmt.Errorf("LEVY_SIMPLIFIED_RETURNS: %q is none of %s", state, strings.Join(members, ", "))
		}
		named = append(named, models.StreamlinedAuthority(state, true))
	}
	for _, s := range services {
		if !slices.Contains(members, s.state) {
			return nil, nil, fmt.Errorf("LEVY_SIMPLIFIED_SERVICES: %q is none of %s", s.state, strings.Join(members, ", "))
		}
		named = append(named, models.StreamlinedAuthority(s.state, false))
	}
	count := newAcknowledgementMetrics(p.registry, named...)
	way, err := p.wayToSandbox(streamlined.NewSandbox(p.store.Filings, p.store.Filings, behaviour, p.taxes.Current))
	if err != nil {
		return nil, nil, err
	}
	sandboxes, real = map[string]authority.Gateway{}, map[string]authority.Gateway{}
	for _, state := range p.cfg.SimplifiedReturns {
		sandboxes["US-"+state] = streamlined.NewAdapter(state, way(state), p.store.Filings, p.store.Filings, behaviour.Delay).CountedBy(count)
	}
	passwords, wrong := p.cfg.simplifiedPasswords()
	files, err := p.cfg.simplifiedFiles(services)
	if err = errors.Join(wrong, err); err != nil {
		return nil, nil, err
	}
	for _, s := range services {
		if s.address == "" {
			real["US-"+s.state] = streamlined.NewUpload(s.state)
			continue
		}
		security, err := simplifiedTLS(files, s.state)
		if err != nil {
			return nil, nil, err
		}
		transport := streamlined.NewSOAP(s.address, passwords, security)
		real["US-"+s.state] = streamlined.NewAdapter(s.state, transport, p.store.Filings, p.store.Filings, realPause).CountedBy(count).Live()
	}
	return sandboxes, real, nil
}

// wayToSandbox returns the transport to the sandbox of a state. It is inside this process, or by a web service that the process serves
// to itself until it is closed. Its memory is the database, so the sandboxes of all processes are one state.
func (p *parts) wayToSandbox(sandbox *streamlined.Sandbox) (func(state string) streamlined.Transport, error) {
	if !p.cfg.SimplifiedSOAP {
		return func(string) streamlined.Transport { return sandbox }, nil
	}
	password := rand.Text()
	address, err := p.serveSandbox(streamlined.NewServer(sandbox, password))
	if err != nil {
		return nil, fmt.Errorf("the sandbox of simplified returns: %w", err)
	}
	return func(state string) streamlined.Transport {
		return streamlined.NewSOAP(address+"/"+state, nil, nil).ToSandbox(password)
	}, nil
}

// serveSandbox serves a sandbox on a free port of this machine until the process is closed, and returns its address.
func (p *parts) serveSandbox(handler http.Handler) (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: sandboxTimeout}
	go func() { _ = server.Serve(listener) }() // it ends with the process
	p.closers = append(p.closers, func(context.Context) error { return server.Close() })
	return "http://" + listener.Addr().String(), nil
}
