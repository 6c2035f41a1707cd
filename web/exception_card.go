package web

import (
	"net/http"

	"levy/contract"
	"levy/models"
)

// openParameter names the exception whose card the list shows. Its value is that of the exception's box.
const openParameter = "open"

// exceptionCard is an exception with what its record says, for the pane of the list. Parts that the person may not read
// are empty.
type exceptionCard struct {
	exception

	Sale      *transaction
	Explained contract.TransactionExplanation // of the sale; without steps if it is not calculated yet
	Return    *filingPage                     // with its review alone
	MayOpen   bool                            // the person may open the page of the record
}

// card reads the card of an exception. Errors: those of the operations.
func (v *pageRequest) card(e exception) (*exceptionCard, error) {
	card := &exceptionCard{exception: e}
	card.MayOpen = e.Link() != "" && (e.Type != models.ExceptionWebhook || v.user.may(e.OrganizationID, models.RoleViewer))
	session := v.session.In(v.Context(), e.OrganizationID)
	switch e.folder() {
	case "transactions":
		read, err := session.GetTransaction(v.Context(), contract.GetTransactionRequest{TransactionID: e.ObjectID})
		if err = v.readable(err); err != nil || read.ID == "" {
			return card, err
		}
		card.Sale = &transaction{Transaction: read}
		card.Explained, err = session.GetTransactionExplanation(v.Context(),
			contract.GetTransactionExplanationRequest{TransactionID: e.ObjectID})
		if refusedWith(err, http.StatusConflict) { // it is not calculated yet
			err = nil
		}
		return card, v.readable(err)
	case "filings":
		read, err := session.GetFiling(v.Context(), contract.GetFilingRequest{FilingID: e.ObjectID})
		if err = v.readable(err); err != nil || read.ID == "" {
			return card, err
		}
		card.Return = &filingPage{filing: filing{Filing: read}}
		review, err := session.GetFilingReview(v.Context(), contract.GetFilingReviewRequest{FilingID: e.ObjectID})
		if err == nil {
			card.Return.Review = &review
		}
		return card, v.readable(err)
	}
	return card, nil
}

// readable turns the refusal of a part of a card into nil: the person sees the exception, and may not read more of it. A
// timeout becomes a note on the page.
func (v *pageRequest) readable(err error) error {
	if refusedWith(err, http.StatusForbidden) || refusedWith(err, http.StatusNotFound) {
		return nil
	}
	return v.optional("more about the record", err)
}
