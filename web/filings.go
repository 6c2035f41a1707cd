package web

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

type filing struct {
	ID           string   `json:"id"`
	Org          string   `json:"organization_id"`
	Registration string   `json:"registration_id"`
	Status       string   `json:"status"`
	Country      string   `json:"country_code"`
	State        string   `json:"state_code"`
	StateName    string   `json:"state_name"`
	Start        string   `json:"start_date"`
	End          string   `json:"end_date"`
	Due          string   `json:"due_date"`
	Filed        string   `json:"date_filed"`
	Category     string   `json:"filing_category"`
	Currency     string   `json:"currency"`
	Amount       string   `json:"amount"`
	Sales        string   `json:"amount_sales"`
	Taxable      string   `json:"total_taxable_sales"`
	Calculated   string   `json:"amount_calculated"`
	Collected    string   `json:"amount_tax_collected"`
	Liability    string   `json:"total_tax_liability"`
	Adjusted     string   `json:"amount_adjusted"`
	Discounts    string   `json:"amount_discounts"`
	Fees         string   `json:"amount_fees"`
	Penalties    string   `json:"amount_penalties"`
	Transactions int      `json:"transaction_count"`
	Marketplace  int      `json:"marketplace_transaction_count"`
	Unresolved   int      `json:"unresolved_transaction_count"`
	CanApprove   bool     `json:"can_approve"`
	Blockers     []string `json:"approval_blockers"`
	Blocked      bool     `json:"block_approval"`
	Notes        string   `json:"internal_notes"`
	ApprovedBy   string   `json:"approved_by"`
	IssueReason  string   `json:"issue_reason"`
	SkipReason   string   `json:"skip_reason"`
	CancelReason string   `json:"cancelled_reason"`
	PausedUntil  string   `json:"paused_until_date"`
	Confirmation string   `json:"return_confirmation_id"`
	Payment      string   `json:"payment_confirmation_id"`
	Remitted     string   `json:"tax_remitted"`
	Ticket       string   `json:"jira_issue_key"`
	WorkflowID   string   `json:"workflow_id"`

	Unanswered *time.Time `json:"authority_unanswered_since"`
	Manual     bool       `json:"awaits_confirmation"`
	Website    string     `json:"filing_website_url"`

	Amends string  `json:"amends_filing_id"` // the amended return, if it is an amendment
	Causes []cause `json:"amendment_causes"`
}

// cause is the number of transactions that made an amendment necessary, with the reason.
type cause struct {
	Reason       string `json:"reason"`
	Transactions int    `json:"transactions"`
}

// Label returns the cause as text: "2 transactions were changed".
func (c cause) Label() string {
	said := map[string]string{
		"LATE": "transactions came too late", "CHANGED": "transactions were changed",
		"CREDIT_NOTE": "credit notes were made",
	}[c.Reason]
	if c.Transactions == 1 {
		said = strings.NewReplacer("transactions", "transaction", "notes", "note", "were", "was").Replace(said)
	}
	return grouped(c.Transactions) + " " + said
}

// Jurisdiction returns the name of the state and the country of the return.
func (f filing) Jurisdiction() string {
	if f.StateName != "" {
		return f.StateName + ", " + f.Country
	}
	return f.State + ", " + f.Country
}

// Members returns the number of transactions in the return, with those of marketplaces.
func (f filing) Members() int { return f.Transactions + f.Marketplace }

// Paid returns the amount paid; "" if none was entered.
func (f filing) Paid() string {
	if strings.Trim(f.Remitted, "0.") == "" {
		return ""
	}
	return f.Remitted
}

// Open reports whether the return is not filed, skipped or cancelled.
func (f filing) Open() bool {
	return f.Status != "FILED" && f.Status != "SKIPPED" && f.Status != "CANCELLED"
}

// Approvable reports whether the return can be approved, possibly without its unresolved transactions.
func (f filing) Approvable() bool {
	other := func(blocker string) bool { return blocker != "TRANSACTIONS_UNRESOLVED" }
	return f.Status == "UNFILED" && !slices.ContainsFunc(f.Blockers, other)
}

// Blockable reports whether the approval of the return can be blocked.
func (f filing) Blockable() bool { return !f.Blocked && f.unsettled() }

// Unblockable reports whether the approval of the return is blocked and can be unblocked.
func (f filing) Unblockable() bool { return f.Blocked && f.unsettled() }

// unsettled reports whether the return may still be approved, now or after another change.
func (f filing) unsettled() bool {
	return f.Status == "UNFILED" || f.Status == "PAUSED" || f.Status == "ISSUE"
}

type filingList struct {
	listPage

	Items   []filing `json:"items"`
	Filters filterForm
}

func (c *Console) filings(v *pageRequest) error {
	list := filingList{listPage: v.listPage()}
	list.Filters = filters("Filter", list.Query,
		allOf("status", "status__in", "Status", filingStatuses),
		as("state", field{Name: "state_code", Label: "Place", Kind: "place", Blank: "All"}),
		as("by", date("due_date__lte", "Due by")),
		sortedBy(option{"", "Earliest due first"}, option{"-due_date", "Latest due first"},
			option{"state_code,due_date", "By place"}))
	query := pickWith(list.Query, url.Values{"order_by": {"due_date"}}, "status__in", "state_code", "due_date__lte",
		"order_by", "page")
	v.followEvents()
	if err := v.get("/v1/filings?"+query, v.org, &list); err != nil {
		return err
	}
	return v.show("Filings", list)
}
