package people

import (
	"context"
	"log/slog"
	"time"

	"levy/contract/problem"
	"levy/internal/secret"
	"levy/service/internal/deps"
	"levy/service/internal/output"
	"levy/service/limit"
)

// Operations are the operations of people, their keys and their sessions.
type Operations struct {
	deps       *deps.Deps
	now        func() time.Time
	outputs    *output.Outputs
	keys       *secret.KeyHasher
	log        *slog.Logger
	accounts   *limit.Accounts
	failures   *limit.Failures
	passwords  *Passwords
	passkeys   *RelyingParty
	principals deps.PrincipalCache
	checkQuery func(ctx context.Context, operation, query string) *problem.Problem
	Mails      bool // sign-in links are sent by e-mail, to their person alone
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	outputs *output.Outputs,
	keys *secret.KeyHasher,
	log *slog.Logger,
	accounts *limit.Accounts,
	failures *limit.Failures,
	passwords *Passwords,
	passkeys *RelyingParty,
	principals deps.PrincipalCache,
	checkQuery func(ctx context.Context, operation, query string) *problem.Problem,
) *Operations {
	return &Operations{
		deps: deps, now: now, outputs: outputs, keys: keys, log: log, accounts: accounts, failures: failures,
		passwords: passwords, passkeys: passkeys, principals: principals, checkQuery: checkQuery,
	}
}
