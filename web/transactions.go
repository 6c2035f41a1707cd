package web

import (
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"time"
)

type transaction struct {
	ID         string    `json:"id"`
	Org        string    `json:"organization_id"`
	ExternalID string    `json:"external_id"`
	Type       string    `json:"type"`
	Status     string    `json:"status"`
	Stage      string    `json:"processing_status"`
	Reason     string    `json:"processing_reason"`
	Date       time.Time `json:"date"`
	Total      string    `json:"total_amount"`
	Tax        string    `json:"total_tax_amount_calculated"`
	Collected  string    `json:"total_tax_amount_imported"`
	Liability  string    `json:"total_tax_liability_amount"`
	Currency   string    `json:"currency"`
	State      string    `json:"state"`
	Country    string    `json:"country"`
	FilingID   string    `json:"filing_id"`
	Revision   int       `json:"revision"`
	Locked     bool      `json:"locked"`

	RefundStatus string `json:"refund_status"`
	Lines        []line `json:"transaction_items"`

	Customer struct {
		ID         string `json:"id"`
		Name       string `json:"name"`
		ExternalID string `json:"external_id"`
	} `json:"customer"`
	Addresses []address `json:"addresses"`
}

// NeedsAttention reports whether the transaction waits for a person.
func (t transaction) NeedsAttention() bool { return t.Stage == "NEEDS_REFETCH" }

// IsCredit reports whether the transaction is a credit note or refund. A sale may refer to another one, too.
func (t transaction) IsCredit() bool {
	return slices.Contains([]string{"FULL_CREDIT_NOTE", "PARTIAL_CREDIT_NOTE", "TAX_REFUND"}, t.Type)
}

// Computed returns an amount that Levy computes with its currency, or "not calculated yet".
func (t transaction) Computed(amount string) string {
	switch t.Stage {
	case "NEW", "UPDATED", "QUEUED", "PENDING", "ADDRESS_DONE", "EXEMPT_DONE", "NEXUS_DONE", "NEEDS_REFETCH":
		return "not calculated yet"
	}
	return grouped(amount) + " " + t.Currency
}

type transactionList struct {
	cursor
	listPage

	Items  []transaction `json:"items"`
	File   template.URL  // query of the list as a file
	Saved  savedViews
	Filing string // of whose transactions the list is; empty for all

	Filters filterForm
}

// Unresolved reports whether the list has only the transactions that block the approval of a return.
func (l transactionList) Unresolved() bool { return l.Filing != "" && l.Query.Has("unresolved") }

// transactionParameters are the parameters of the list of transactions that a saved view stores.
var transactionParameters = []string{
	"search_query", "processing_status__in", "customer_id", "date__gte", "date__lte", "order_by",
}

// transactionsFile answers with the list of transactions as CSV.
func (c *Console) transactionsFile(v *pageRequest) error {
	return c.pass(v, "/v1/transactions/export?"+pickWith(v.URL.Query(), url.Values{"format": {"csv"}},
		transactionParameters...))
}

// transactions lists the transactions of an organization or of one return.
func (c *Console) transactions(v *pageRequest) error {
	list, path := transactionList{listPage: v.listPage()}, "/v1/transactions"
	if list.Filing = list.Query.Get("filing_id"); list.Filing != "" {
		path = "/v1/filings/" + url.PathEscape(list.Filing) + "/transactions"
	}
	if list.Unresolved() {
		path += "/unresolved"
	}
	list.File = template.URL(pick(list.Query, transactionParameters...)) //nolint:gosec // it is encoded
	query := pickWith(list.Query, url.Values{"size": {"50"}},
		append([]string{"page", "after"}, transactionParameters...)...)
	v.followEvents()
	err := v.get(path+"?"+query, v.org, &list)
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
		search("order", "search_query", "Order number"),
		allOf("stage", "processing_status__in", "Stage", options("NEEDS_REFETCH", "QUEUED", "PROCESSED", "LOCKED")),
		as("from", date("date__gte", "From")), as("by", date("date__lte", "To")),
		sortedBy(option{"", "Newest first"}, option{"date", "Oldest first"}, option{"-total_amount", "Largest first"}))
	return v.show("Transactions", list)
}

type transactionPage struct {
	transaction
	Stages []struct {
		Stage      string    `json:"stage"`
		At         time.Time `json:"at"`
		Attempt    int       `json:"attempt"`
		Revision   int       `json:"revision"`
		WorkflowID string    `json:"workflow_id"`
	}
	Explained explanation
	Versions  versionList
	Related   transactionList // credit notes of a sale; for a credit note the sale and its other notes
	Return    *filing         // the return with the transaction; nil if there is none
	Credit    creditForm
	Entries   []addressEntry
}

// Uncalculated reports whether the transaction waits for its calculation, after its address was found.
func (p transactionPage) Uncalculated() bool {
	n := len(p.Stages)
	return p.NeedsAttention() && n > 1 && p.Stages[n-2].Stage == "NEXUS_DONE"
}

// explanation is the calculation of the tax of a transaction.
type explanation struct {
	Content string `json:"content_version"`
	Steps   []struct {
		Text string `json:"text"`
	} `json:"steps"`
	Items []struct {
		Product string         `json:"external_product_id"`
		Net     string         `json:"net_amount"`
		Lines   []explainedTax `json:"lines"`
	} `json:"items"`
}

// explainedTax is the tax of a line for one jurisdiction.
type explainedTax struct {
	Name    string `json:"jurisdiction_name"`
	Taxable string `json:"taxable_amount"`
	Rate    string `json:"rate"`
	Exact   string `json:"unrounded_amount"`
	Tax     string `json:"amount"`
	Source  *struct {
		Document string `json:"document"`
		Version  string `json:"version"`
	} `json:"source"`
}

func (c *Console) transaction(v *pageRequest) error { return c.showTransaction(v, nil) }

// showTransaction shows a transaction. refused is why its credit note was refused; nil if it was not.
func (c *Console) showTransaction(v *pageRequest, refused *problem) error {
	base := "/v1/transactions/" + v.id()
	page, read := transactionPage{}, json.RawMessage{}
	v.followEvents()
	if err := v.get(base, v.org, &read); err != nil {
		return err
	}
	now := map[string]any{}
	if err := errors.Join(json.Unmarshal(read, &page.transaction), json.Unmarshal(read, &now)); err != nil {
		return err
	}
	stages := struct{ Items any }{&page.Stages}
	if err := v.get(base+"/history?size=100", v.org, &stages); err != nil {
		return err
	}
	// A transaction that is not calculated yet has no explanation.
	if err := v.get(base+"/explanation", v.org, &page.Explained); err != nil && !refusedWith(err, http.StatusConflict) {
		return err
	}
	if err := v.get(base+"/related_transactions?size=50", v.org, &page.Related); err != nil {
		return err
	}
	if page.FilingID != "" {
		page.Return = &filing{}
		if err := v.get("/v1/filings/"+url.PathEscape(page.FilingID), v.org, page.Return); err != nil {
			return err
		}
	}
	var err error
	if page.Versions, err = v.versions(base, now); err != nil {
		return err
	}
	page.Entries = v.addressesOf(page.transaction)
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
	path := "/v1/transactions/" + v.id()
	if err := v.call(http.MethodPost, path+"/reprocess", v.org, nil, nil); err != nil {
		return err
	}
	return v.goTo(v.URL.Path)
}
