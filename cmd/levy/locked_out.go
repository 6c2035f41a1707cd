package main

import (
	"context"
	"fmt"

	"levy/service"
	"levy/store"
)

// lockedOut says how many people cannot sign in, and why.
type lockedOut struct {
	People int64  `json:"people"`
	Reason string `json:"reason,omitempty"` // why there are no passkeys
}

// readLockedOut reads how many people have passkeys and no codes, where there are no passkeys. Where people sign in at an
// OpenID provider, no person needs one.
func readLockedOut(ctx context.Context, s *store.Store, cfg Config) (l lockedOut, err error) {
	why := service.PasskeysUnavailable(cfg.PublicURL, cfg.OIDCIssuer != "")
	if why == "" || cfg.OIDCIssuer != "" {
		return l, nil
	}
	// guard: passkeys: the operator learns who cannot sign in
	if l.People, err = s.People.WithPasskeysAlone(ctx); l.People > 0 {
		l.Reason = why
	}
	return l, err
}

// inWords returns a sentence with the number, the reason and the ways out.
func (l lockedOut) inWords() string {
	people := "1 person has passkeys and no codes, and cannot sign in."
	if l.People > 1 {
		people = fmt.Sprintf("%d people have passkeys and no codes, and cannot sign in.", l.People)
	}
	return people + " " + l.Reason + " Set LEVY_PUBLIC_URL of the API to the address of their passkeys, or give each a link " +
		"by levy user invite, which ends the passkeys."
}

// warnOfLockedOut writes a line to the log if people cannot sign in. The API serves in any case.
func (p *parts) warnOfLockedOut(ctx context.Context) {
	locked, err := readLockedOut(ctx, p.store, p.cfg)
	switch {
	case err != nil:
		p.log.WarnContext(ctx, "people with passkeys could not be counted", "error", err.Error())
	case locked.People > 0:
		p.log.WarnContext(ctx, locked.inWords(), "people", locked.People)
	}
}
