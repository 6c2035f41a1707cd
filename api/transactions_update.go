package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/api/openapi"
	"levy/api/problem"
	"levy/models"
	"levy/rules"
)

// UpdateTransaction replaces the content of a transaction and offers it for
// processing.
func (s *Server) UpdateTransaction(
	ctx context.Context, request openapi.UpdateTransactionRequest,
) (openapi.Transaction, error) {
	c, now := callOf(ctx), instant(s.now())
	t, err := s.deps.Transactions.UpdateTransaction(ctx, c.scope, request.TransactionID,
		func(stored *models.Transaction) (*models.TransactionDraft, error) {
			return updateDraft(c.actor(), now, stored, &request.Body)
		})
	if err != nil {
		return openapi.Transaction{}, err
	}
	if !t.ProcessingStatus.Terminal() {
		s.deps.Dispatcher.Offer(ctx, models.Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch})
	}
	return transactionAnswer(&t), nil
}

// updateDraft makes the new version: what was sent, and of all else what was sent
// before. It is checked like a new transaction.
func updateDraft(
	actor models.Actor, now time.Time, stored *models.Transaction, sent *openapi.TransactionUpdate,
) (*models.TransactionDraft, error) {
	body, itemIDs := merged(stored, sent)
	d, err := makeDraft(models.Scope{OrganizationID: stored.OrganizationID}, actor, now, stored.ID, body)
	if err != nil {
		return nil, err
	}
	if apart := d.TaxDate.Sub(d.Date.Truncate(24 * time.Hour)); !sent.ShopDate.IsSpecified() &&
		apart.Abs() > 24*time.Hour {
		return nil, &models.InvalidError{Faults: []models.Fault{{
			Code: problem.FieldMismatch, Location: "body.date",
			Message: "date must be within 1 day of the stored shop_date. Send shop_date too.",
		}}}
	}
	d.Type, d.BatchID, d.CreatedAt = stored.Type, stored.BatchID, stored.CreatedAt
	d.Epoch, d.Revision = stored.Epoch+1, stored.Revision+1
	d.ProcessingStatus = models.ProcessingUpdated
	if d.Status == models.StatusArchived {
		d.ProcessingStatus = models.ProcessingArchived
	}
	rules.KeepItemIDs(stored.Items, d.Items, itemIDs)
	return d, nil
}

