package transactions

import (
	"context"
	"slices"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// CreateCreditNote refunds a sale or a part of it.
func (o *Operations) CreateCreditNote(
	ctx context.Context, request contract.CreateCreditNoteRequest,
) (contract.Transaction, error) {
	c := call.Of(ctx)
	draft, err := CreditNoteDraft(c.Scope, c.Actor(), convert.Instant(o.now()), request.TransactionID, &request.Body)
	if err != nil {
		return contract.Transaction{}, err
	}
	return o.acceptRefund(ctx, draft)
}

// UpdateCreditNote changes the submitted fields of a credit note or a tax refund.
func (o *Operations) UpdateCreditNote(
	ctx context.Context, request contract.UpdateCreditNoteRequest,
) (contract.Transaction, error) {
	c := call.Of(ctx)
	draft, waits, err := o.deps.CreditNotes.ChangeRefund(ctx, c.Scope, request.TransactionID, request.CreditNoteID,
		func(d *models.RefundDraft) error {
			return ChangeRefund(d, c.Actor(), convert.Instant(o.now()), &request.Body)
		})
	return o.refundAnswer(ctx, draft, waits, err)
}

// acceptRefund stores a refund and offers it for processing.
func (o *Operations) acceptRefund(ctx context.Context, draft *models.RefundDraft) (contract.Transaction, error) {
	waits, err := o.deps.CreditNotes.AcceptRefund(ctx, call.Of(ctx).Scope, draft)
	return o.refundAnswer(ctx, draft, waits, err)
}

// refundAnswer returns the answer for a stored refund. It offers the refund for processing unless its original must be
// processed first.
func (o *Operations) refundAnswer(
	ctx context.Context, draft *models.RefundDraft, waits bool, err error,
) (contract.Transaction, error) {
	if err != nil {
		return contract.Transaction{}, err
	}
	if !waits {
		o.offer(ctx, &draft.Transaction)
	}
	return Answer(&draft.Transaction), nil
}

// CreditNoteDraft converts the request for a credit note into a draft. Fields that the request omits come
// from the original.
func CreditNoteDraft(
	scope models.Scope, actor models.Actor, now time.Time, originalID string, body *contract.CreditNoteCreate,
) (*models.RefundDraft, error) {
	asTransaction := contract.TransactionCreate{
		ExternalID: body.ExternalID, Date: body.Date, Type: contract.TransactionTypePARTIALCREDITNOTE,
		ShopDate: body.ShopDate, ShopDateTz: body.ShopDateTz,
		Status: contract.TransactionStatus(body.Status), RelatedTo: originalID,
		TotalAmount: body.TotalAmount, Currency: body.Currency, Description: body.Description,
		ExternalFriendlyID:     body.ExternalFriendlyID,
		TotalTaxAmountImported: body.TaxAmountImported, TaxRateImported: body.TaxRateImported,
		TaxableAmount: body.TaxableAmount,
		Source:        body.Source, Exempt: contract.ExemptStatusNOTEXEMPT, Addresses: convert.ValueOf(body.Addresses),
		TransactionItems: creditNoteItems(body.TransactionItems, body.Date),
	}
	draft, err := refundDraft(scope, actor, now, &asTransaction)
	if err != nil {
		return nil, err
	}
	draft.OwnAddresses, draft.OwnSource, draft.Named = body.Addresses != nil, body.Source != "", false
	return draft, nil
}

// creditNoteItems converts the lines of a credit note into those of a transaction.
func creditNoteItems(items []contract.CreditNoteItemCreate, noteDate time.Time) []contract.TransactionItemCreate {
	return convert.ConvertAll(items, func(b contract.CreditNoteItemCreate) contract.TransactionItemCreate {
		if b.Date.IsZero() {
			b.Date = noteDate
		}
		return contract.TransactionItemCreate{
			ExternalID: b.ExternalID, ExternalProductID: b.ExternalProductID, Date: b.Date, Quantity: b.Quantity,
			Amount:      b.Amount,
			Description: b.Description, Product: b.Product, ProductName: b.ProductName,
			TaxAmountImported: b.TaxAmountImported, TaxRateImported: b.TaxRateImported, TaxableAmount: b.TaxableAmount,
			TaxExemption: b.TaxExemption, TaxItems: b.TaxItems,
		}
	})
}

// refundDraft converts the request for a credit note or a tax refund into a draft. Customer, exemptions
// and marketplace come from the original, whatever the request contains. Collected tax comes from the original
// if the request has none.
func refundDraft(
	scope models.Scope, actor models.Actor, now time.Time, body *contract.TransactionCreate,
) (*models.RefundDraft, error) {
	body.RequiresExemption, body.Exemptions = nil, nil
	draft, err := transactionDraft(scope, actor, now, body)
	if err != nil {
		return nil, err
	}
	draft.Sent.TaxFromOriginal = draft.Type != models.TypeTaxRefund && body.TotalTaxAmountImported.IsZero() &&
		!slices.ContainsFunc(body.TransactionItems,
			func(i contract.TransactionItemCreate) bool { return !convert.ValueOf(i.TaxAmountImported).IsZero() })
	return &models.RefundDraft{
		TransactionDraft: *draft, OwnAddresses: true, OwnSource: true, Named: true,
		WithoutDay: saleTime(body.Date, body.ShopDate, body.ShopDateTz).IsWithoutDay(),
	}, nil
}
