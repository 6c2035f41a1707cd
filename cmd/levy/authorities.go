package main

import (
	"fmt"

	"levy/authority"
)

// authorities are the ways to the tax authorities. An adapter for a real one is
// connected here, by its jurisdictions.
func (p *parts) authorities() (*authority.Switchboard, error) {
	behaviour, err := authority.Behaviour{Delay: p.cfg.SandboxDelay}.ParseFaults(p.cfg.SandboxFaults)
	if err != nil {
		return nil, fmt.Errorf("LEVY_SANDBOX_FAULTS: %w", err)
	}
	sandbox := authority.NewSandbox(p.store, behaviour)
	if p.cfg.Authority == authority.SimulatedName {
		return authority.NewSwitchboard(sandbox, sandbox, nil), nil
	}
	return authority.NewSwitchboard(sandbox, authority.Manual{}, nil), nil
}
