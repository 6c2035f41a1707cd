package web

import (
	"net/http"

	"levy/contract"
	"levy/models"
)

type transactionPage struct {
	transaction
	Stages    []contract.TransactionHistoryEntry
	Explained contract.TransactionExplanation // without steps before its calculation
	Versions  versionList
	Related   transactionList // credit notes of a sale; for a credit note the sale and its other notes
	Return    *filing         // the return with the transaction; nil if there is none
	Credit    creditForm
	Entries   []addressEntry
	Comments  comments
}

// Uncalculated reports whether the transaction waits for its calculation, after its address was found.
func (p transactionPage) Uncalculated() bool {
	n := len(p.Stages)
	return p.NeedsAttention() && n > 1 && models.ProcessingStatus(p.Stages[n-2].Stage) == models.ProcessingNexusDone
}

func (c *Console) transaction(v *pageRequest) error { return c.showTransaction(v, nil) }

// readTransaction reads what the page of a transaction shows. Errors: those of the operations.
func (v *pageRequest) readTransaction() (page transactionPage, err error) {
	ctx, id := v.Context(), v.PathValue("id")
	page.Transaction, err = v.session.GetTransaction(ctx, contract.GetTransactionRequest{TransactionID: id})
	if err != nil {
		return page, err
	}
	history, err := v.session.ListTransactionHistory(ctx, contract.ListTransactionHistoryRequest{
		TransactionID: id, Params: contract.ListTransactionHistoryParams{Size: 100},
	})
	if err != nil {
		return page, err
	}
	page.Stages = history.Items
	page.Explained, err = v.session.GetTransactionExplanation(ctx,
		contract.GetTransactionExplanationRequest{TransactionID: id})
	if err != nil && !refusedWith(err, http.StatusConflict) { // one that is not calculated yet has no explanation
		return page, err
	}
	related, err := v.session.ListRelatedTransactions(ctx, contract.ListRelatedTransactionsRequest{
		TransactionID: id, Params: contract.ListRelatedTransactionsParams{Size: 50},
	})
	if err != nil {
		return page, err
	}
	page.Related = transactionList{
		listPage: v.pageOf(related.Total, related.Page, related.Pages), Items: transactionsOf(related.Items),
	}
	if page.FilingID != "" {
		of, err := v.session.GetFiling(v.Context(), contract.GetFilingRequest{FilingID: page.FilingID})
		if err != nil {
			return page, err
		}
		page.Return = &filing{Filing: of}
	}
	if page.Comments, err = v.comments(models.CommentOnTransaction, id); err != nil {
		return page, err
	}
	page.Versions, err = v.versions(&page.Transaction)
	return page, err
}

// showTransaction shows a transaction. refused is why its credit note was refused; nil if it was not.
func (c *Console) showTransaction(v *pageRequest, refused *problem) error {
	v.followEvents()
	page, err := v.readTransaction()
	if err != nil {
		return err
	}
	page.Entries = v.addressesOf(page.transaction)
	if v.queueQuery() != "" && v.fault == nil && page.NeedsAttention() && !page.Uncalculated() {
		focusMissing(page.Entries)
	}
	page.Credit = page.creditForm(page.Related.Total)
	page.Credit.Form = page.Credit.Form.filled(page.suggested(page.Related.Total, c.now()), nil)
	status := http.StatusOK
	if refused != nil {
		status = refused.Status
		page.Credit.Form = page.Credit.Form.filled(nil, v.PostForm)
		page.Credit.Faults = page.Credit.Form.mark(refused)
	}
	v.render(status, titled(page.ExternalID, page.Credit.Faults), page)
	return nil
}

func (c *Console) reprocess(v *pageRequest) error {
	_, err := v.session.ReprocessTransaction(v.Context(),
		contract.ReprocessTransactionRequest{TransactionID: v.PathValue("id")})
	return v.goBack(err)
}
