package people

import (
	"context"
	"errors"
	"time"

	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

// attempt is a try to sign in. It counts before its work: against the address of the caller and against the account.
// An attempt that did not fail is given back.
type attempt struct {
	*Operations
	device   device
	proof    models.SignInProof // the proofs of the caller so far
	wait     time.Duration      // until others at the address of the caller may fail again; 0 for now
	giveBack []func()
}

// attempt counts a try of the caller's address. Errors: *problem.Problem for an address with too many failures,
// unless the caller's device has signed in before.
func (o *Operations) attempt(ctx context.Context) (*attempt, error) {
	g := &attempt{Operations: o, device: o.deviceOf(ctx)}
	giveBack, wait := o.failures.Try(call.Of(ctx).Address)
	if wait == 0 {
		g.giveBack = append(g.giveBack, giveBack)
	} else if g.wait = wait; g.device.token == "" {
		return g, tooManySignIns(wait)
	}
	return g, nil
}

// of counts the attempt at an account. Others may have failed too often: then a device that signed in before has
// attempts of its own. known are the accounts that these may try; nil for all. Errors: *problem.Problem.
func (g *attempt) of(ctx context.Context, account string) (known []string, err error) {
	if g.wait == 0 {
		giveBack, wait := g.accounts.Try(account)
		if wait == 0 {
			g.giveBack = append(g.giveBack, giveBack)
			return nil, nil
		}
		g.wait = wait
	}
	if g.device.token == "" {
		return nil, tooManySignIns(g.wait)
	}
	known, err = g.deps.People.DeviceAccounts(ctx, g.device.hashes)
	if err != nil {
		return nil, err
	}
	// guard: sign-in: a device that is forgotten tries nothing while others are refused
	if len(known) == 0 {
		return nil, tooManySignIns(g.wait)
	}
	giveBack, wait := g.accounts.Try("device " + string(g.device.hashes[0]))
	if wait > 0 {
		return nil, tooManySignIns(wait)
	}
	g.giveBack = append(g.giveBack, giveBack)
	return known, nil
}

// proved adds kinds of proof. They count when the attempt succeeds.
func (g *attempt) proved(kinds ...models.ProofKind) { g.proof.Kinds = append(g.proof.Kinds, kinds...) }

// keep leaves the attempt at the account counted, although it succeeds.
func (g *attempt) keep() { g.giveBack = g.giveBack[:len(g.giveBack)-1] }

// end gives the attempt back, unless it failed.
func (g *attempt) end(err error) {
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Code == problem.CodeUnauthenticated {
		return
	}
	for _, giveBack := range g.giveBack {
		giveBack()
	}
}
