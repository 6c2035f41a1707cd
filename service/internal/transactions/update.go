package transactions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/govalues/decimal"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// UpdateTransaction replaces the content of a transaction and offers it for
// processing.
func (o *Operations) UpdateTransaction(
	ctx context.Context, request contract.UpdateTransactionRequest,
) (contract.Transaction, error) {
	c, now := call.Of(ctx), convert.Instant(o.now())
	t, err := o.ReplaceTransaction(ctx, request.TransactionID, &request.Body,
		func(stored, read *models.Transaction) (*models.TransactionDraft, error) {
			return o.UpdateDraft(c.Actor(), now, stored, read, &request.Body)
		})
	if err != nil {
		return contract.Transaction{}, err
	}
	if !t.ProcessingStatus.Terminal() {
		o.offer(ctx, &t)
	}
	return TransactionAnswer(&t), nil
}

// buildVersion makes the new version of the stored one. read is the version that the body was made from.
type buildVersion func(stored, read *models.Transaction) (*models.TransactionDraft, error)

// errReadEarlier: the body was made from an earlier version, which has to be known.
var errReadEarlier = errors.New("the body was made from an earlier version")

// replaceTransaction replaces the stored version by what build makes of it. When the version that the body was made
// from is not kept, the body counts as made from the stored one.
func (o *Operations) ReplaceTransaction(
	ctx context.Context, id string, sent *contract.TransactionUpdate, build buildVersion,
) (models.Transaction, error) {
	scope := call.Of(ctx).Scope
	t, err := o.deps.Transactions.UpdateTransaction(ctx, scope, id,
		func(stored *models.Transaction) (*models.TransactionDraft, error) {
			// guard: update: a body is merged with the version that it was made from
			if revision := sent.Revision[true]; revision > 0 && revision < stored.Revision {
				return nil, errReadEarlier
			}
			return build(stored, stored)
		})
	if !errors.Is(err, errReadEarlier) {
		return t, err
	}
	read, err := o.deps.Transactions.TransactionRevision(ctx, scope, id, sent.Revision[true])
	kept := err == nil
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return models.Transaction{}, err
	}
	return o.deps.Transactions.UpdateTransaction(ctx, scope, id,
		func(stored *models.Transaction) (*models.TransactionDraft, error) {
			if !kept {
				return build(stored, stored)
			}
			return build(stored, &read.Transaction)
		})
}

// negativeFaults refuses a sale with a negative total or quantity. Those of a new one the contract refuses, by its type.
func negativeFaults(body *contract.TransactionCreate) (faults []models.Fault) {
	refuse := func(d *decimal.Decimal, path string) {
		if d != nil && d.IsNeg() {
			faults = append(faults, models.Fault{
				Code: models.FieldOutOfRange, Path: path, Message: "Must not be negative.",
			})
		}
	}
	refuse(&body.TotalAmount, "total_amount")
	for i := range body.TransactionItems {
		refuse(body.TransactionItems[i].Quantity, fmt.Sprintf("transaction_items[%d].quantity", i))
	}
	return faults
}

// shopDateFaults compares the date with a stored shop_date. One that is sent the contract compares.
func shopDateFaults(body *contract.TransactionCreate, sent *contract.TransactionUpdate) []models.Fault {
	apart := body.ShopDate.Sub(convert.Instant(body.Date).Truncate(24 * time.Hour))
	if sent.ShopDate.IsSpecified() || body.ShopDate.IsZero() || apart.Abs() <= 24*time.Hour {
		return nil
	}
	return []models.Fault{{
		Code: models.FieldMismatch, Path: "date",
		Message: "date must be within 1 day of the stored shop_date. Send shop_date too.", Of: []string{"shop_date"},
	}}
}

// requiredFaults refuses an exemption of a jurisdiction that is not known, unless it repeats what is stored.
func (o *Operations) requiredFaults(stored, read *models.Transaction, sent *contract.TransactionUpdate) []models.Fault {
	r, ok := sent.RequiresExemption[true]
	if !ok || validate.IsJurisdictionCode(o.deps.KnownJurisdiction, r.CountryCode, r.Jurisdiction) {
		return nil
	}
	for _, t := range []*models.Transaction{stored, read} {
		was := convert.ValueOf(requiredExemption(t.RequiresExemption))
		if was.CountryCode == r.CountryCode && was.Jurisdiction == r.Jurisdiction {
			return nil
		}
	}
	return []models.Fault{{
		Code: models.FieldInvalidEnum, Path: "requires_exemption.jurisdiction",
		Message: validate.MessageJurisdictionCode,
		Of:      []string{"requires_exemption.country_code", "revision"},
	}}
}

// updateDraft makes the new version: what was sent, and of all else what was sent
// before. It is checked like a new transaction. read is the version that the request was
// made from.
func (o *Operations) UpdateDraft(
	actor models.Actor, now time.Time, stored, read *models.Transaction, sent *contract.TransactionUpdate,
) (*models.TransactionDraft, error) {
	body, continued, exemptionsAt := merged(stored, read, sent)
	begun := &models.TransactionDraft{Actor: actor}
	begun.OrganizationID, begun.ID = stored.OrganizationID, stored.ID
	d, err := completeDraft(begun, now, body, exemptionsAt)
	faults := convert.FaultsOf(err)
	if stored.Type == models.TypeSale { // a credit note, which is refused later, has negative amounts
		faults = append(negativeFaults(body), faults...)
	}
	faults = slices.Concat(faults, shopDateFaults(body, sent), o.requiredFaults(stored, read, sent))
	switch {
	case faults != nil:
		return nil, &models.InvalidError{Faults: faults}
	case err != nil:
		return nil, err
	}
	d.Type, d.BatchID, d.CreatedAt = stored.Type, stored.BatchID, stored.CreatedAt
	d.Epoch, d.Revision = stored.Epoch+1, stored.Revision+1
	d.ProcessingStatus = models.ProcessingUpdated
	if d.Status == models.StatusArchived {
		d.ProcessingStatus = models.ProcessingArchived
	}
	for i, line := range continued {
		if line >= 0 {
			d.Items[i].ID = stored.Items[line].ID
		}
	}
	rules.KeepAddressIDs(stored.Addresses, d.Addresses)
	return d, nil
}
