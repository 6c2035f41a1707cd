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

// UpdateTransaction replaces the content of a transaction and offers it for processing.
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
	return Answer(&t), nil
}

// buildVersion returns the new version from the stored one. read is the version that the client made the body from.
type buildVersion func(stored, read *models.Transaction) (*models.TransactionDraft, error)

// errReadEarlier means that the client made the body from an earlier version, which must be read.
var errReadEarlier = errors.New("the body was made from an earlier version")

// ReplaceTransaction replaces the stored version by the result of build. If the version that the body was made
// from is not stored, the stored version counts instead.
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

// negativeFaults returns faults for a sale with a negative total or quantity. The contract checks those
// of a new sale by its type.
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

// requiredFaults returns a fault for an exemption of an unknown jurisdiction, unless the stored version has the same
// one.
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

// UpdateDraft returns the draft of the new version: the submitted values, else those that the client submitted before.
// It is checked like a new transaction. read is the version that the client made the request from.
func (o *Operations) UpdateDraft(
	actor models.Actor, now time.Time, stored, read *models.Transaction, sent *contract.TransactionUpdate,
) (*models.TransactionDraft, error) {
	body, continued, exemptionsAt := merged(stored, read, sent)
	begun := &models.TransactionDraft{Actor: actor}
	begun.OrganizationID, begun.ID = stored.OrganizationID, stored.ID
	begun.TaxDate = saleTime(body.Date, body.ShopDate, body.ShopDateTz).TaxDateAfter(stored)
	d, err := completeDraft(begun, now, body, exemptionsAt)
	faults := convert.FaultsOf(err)
	if stored.Type == models.TypeSale { // Levy refuses a credit note later; it has negative amounts
		faults = append(negativeFaults(body), faults...)
	}
	faults = slices.Concat(faults, o.requiredFaults(stored, read, sent))
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
