package main

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"levy/authority"
)

// authorities are the ways to the tax authorities. An adapter for a real one is
// connected here, by its jurisdictions.
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
	count := newAuthorityMetrics(p.registry, sandbox.Name(), fallback.Name())
	return authority.NewSwitchboard(sandbox, fallback, nil).WithOutages(p.store.Engine).CountedBy(count), nil
}

// newAuthorityMetrics counts the calls of adapters; those of the named ones are there from the start, as zero.
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
