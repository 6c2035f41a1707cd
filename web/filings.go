package web

import (
	"cmp"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"
)

// filing is a return.
type filing struct {
	contract.Filing
	Pick *field // the box that selects it for an approval with others; nil if it has none
}

// filingsOf returns the returns of a list.
func filingsOf(items []contract.Filing) []filing {
	all := make([]filing, len(items))
	for i := range items {
		all[i] = filing{Filing: items[i]}
	}
	return all
}

// causeLabels are the reasons for amendments, after the number of their transactions.
var causeLabels = map[string]string{
	"LATE": "transactions came too late", "CHANGED": "transactions were changed", "CREDIT_NOTE": "credit notes were created",
}

// Causes returns what made an amendment necessary: "2 transactions were changed".
func (f filing) Causes() []string {
	all := make([]string, len(f.AmendmentCauses))
	for i, cause := range f.AmendmentCauses {
		label := causeLabels[cause.Reason]
		if cause.Transactions == 1 {
			label = strings.NewReplacer("transactions", "transaction", "notes", "note", "were", "was").Replace(label)
		}
		all[i] = grouped(cause.Transactions) + " " + label
	}
	return all
}

// Jurisdiction returns the name of the place of the return, such as "US: California".
func (f filing) Jurisdiction() string {
	return placeNamed(f.CountryCode, valueOf(f.StateCode), valueOf(f.StateName))
}

// Members returns the number of transactions in the return, with those of marketplaces.
func (f filing) Members() int64 { return f.TransactionCount + f.MarketplaceTransactionCount }

// Paid returns the amount paid; "" if none was entered.
func (f filing) Paid() string {
	if strings.Trim(f.TaxRemitted, "0.") == "" {
		return ""
	}
	return f.TaxRemitted
}

func (f filing) status() models.FilingStatus { return models.FilingStatus(f.Status) }

// Open reports whether the return is not filed, skipped or cancelled.
func (f filing) Open() bool { return !f.status().Over() }

// Approvable reports whether the return can be approved, possibly without its unresolved transactions.
func (f filing) Approvable() bool {
	other := func(blocker string) bool { return blocker != models.BlockerUnresolved }
	return f.status() == models.FilingUnfiled && !slices.ContainsFunc(f.ApprovalBlockers, other)
}

// Blockable reports whether the approval of the return can be blocked.
func (f filing) Blockable() bool { return !valueOf(f.BlockApproval) && f.Unsettled() }

// Unblockable reports whether the approval of the return is blocked and can be unblocked.
func (f filing) Unblockable() bool { return valueOf(f.BlockApproval) && f.Unsettled() }

// Unsettled reports whether the return may still be approved, now or after another change.
func (f filing) Unsettled() bool { return f.status().Live() || f.status() == models.FilingIssue }

type filingList struct {
	listPage

	Items   []filing
	Many    bool // some of them can be selected
	File    template.URL
	Filters filterForm
}

func (c *Console) filings(v *pageRequest) error {
	query := v.URL.Query()
	asked := maps.Clone(placed(query, "country_code"))
	asked.Set("order_by", cmp.Or(asked.Get("order_by"), "due_date"))
	v.followEvents()
	session := v.session.WithQuery(v.sized(pick(asked, append([]string{"page"}, returnParameters...)...)))
	found, err := session.ListFilings(v.Context(), contract.ListFilingsRequest{})
	if err != nil {
		return err
	}
	list := filingList{listPage: v.pageOf(found.Total, found.Page, found.Pages), Items: filingsOf(found.Items)}
	for i := range list.Items {
		f := &list.Items[i]
		if f.status() == models.FilingUnfiled && f.CanApprove && v.user.may(v.org, models.RoleApprover) {
			f.Pick = new(pickBox(strconv.Itoa(i), v.org, pickedReturn, f.ID, f.Jurisdiction()))
			list.Many = true
		}
	}
	list.File = v.fileOf("filings", asked, returnParameters...)
	list.Filters = filters("Filter", query,
		allOf("status", "status__in", "Status", filingStatuses),
		placeFilter, as("by", date("due_date__lte", "Due by")),
		sortedBy(option{"", "Earliest due first"}, option{"-due_date", "Latest due first"},
			option{"state_code,due_date", "By place"}))
	return v.show("Returns", list)
}
