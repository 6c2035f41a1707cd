package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/contract/validate"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/deps"
)

const maxIdempotencyKey = 255

// idempotency is the way in which an operation uses an Idempotency-Key.
type idempotency uint8

const (
	onceIgnored          idempotency = iota // the operation only reads
	onceTransactional                       // the answer is committed with the effect
	onceNonTransactional                    // the effect is committed elsewhere
)

func idempotencyOf(at string, spec *validate.Operation) (idempotency, error) {
	declared := slices.ContainsFunc(
		spec.Parameters, func(p *validate.Parameter) bool { return p.Name == "Idempotency-Key" },
	)
	switch kind := spec.Idempotency; {
	case !declared && (kind == "none" || strings.HasPrefix(at, "GET ")):
		return onceIgnored, nil
	case declared && kind == "apart":
		return onceNonTransactional, nil
	case declared && kind == "":
		return onceTransactional, nil
	}
	return 0, fmt.Errorf("%s: a write takes the header Idempotency-Key, anything else does not", at)
}

// once carries out an operation with an idempotency key at most once. It returns the answer only
// after the answer has been committed together with the effect. A refusal stores nothing and leaves the key free.
// A repeat gets the stored answer in in.Out.Replay and an empty answer. Errors: those of effect, *problem.Problem
// for a malformed key, models.ErrKeyInUse, models.ErrKeyReused, models.ErrUnavailable, models.ErrOutcomeUnknown.
func once[A any](
	ctx context.Context, s *Session, op *Operation, in *Input, effect func(context.Context) (A, error),
) (answer A, err error) {
	if in.Keys == nil || op.once == onceIgnored {
		return effect(ctx)
	}
	c := call.Of(ctx)
	if fault := keyFault(in.Keys, c.Scope); fault != "" {
		return answer, invalidHeader("Idempotency-Key", fault)
	}
	claim := claimOf(c, in)
	c.Claim, c.Commit = &claim, &call.Commit{}
	carryOut := s.service.deps.Idempotency.Once
	if op.once == onceNonTransactional {
		carryOut = s.service.deps.Idempotency.OnceNonTransactional
	}
	var refusal error
	replay, err := carryOut(ctx, claim, func(ctx context.Context) (stored *models.Answer) {
		if answer, refusal = effect(ctx); refusal != nil {
			return nil
		}
		stored, refusal = storable(in.Out, op, answer)
		return stored
	})
	after := c.Commit
	c.Commit = nil
	switch {
	case err != nil:
		return answer, err
	case replay != nil:
		in.Out.Replay = replay
		return answer, nil
	case refusal != nil:
		return answer, refusal
	}
	for _, next := range after.Afterwards {
		next()
	}
	return answer, nil
}

// keyFault returns the message for keys that a request cannot have, or an empty text for valid keys.
func keyFault(keys []string, scope models.Scope) string {
	switch {
	case len(keys) != 1 || !acceptableKey(keys[0]):
		return "The header Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters."
	case scope.OrganizationID == "":
		return "The header Idempotency-Key counts within an organization: without x-organization-id it cannot be sent."
	}
	return ""
}

func acceptableKey(key string) bool {
	if len(key) < 1 || len(key) > maxIdempotencyKey {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

// claimOf returns the claim of a key by one request. The hash covers method, path, query and body, so a repeat has the
// same claim and another request has not.
func claimOf(c *call.Call, in *Input) models.Claim {
	sum := sha256.Sum256(in.Body)
	head := in.Method + "\x00" + in.EscapedPath + "\x00" + in.Query + "\x00"
	return models.NewClaim(
		c.Scope.OrganizationID, c.Payer(), in.Keys[0], sha256.Sum256(append([]byte(head), sum[:]...)),
	)
}

// redactable is an answer that contains a secret. WithoutSecret returns the answer that may be stored.
type redactable interface{ WithoutSecret() any }

// unstorable is a part of every answer that contains a secret.
var unstorable = []byte(`"secret_available":true`)

// storable returns the answer that is stored for repeats, without its secret. It sets out.Encoded to the answer that is
// sent. Errors: an answer with a secret that is not redactable.
func storable(out *call.Outcome, op *Operation, answer any) (*models.Answer, error) {
	if op.empty {
		return &models.Answer{Status: op.Status}, nil
	}
	var err error
	if out.Encoded, err = contract.Encode(answer); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	stored := out.Encoded
	if a, ok := answer.(redactable); ok {
		if stored, err = contract.Encode(a.WithoutSecret()); err != nil {
			return nil, fmt.Errorf("encode answer: %w", err)
		}
	}
	if bytes.Contains(stored, unstorable) {
		return nil, errors.New("an answer with a secret was not meant to be stored")
	}
	return &models.Answer{Status: op.Status, Body: stored}, nil
}

// committedOffers offers work to the dispatcher only after the record of that work has been committed.
type committedOffers struct{ deps.Dispatcher }

func (o committedOffers) Offer(ctx context.Context, ref models.Ref) {
	call.AfterCommit(ctx, func() { o.Dispatcher.Offer(ctx, ref) })
}

// invalidHeader returns the problem for a header that is repeated or malformed.
func invalidHeader(name, message string) *problem.Problem {
	return problem.New(problem.CodeInvalidHeader, message).At(models.Fault{
		Code: models.FieldInvalidFormat, In: models.InHeader, Path: name, Message: message,
	})
}
