package transactions

import (
	"context"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
)

// Faults returns the faults of a new transaction that the schema of the contract cannot express.
func Faults(_ context.Context, now time.Time, b *contract.TransactionCreate) []models.Fault {
	var err error
	if models.TransactionType(b.Type).IsCredit() {
		_, err = refundDraft(models.Scope{}, models.Actor{}, now, b)
	} else {
		_, err = transactionDraft(models.Scope{}, models.Actor{}, now, b)
	}
	return convert.FaultsOf(err)
}

// Check is the validate.Check of a new transaction, single, in a batch or in a file.
func Check(ctx context.Context, now time.Time, raw []byte) []models.Fault {
	var body contract.TransactionCreate
	if err := contract.Decode(raw, &body); err != nil {
		return nil // the validator has already refused it
	}
	return Faults(ctx, convert.Instant(now), &body)
}
