package deps

import (
	"context"

	"levy/models"
)

// Idempotency stores the answers to requests with an idempotency key.
type Idempotency interface {
	// Once calls effect unless the key was used before; then it returns the stored answer.
	// The records write in the transaction of the context of effect, so the answer is committed with them.
	// A nil answer rolls everything back. Errors: models.ErrKeyInUse, models.ErrKeyReused, models.ErrUnavailable,
	// models.ErrOutcomeUnknown.
	Once(ctx context.Context, claim models.Claim,
		effect func(context.Context) *models.Answer) (replay *models.Answer, err error)
	// OnceNonTransactional is Once for an effect that is committed elsewhere and is idempotent.
	// It stores the answer after the effect. The errors are the same.
	OnceNonTransactional(ctx context.Context, claim models.Claim,
		effect func(context.Context) *models.Answer) (replay *models.Answer, err error)
}
