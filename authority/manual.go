package authority

import (
	"context"

	"levy/models"
)

// Manual is the adapter for authorities with which people file themselves. It never decides: the record waits until a
// person enters the confirmation.
type Manual struct{}

// Name implements Gateway.
func (Manual) Name() string { return ManualName }

// Submit implements Gateway.
func (Manual) Submit(context.Context, models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	return models.AuthorityAnswer{Outcome: models.AuthorityManual}, nil
}

// Check implements Gateway.
func (Manual) Check(context.Context, models.AuthorityKey) (models.AuthorityAnswer, error) {
	return models.AuthorityAnswer{Outcome: models.AuthorityManual}, nil
}
