package main

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"levy/authority"
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
	return board.CountedBy(newAuthorityMetrics(p.registry, board.Names()...)), nil
}

// newAuthorityMetrics returns a function that counts the calls of adapters. The counters of the named adapters begin at
// zero, so that an alarm sees the first failure as an increase.
func newAuthorityMetrics(registry prometheus.Registerer, adapters ...string) func(adapter, result string) {
	calls := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "levy_authority_calls_total",
		Help: "Calls of tax authorities, by adapter and result: " +
			"answered, unreached (it is tried again) or failed (a defect). " +
			"An answer may be a rejection.",
	}, []string{"authority", "result"})
	for _, adapter := range adapters {
		for _, result := range authority.Results {
			calls.WithLabelValues(adapter, result)
		}
	}
	registry.MustRegister(calls)
	return func(adapter, result string) { calls.WithLabelValues(adapter, result).Inc() }
}
