package transactions

import (
	"context"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
)

func TransactionFaults(_ context.Context, now time.Time, b *contract.TransactionCreate) []models.Fault {
	var err error
	if models.TransactionType(b.Type).IsCredit() {
		_, err = refundDraft(models.Scope{}, models.Actor{}, now, b)
	} else {
		_, err = transactionDraft(models.Scope{}, models.Actor{}, now, b)
	}
	return convert.FaultsOf(err)
}

// CheckTransaction is the check of a transaction to be recorded, alone, in a batch or in a file: see validate.Check.
func CheckTransaction(ctx context.Context, now time.Time, raw []byte) []models.Fault {
	var body contract.TransactionCreate
	if err := contract.Decode(raw, &body); err != nil {
		return nil // the validator has refused it anyway
	}
	return TransactionFaults(ctx, convert.Instant(now), &body)
}
