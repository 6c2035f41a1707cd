package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"levy/authority"
	"levy/authority/hmrc"
	"levy/models"
	"levy/service"
	"levy/store/filings"
	"levy/tax"
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
	states, places, err := p.simplifiedAdapters(behaviour)
	if err != nil {
		return nil, err
	}
	// An adapter of another jurisdiction has one line, such as places["US-NV"] = nevada.New(…).
	board := authority.NewSwitchboard(sandbox, fallback, places).WithOutages(p.store.Engine)
	if p.cfg.VATReturns {
		if states[models.UnitedKingdom+"-"+models.UnitedKingdom], err = p.vatSandbox(); err != nil {
			return nil, err
		}
	}
	board.WithTestReturns(states)
	return board.CountedBy(newAuthorityMetrics(p.registry, board.Names()...)), nil
}

// answerQueues are the queues of acknowledgements that the adapters of this process read.
type answerQueues struct {
	*authority.Switchboard

	p *parts
}

// QueuesToRead implements activities.AnswerQueues.
func (q answerQueues) QueuesToRead(ctx context.Context, after, n int) ([]models.QueueToRead, error) {
	return q.p.store.Filings.QueuesToRead(ctx, filings.QueueNames{
		Prefix: models.StreamlinedPrefix, LiveSuffix: models.StreamlinedLive, Layout: tax.SimplifiedLayout,
	}, after, n)
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
	sandbox := hmrc.NewServer(p.store.Filings, time.Now)
	address, err := p.serveSandbox(sandbox)
	if err != nil {
		return nil, nil, fmt.Errorf("the sandbox of the VAT API: %w", err)
	}
	return sandbox, hmrc.NewClient(address, hmrc.Application{ID: "levy", Version: version}), nil
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
func newAcknowledgementMetrics(registry prometheus.Registerer, adapters ...string) func(adapter, result string) {
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
