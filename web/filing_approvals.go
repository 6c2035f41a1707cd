package web

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"levy/contract"
	"levy/models"
)

// pickedReturn is the type of the boxes of lists of returns. Those of the queue have the type of the exception.
const pickedReturn = "FILING"

// pickBox returns the box that selects a record. number is its position on the page, which makes the ids unique.
func pickBox(number, organization, kind, id, label string) field {
	return field{Name: pickField, Label: "Select " + label, Kind: "check", Unseen: true, Form: "bulk", id: "pick-" + number,
		Sends: organization + " " + kind + " " + id}
}

// approvalPage is the review before an approval of many returns, and after it what became of each.
type approvalPage struct {
	Rows   []approvalRow // to approve, or approved
	Left   []approvalRow // left out, or refused
	Others int           // selected records that are no returns
	Sent   bool          // the approval was sent

	picked  []string // the values of the selected boxes
	batches []approvalBatch
}

// Address returns the address of the review, to which the form of the page is sent.
func (p approvalPage) Address() template.URL {
	return template.URL("/filings/approve?" + url.Values{pickField: p.picked}.Encode()) //nolint:gosec // it is encoded
}

// Nothing reports whether no record was selected.
func (p approvalPage) Nothing() bool { return len(p.picked) == 0 }

// approvalRow is a return of the page.
type approvalRow struct {
	contract.FilingApprovalItem
	OrganizationID, Organization string
}

// Return returns the filing of the row; nil if it could not be read.
func (r approvalRow) Return() *filing {
	if r.Filing == nil {
		return nil
	}
	return &filing{Filing: *r.Filing}
}

// Picked returns the value that sends the return with the amount that the page shows.
func (r approvalRow) Picked() string {
	return strings.Join([]string{r.OrganizationID, pickedReturn, r.FilingID, r.Filing.Amount}, " ")
}

// Result returns what became of the return, in words.
func (r approvalRow) Result() string {
	switch {
	case r.Message != nil:
		return *r.Message
	case r.Filing != nil && r.Filing.ApprovedBy != nil:
		return "Approved by " + isolated(actorLabel(*r.Filing.ApprovedBy))
	default:
		return ""
	}
}

// approvalBatch are the selected returns of an organization.
type approvalBatch struct {
	Organization, Name, Statement string
	filings                       []contract.FilingToApprove
}

// Statements returns the batches with a statement to sign.
func (p approvalPage) Statements() []approvalBatch {
	return slices.DeleteFunc(slices.Clone(p.batches), func(b approvalBatch) bool { return b.Statement == "" })
}

// selected returns the selected returns by organization, each once, and how many other records were selected. onlyReturns
// leaves out records whose box names another type: those of returns begin with pickedReturn.
func selected(values []string, onlyReturns bool) (batches []approvalBatch, others int) {
	for _, value := range values {
		parts := strings.Split(value, " ")
		if len(parts) < 3 || onlyReturns && !strings.HasPrefix(parts[1], pickedReturn) {
			others++
			continue
		}
		row := contract.FilingToApprove{FilingID: parts[2]}
		if len(parts) > 3 {
			row.ExpectedAmount = parts[3]
		}
		at := slices.IndexFunc(batches, func(b approvalBatch) bool { return b.Organization == parts[0] })
		if at < 0 {
			at, batches = len(batches), append(batches, approvalBatch{Organization: parts[0]})
		}
		again := func(other contract.FilingToApprove) bool { return other.FilingID == row.FilingID }
		if !slices.ContainsFunc(batches[at].filings, again) {
			batches[at].filings = append(batches[at].filings, row)
		}
	}
	return batches, others
}

// reviewApprovals shows the selected returns before they are approved together: those that would be, with their amounts,
// and the others with the reason.
func (c *Console) reviewApprovals(v *pageRequest) error {
	page := approvalPage{picked: v.URL.Query()[pickField]}
	page.batches, page.Others = selected(page.picked, true)
	for i := range page.batches {
		b := &page.batches[i]
		answer, err := v.session.In(v.Context(), b.Organization).ApproveFilings(v.Context(), contract.ApproveFilingsRequest{
			Body: contract.FilingApprovals{DryRun: true, Filings: b.filings}})
		b.Statement = valueOf(answer.Attestation)
		if err := page.add(v, b, answer, err, "It could not be looked at now. Try again later."); err != nil {
			return err
		}
	}
	return v.show("Approve returns together", page)
}

// approveMany approves the returns of the page, for each organization by itself, and shows what became of each.
func (c *Console) approveMany(v *pageRequest) error {
	page := approvalPage{Sent: true}
	page.batches, _ = selected(v.PostForm[pickField], false)
	if page.batches == nil {
		return &problem{Status: http.StatusBadRequest, Title: "Nothing is selected", Detail: "Select one return or more first."}
	}
	for i := range page.batches {
		b := &page.batches[i]
		answer, err := v.session.In(v.Context(), b.Organization).ApproveFilings(v.Context(), contract.ApproveFilingsRequest{
			Body: contract.FilingApprovals{Attestation: v.PostFormValue("attestation_" + b.Organization), Filings: b.filings}})
		if err != nil && len(page.batches) == 1 {
			return err
		}
		if err := page.add(v, b, answer, err, "Its outcome is not known yet: open its page."); err != nil {
			return err
		}
	}
	return v.show("Returns approved together", page)
}

// add adds the rows of a batch. A batch that the service refuses as a whole is left out with the reason; unknown is the
// reason where the service did not answer.
func (p *approvalPage) add(
	v *pageRequest, b *approvalBatch, answer contract.FilingApprovalResult, err error, unknown string,
) error {
	b.Name = v.nameOf(b.Organization)
	row := approvalRow{OrganizationID: b.Organization, Organization: b.Name}
	if err != nil {
		refused := v.refusalOf(err)
		if refused.Status == http.StatusUnauthorized {
			return err
		}
		why := cmp.Or(refused.Detail, refused.Title)
		if refused.Status >= http.StatusInternalServerError {
			why = unknown
		}
		for _, each := range b.filings {
			row.FilingApprovalItem = contract.FilingApprovalItem{FilingID: each.FilingID, Message: &why}
			p.Left = append(p.Left, row)
		}
		return nil
	}
	for _, item := range answer.Items {
		row.FilingApprovalItem = item
		// A return that is approved already is none to approve.
		if item.Message != nil || !p.Sent && models.FilingStatus(item.Filing.Status) != models.FilingUnfiled {
			p.Left = append(p.Left, row)
		} else {
			p.Rows = append(p.Rows, row)
		}
	}
	return nil
}

// nameOf returns the name of an organization; its id if the name cannot be read.
func (v *pageRequest) nameOf(id string) string {
	for _, o := range v.user.Organizations {
		if o.OrganizationID == id {
			return cmp.Or(valueOf(o.OrganizationName), id)
		}
	}
	read, err := v.session.In(v.Context(), id).GetOrganization(v.Context(), contract.GetOrganizationRequest{OrganizationID: id})
	if err != nil {
		return id
	}
	return cmp.Or(valueOf(read.Name), id)
}
