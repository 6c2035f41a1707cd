package web

import (
	"html/template"
	"net/url"
	"strings"

	"levy/contract"
	"levy/models"
)

// transaction is a transaction as pages show it.
type transaction struct{ contract.Transaction }

// transactionsOf returns the transactions of an answer.
func transactionsOf(answered []contract.Transaction) []transaction {
	all := make([]transaction, len(answered))
	for i := range answered {
		all[i] = transaction{answered[i]}
	}
	return all
}

// Place returns the name of the place where the sale is taxed, as far as its address says it.
func (t transaction) Place() string {
	if plain(t.Country) == "" {
		return plain(t.State)
	}
	return placeName(plain(t.Country), plain(t.State))
}

// NeedsAttention reports whether the transaction waits for a person.
func (t transaction) NeedsAttention() bool {
	return models.ProcessingStatus(t.ProcessingStatus) == models.ProcessingNeedsRefetch
}

// IsCredit reports whether the transaction is a credit note or refund. A sale may refer to another one, too.
func (t transaction) IsCredit() bool { return models.TransactionType(t.Type).IsCredit() }

// FromLines reports whether the transaction was sent without a total: its total is what the lines come to with the tax.
func (t transaction) FromLines() bool { return isZero(t.TotalAmount) }

// Document returns the total of the document, as it was sent or from its lines.
func (t transaction) Document() string {
	if t.FromLines() {
		return t.FinalTotalAmount
	}
	return t.TotalAmount
}

// Total returns the total of the document with its currency. That of a credit note has a minus sign.
func (t transaction) Total() string { return t.Amount(t.Document()) }

// Amount returns an amount with its currency. The amounts of a credit note have a minus sign, with whichever sign the note
// was sent.
func (t transaction) Amount(amount string) string {
	if t.IsCredit() && !strings.HasPrefix(t.TotalAmount, "-") {
		amount = negated(amount)
	}
	return grouped(amount) + " " + t.Currency
}

// Computed returns an amount that Levy computes with its currency, or "not calculated yet".
func (t transaction) Computed(amount string) string {
	stage := models.ProcessingStatus(t.ProcessingStatus)
	if !stage.Terminal() || stage == models.ProcessingPending || stage == models.ProcessingNeedsRefetch {
		return "not calculated yet"
	}
	return t.Amount(amount)
}

type transactionList struct {
	cursor
	listPage

	Items  []transaction
	File   template.URL // query of the list as a file
	Saved  savedViews
	Filing string // the return whose transactions are listed; empty for all

	Filters filterForm
}

// Unresolved reports whether the list has only the transactions that block the approval of a return.
func (l transactionList) Unresolved() bool { return l.Filing != "" && l.Query.Has("unresolved") }

// transactionParameters are the parameters of the list of transactions that a saved view stores.
var transactionParameters = []string{
	"search_query", "transaction_type", "processing_status__in", "customer_id", "date__gte", "date__lte", "report_row",
	"marketplace", "order_by",
}

// creditTypes are the types of transactions that give something back.
const creditTypes = string(models.TypeFullCreditNote + "," + models.TypePartialCreditNote + "," + models.TypeTaxRefund)

// transactionsFile answers with the list of transactions as CSV.
func (c *Console) transactionsFile(v *pageRequest) error {
	query := pickWith(v.URL.Query(), url.Values{"format": {"csv"}}, append([]string{"format"}, transactionParameters...)...)
	return v.download(func(out contract.Stream) error {
		return v.session.WithQuery(query).ExportTransactions(v.Context(), contract.ExportTransactionsRequest{}, out)
	})
}

// readTransactions reads the list of transactions of an organization or of one return. Errors: those of the operations.
func (v *pageRequest) readTransactions(list *transactionList) (err error) {
	session := v.session.WithQuery(v.sized(pickWith(list.Query, url.Values{"size": {"50"}},
		append([]string{"page", "after"}, transactionParameters...)...)))
	var answer contract.TransactionList
	switch {
	case list.Unresolved():
		answer, err = session.ListUnresolvedFilingTransactions(v.Context(),
			contract.ListUnresolvedFilingTransactionsRequest{FilingID: list.Filing})
	case list.Filing != "":
		answer, err = session.ListFilingTransactions(v.Context(),
			contract.ListFilingTransactionsRequest{FilingID: list.Filing})
	default:
		answer, err = session.ListTransactions(v.Context(), contract.ListTransactionsRequest{})
	}
	list.listPage = v.pageOf(answer.Total, answer.Page, answer.Pages)
	list.Items, list.NextCursor = transactionsOf(answer.Items), valueOf(answer.NextCursor)
	return err
}

// transactions lists the transactions of an organization or of one return.
func (c *Console) transactions(v *pageRequest) error {
	list := transactionList{listPage: v.listPage(), Filing: v.URL.Query().Get("filing_id")}
	list.File = template.URL(pick(list.Query, transactionParameters...)) //nolint:gosec // it is encoded
	v.followEvents()
	err := v.readTransactions(&list)
	if err != nil {
		return err
	}
	if list.Saved, err = v.saved("transactions", v.org, list.Query, transactionParameters...); err != nil {
		return err
	}
	unresolved := ""
	if list.Unresolved() {
		unresolved = "true"
	}
	list.Filters = filters("Find", list.Query,
		hidden("filing_id", list.Filing), hidden("unresolved", unresolved), hidden("customer_id", ""),
		hidden("report_row", ""), hidden("marketplace", ""),
		search("order", "search_query", "Order number"),
		allOf("stage", "processing_status__in", "Stage", options(models.ProcessingNeedsRefetch,
			models.ProcessingQueued, models.ProcessingProcessed, models.ProcessingLocked)),
		allOf("kind", "transaction_type", "Kind", []option{{string(models.TypeSale), "Sales"}, {creditTypes, "Credit notes and refunds"}}),
		as("from", date("date__gte", "From")), as("by", date("date__lte", "Until")),
		sortedBy(option{"", "Newest first"}, option{"date", "Oldest first"}, option{"-total_amount", "Largest first"}))
	return v.show("Transactions", list)
}