// merged is the request that would have created the new version, with the ids that
// its lines carry.
func merged(stored *models.Transaction, sent *openapi.TransactionUpdate) (*openapi.TransactionCreate, []string) {
	was := &stored.Sent
	b := &openapi.TransactionCreate{
		Type: openapi.TransactionTypeSALE, ExternalID: sent.ExternalID, Date: sent.Date, Addresses: sent.Addresses,
		Customer: openapi.TransactionCustomerCreate(sent.Customer),
		Status: after(
			sent.Status, openapi.TransactionStatus(stored.Status), openapi.TransactionStatusCOMMITTED,
		),
		ShopDate:            after(sent.ShopDate, shopDate(stored.ShopDate), openapi_types.Date{}),
		ShopDateTz:          after(sent.ShopDateTz, valueOf(stored.ShopDateTZ), ""),
		Description:         after(sent.Description, valueOf(stored.Description), ""),
		RefundStatus:        after(sent.RefundStatus, openapi.RefundStatus(valueOf(stored.RefundStatus)), ""),
		TotalAmount:         cleared(sent.TotalAmount, stored.TotalAmount),
		CustomerID:          after(sent.CustomerID, "", ""),
		Marketplace:         after(sent.Marketplace, stored.Marketplace, false),
		Exempt:              after(sent.Exempt, openapi.ExemptStatus(stored.ExemptSent), openapi.ExemptStatusNOTEXEMPT),
		RelatedTo:           after(sent.RelatedTo, valueOf(stored.RelatedTo), ""),
		SecondaryExternalID: after(sent.SecondaryExternalID, valueOf(stored.SecondaryExternalID), ""),
		SecondarySource:     after(sent.SecondarySource, valueOf(stored.SecondarySource), ""),
		ExternalFriendlyID:  after(sent.ExternalFriendlyID, valueOf(stored.ExternalFriendlyID), ""),
		Currency:            after(sent.Currency, stored.Currency, "USD"),
		Source:              after(sent.Source, stored.Source, "OTHER"),
		ConnectionID:        after(sent.ConnectionID, valueOf(stored.ConnectionID), ""),
		FilingID:            after(sent.FilingID, "", ""),
		TaxID:               after(sent.TaxID, valueOf(stored.TaxID), ""),

		City: after(sent.City, was.City, ""), County: after(sent.County, was.County, ""),
		State:      after(sent.State, was.State, ""),
		PostalCode: after(sent.PostalCode, was.PostalCode, ""), Country: after(sent.Country, was.Country, ""),

		TotalTaxAmountImported:   cleared(sent.TotalTaxAmountImported, was.TotalTaxAmountImported),
		TaxRateImported:          cleared(sent.TaxRateImported, stored.TaxRateImported),
		TotalTaxAmountCalculated: cleared(sent.TotalTaxAmountCalculated, was.TotalTaxAmountCalculated),
		TaxRateCalculated:        cleared(sent.TaxRateCalculated, was.TaxRateCalculated),
		TotalTaxLiabilityAmount:  cleared(sent.TotalTaxLiabilityAmount, was.TotalTaxLiabilityAmount),
		TaxLiabilitySource: after(
			sent.TaxLiabilitySource, openapi.TaxLiabilitySource(was.TaxLiabilitySource), "",
		),
		TaxableAmount: cleared(sent.TaxableAmount, was.TaxableAmount),

		RequiresExemption: requiredAfter(sent.RequiresExemption, stored.RequiresExemption),
		Exemptions:        exemptionsAfter(sent.Exemptions, was.Exemptions),
	}
	if b.Customer.ExternalID == "" {
		b.Customer.ExternalID = stored.Customer.ExternalID
	}
	ids := make([]string, len(sent.TransactionItems))
	b.TransactionItems = make([]openapi.TransactionItemCreate, len(sent.TransactionItems))
	for i := range sent.TransactionItems {
		ids[i], b.TransactionItems[i] = sent.TransactionItems[i].ID, itemCreate(&sent.TransactionItems[i])
	}
	return b, ids
}

// after is the value of a field after an update: the one sent, the default when
// null was sent, else the stored one.
func after[T any](sent nullable.Nullable[T], stored, byDefault T) T {
	change(&stored, sent, byDefault)
	return stored
}

// cleared is after for a field whose default is the zero value.
func cleared[T any](sent nullable.Nullable[T], stored T) T {
	var zero T
	return after(sent, stored, zero)
}

// requiredAfter and exemptionsAfter go on with what was asked for before, for
// whoever the customer is now.
func requiredAfter(
	sent nullable.Nullable[openapi.RequiredExemption], stored json.RawMessage,
) *openapi.RequiredExemption {
	switch {
	case sent.IsNull():
		return nil
	case sent.IsSpecified():
		r := sent[true]
		return &r
	}
	r := requiredExemption(stored)
	if r != nil {
		r.CustomerID = ""
	}
	return r
}

func exemptionsAfter(
	sent nullable.Nullable[[]openapi.TransactionExemptionCreate], stored json.RawMessage,
) []openapi.TransactionExemptionCreate {
	if sent.IsSpecified() {
		return sent[true]
	}
	var exemptions []openapi.TransactionExemptionCreate
	if stored == nil || json.Unmarshal(stored, &exemptions) != nil {
		return nil
	}
	for i := range exemptions {
		exemptions[i].CustomerID = ""
	}
	return exemptions
}

func itemCreate(i *openapi.TransactionItemUpdate) openapi.TransactionItemCreate {
	return openapi.TransactionItemCreate{
		Amount: i.Amount, Date: i.Date, Description: i.Description, DiscountBuilder: i.DiscountBuilder, Exempt: i.Exempt,
		ExternalID:        i.ExternalID,
		ExternalProductID: i.ExternalProductID, Product: i.Product, ProductDescription: i.ProductDescription,
		ProductName: i.ProductName,
		Quantity:    i.Quantity, TaxAmountCalculated: i.TaxAmountCalculated, TaxAmountImported: i.TaxAmountImported,
		TaxExemption: i.TaxExemption,
		TaxItems:     i.TaxItems, TaxRateCalculated: i.TaxRateCalculated, TaxRateImported: i.TaxRateImported,
		TaxableAmount: i.TaxableAmount,
	}
}
