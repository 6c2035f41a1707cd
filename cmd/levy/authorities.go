package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"levy/authority"
	"levy/authority/hmrc"
	"levy/authority/streamlined"
	"levy/models"
	"levy/service"
	"levy/tax"
	"levy/tax/calendar"
)

// authorities connects the tax authorities. Error: LEVY_SANDBOX_FAULTS is malformed.
func (p *parts) authorities() (*authority.Switchboard, error) {
	behaviour, err := authority.Behaviour{Delay: p.cfg.SandboxDelay}.ParseFaults(p.cfg.SandboxFaults)
	if err != nil {
		return nil, fmt.Errorf("LEVY_SANDBOX_FAULTS: %w", err)
	}
	sandbox := authority.NewSandbox(p.store.Filings, behaviour)
	var fallback authority.Gateway = authority.Manual{}
	if p.cfg.Authority == authority.SimulatedName {
		fallback = sandbox
	}
	board := authority.NewSwitchboard(sandbox, fallback, map[string]authority.Gateway{
		// An adapter has one line for each of its jurisdictions, such as "US-NV": nevada.New(…).
	}).WithOutages(p.store.Engine)
	states, err := p.simplifiedSandboxes(behaviour)
	if err != nil {
		return nil, err
	}
	if p.cfg.VATReturns {
		if states[models.UnitedKingdom+"-"+models.UnitedKingdom], err = p.vatSandbox(); err != nil {
			return nil, err
		}
	}
	board.WithTestReturns(states)
	return board.CountedBy(newAuthorityMetrics(p.registry, board.Names()...)), nil
}

// simplifiedSandboxes returns the adapters of the states whose simplified returns go to a sandbox. Error: one of
// LEVY_SIMPLIFIED_RETURNS is no member.
func (p *parts) simplifiedSandboxes(behaviour authority.Behaviour) (map[string]authority.Gateway, error) {
	adapters := map[string]authority.Gateway{}
	members := p.taxes.Current().SimplifiedStates(calendar.DateOf(time.Now()))
	sandbox := streamlined.NewSandbox(p.store.Filings, p.store.Filings, behaviour, p.taxes.Current)
	count := newAcknowledgementMetrics(p.registry, p.cfg.SimplifiedReturns...)
	for _, state := range p.cfg.SimplifiedReturns {
		if !slices.Contains(members, state) {
			return nil, fmt.Errorf("LEVY_SIMPLIFIED_RETURNS: %q is none of %s", state, strings.Join(members, ", "))
		}
		adapters["US-"+state] = streamlined.NewAdapter(state, sandbox, p.store.Filings, p.store.Filings, behaviour.Delay).CountedBy(count)
	}
	return adapters, nil
}

// answerQueues are the queues of acknowledgements that the adapters of this process read.
type answerQueues struct {
	*authority.Switchboard

	p *parts
}

// QueuesToRead implements activities.AnswerQueues.
func (q answerQueues) QueuesToRead(ctx context.Context, after, n int) ([]models.QueueToRead, error) {
	return q.p.store.Filings.QueuesToRead(ctx, streamlined.NamePrefix, tax.SimplifiedLayout, after, n)
}

// vatSandbox returns the adapter of the United Kingdom to a sandbox of its API.
func (p *parts) vatSandbox() (authority.Gateway, error) {
	_, client, err := p.vatServer()
	if err != nil {
		return nil, err
	}
	return hmrc.NewSandboxAdapter(client, p.store.Registrations.Grants(hmrc.Name), p.store.Filings, time.Now), nil
}

// consentPage is the path of the page on which people answer the sandbox of the VAT API.
const consentPage = "/sandbox/hmrc"

// vatConsents returns how people grant access at the sandbox of the VAT API, and its page; nil where no VAT returns are sent.
func (p *parts) vatConsents() (map[string]service.Consents, http.Handler, error) {
	if !p.cfg.VATReturns {
		return nil, nil, nil
	}
	server, client, err := p.vatServer()
	if err != nil {
		return nil, nil, err
	}
	back := strings.TrimSuffix(p.cfg.PublicURL, "/") + service.ConnectionsPath + hmrc.Name
	consents := map[string]service.Consents{hmrc.Name: hmrc.NewSandboxConsents(client, consentPage, back, time.Now)}
	return consents, server.ConsentPage(back), nil
}

// vatServer returns a sandbox of the VAT API and a client of it. This process serves it to itself until it is closed. Its memory
// is the database, so the sandboxes of all processes are one authority.
func (p *parts) vatServer() (*hmrc.Server, *hmrc.Client, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("the sandbox of the VAT API: %w", err)
	}
	sandbox := hmrc.NewServer(p.store.Filings, time.Now)
	server := &http.Server{Handler: sandbox, ReadHeaderTimeout: sandboxTimeout}
	go func() { _ = server.Serve(listener) }() // it ends with the process
	p.closers = append(p.closers, func(context.Context) error { return server.Close() })
	return sandbox, hmrc.NewClient("http://"+listener.Addr().String(), hmrc.Application{ID: "levy", Version: version}), nil
}

// sandboxTimeout is how long the head of a request to a sandbox may take.
const sandboxTimeout = 5 * time.Second

// newAuthorityMetrics returns a function that counts the calls of adapters. The counters of the named adapters begin at
// zero, so that an alarm sees the first failure as an increase.
func newAuthorityMetrics(registry prometheus.Registerer, adapters ...string) func(adapter, result string) {
	return countedResults(registry, prometheus.CounterOpts{
		Name: "levy_authority_calls_total",
		Help: "Calls of tax authorities, by adapter and result: " +
			"answered, unreached (it is tried again) or failed (a defect). " +
			"An answer may be a rejection.",
	}, adapters, authority.Results)
}

// newAcknowledgementMetrics returns a function that counts the acknowledgements of the adapters of states. Their counters begin at
// zero.
func newAcknowledgementMetrics(registry prometheus.Registerer, states ...string) func(adapter, result string) {
	adapters := make([]string, len(states))
	for i, state := range states {
		adapters[i] = streamlined.NamePrefix + state
	}
	return countedResults(registry, prometheus.CounterOpts{
		Name: "levy_acknowledgements_total",
		Help: "Acknowledgements of returns that authorities have handed out, by adapter and result: " +
			"kept, repeated, malformed (it cannot be read) or foreign (of no document that was sent).",
	}, adapters, models.AcknowledgementResults)
}

// countedResults returns a function that counts results of adapters in lower case. The counters of the named ones begin at zero.
func countedResults(
	registry prometheus.Registerer, opts prometheus.CounterOpts, adapters, results []string,
) func(adapter, result string) {
	counters := prometheus.NewCounterVec(opts, []string{"authority", "result"})
	of := func(adapter, result string) prometheus.Counter {
		return counters.WithLabelValues(adapter, strings.ToLower(result))
	}
	for _, adapter := range adapters {
		for _, result := range results {
			of(adapter, result)
		}
	}
	registry.MustRegister(counters)
	return func(adapter, result string) { of(adapter, result).Inc() }
}
