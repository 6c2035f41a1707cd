package worker

import (
	"errors"

	failurepb "go.temporal.io/api/failure/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// failures seals the texts of failures, because they may quote records. It does not seal the refusal of an Update whose
// sender is not known. That person has no key to open it, and it quotes nothing.
type failures struct {
	converter.FailureConverter
	readable converter.FailureConverter
}

func newFailures(data converter.DataConverter) failures {
	of := func(sealed bool) converter.FailureConverter {
		return temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{
			DataConverter: data, EncodeCommonAttributes: sealed,
		})
	}
	return failures{of(true), of(false)}
}

// ErrorToFailure returns an error as Temporal stores it.
func (f failures) ErrorToFailure(err error) *failurepb.Failure {
	if errors.Is(err, ErrNotSealed) {
		return f.readable.ErrorToFailure(ErrNotSealed)
	}
	app, ok := err.(*temporal.ApplicationError) //nolint:errorlint // what wraps it may say more
	if ok && models.RefusesProof(app.Message()) && app.Unwrap() == nil && !app.HasDetails() {
		return f.readable.ErrorToFailure(err)
	}
	return f.FailureConverter.ErrorToFailure(err)
}
