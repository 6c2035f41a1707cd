package web

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/models/report"
)

type filingPage struct {
	filing
	History      contract.FilingHistory
	Parts        []report.Jurisdiction
	Stack        []slice // Parts as slices of a bar; none for fewer than two
	OnHold       []transaction
	Before       *filing  // the return of the previous period; nil if there is none
	Amended      []filing // its amendments, the earliest first
	Comments     comments
	Review       *contract.FilingReview       // for people who decide about an open return of a period that is over; nil if it was not read
	Changed      *auditEntry                  // its latest change; nil if there is none, or it cannot change any more
	Verification *contract.FilingVerification // nil before a verification
	Form         htmlForm                     // of amounts and notes; without groups if nothing can be changed
	Faults       []fault
	Fields       map[string][]field // of the forms of the page, by their action
	Without      field              // the checkbox that leaves unresolved transactions out
}

// MoreOnHold returns the number of unresolved transactions that the page does not list.
func (p filingPage) MoreOnHold() int { return max(0, p.UnresolvedTransactionCount-len(p.OnHold)) }

// Amendable reports whether the return can be amended: it is filed, and no amendment of it is open.
func (p filingPage) Amendable() bool {
	return p.status() == models.FilingFiled && !slices.ContainsFunc(p.Amended, filing.Open)
}

// Decides reports whether the person may decide about the return, as far as a second person is required.
func (p filingPage) Decides() bool { return p.Review == nil || p.Review.DecidedByAnother == nil }

// ByHand reports whether it is known that a person files the return after its approval.
func (p filingPage) ByHand() bool { return p.Review != nil && valueOf(p.Review.FiledByHand) }

// mostPlaces is the number of jurisdictions that the review of a return shows.
const mostPlaces = 10

// Moved returns the jurisdictions whose tax changed most.
func (p filingPage) Moved() []contract.FilingPlaceChange {
	var moved []contract.FilingPlaceChange
	for _, place := range p.Review.Places {
		if place.Cause != nil && len(moved) < mostPlaces {
			moved = append(moved, place)
		}
	}
	return moved
}

// said returns the message after an approval, with what was approved, and by whom. It is empty after other forms.
func (p filingPage) said(value string) string {
	if value != "approved" || p.ApprovedBy == nil {
		return ""
	}
	return fmt.Sprintf("Approved %s %s by %s.", grouped(p.Amount), p.Currency, isolated(actorLabel(*p.ApprovedBy)))
}

// readFiling reads the return of the page.
func (v *pageRequest) readFiling() (contract.Filing, error) {
	return v.session.GetFiling(v.Context(), contract.GetFilingRequest{FilingID: v.PathValue("id")})
}

func (c *Console) filing(v *pageRequest) error { return c.showFiling(v, filingPage{}, nil) }

// showFiling shows a return. refused is why its form was refused; nil if it was not.
func (c *Console) showFiling(v *pageRequest, page filingPage, refused *problem) error {
	v.followEvents()
	read, stored, err := withFields(v.readFiling())
	if err != nil {
		return err
	}
	page.filing = filing{Filing: read}
	if err := v.readParts(&page); err != nil {
		return err
	}
	page.Fields = map[string][]field{}
	for action, change := range filingChanges {
		page.Fields[action] = v.inputs(action, change.fields(page.filing)...)
	}
	page.Fields["amend"] = v.inputs("amend", amendForm(page.filing)...)
	page.Without = field{Name: "exclude_unresolved", Kind: "check", Required: !page.CanApprove, Native: true,
		Label: "Leave out " + counted(page.UnresolvedTransactionCount, "unresolved transaction")}
	status, form := http.StatusOK, returnForm(page.filing)
	page.Form = form.changing().filled(stored, v.refusedForm("change", refused))
	if refused != nil {
		status, page.Faults = refused.Status, page.Form.mark(refused)
	}
	title := page.Jurisdiction() + ", " + day(page.StartDate.String()) + " – " + day(page.EndDate.String())
	v.render(status, titled(title, page.Faults), page)
	return nil
}

// readParts reads the parts of the page that it can lack if they cannot be read in time.
func (v *pageRequest) readParts(page *filingPage) (err error) {
	page.History, err = v.session.ListFilingHistory(v.Context(), contract.ListFilingHistoryRequest{
		FilingID: v.PathValue("id"), Params: contract.ListFilingHistoryParams{Size: 100},
	})
	if err = v.optional("the history", err); err != nil {
		return err
	}
	if page.UnresolvedTransactionCount > 0 {
		onHold, err := v.session.ListUnresolvedFilingTransactions(v.Context(),
			contract.ListUnresolvedFilingTransactionsRequest{FilingID: v.PathValue("id"),
				Params: contract.ListUnresolvedFilingTransactionsParams{Size: 20}})
		page.OnHold = transactionsOf(onHold.Items)
		if err = v.optional("the unresolved transactions", err); err != nil {
			return err
		}
	}
	if page.Open() {
		if page.Changed, err = v.latestChange(page.ID); err != nil {
			return err
		}
	}
	if page.Open() && !slices.Contains(page.ApprovalBlockers, models.BlockerPeriodOpen) && v.user.may(v.org, models.RoleApprover) {
		review, err := v.session.GetFilingReview(v.Context(), contract.GetFilingReviewRequest{FilingID: v.PathValue("id")})
		if err == nil {
			page.Review = &review
			if review.Amount != page.Amount { // it changed between the two calls
				review.Attestation = ""
				v.omitted = append(v.omitted, "the words to sign")
			}
		}
		if err = v.optional("the review", err); err != nil {
			return err
		}
	}
	page.Parts, err = v.parts()
	if err = v.optional("the amounts by jurisdiction", err); err != nil {
		return err
	}
	page.Stack = stackOf(page.Parts)
	page.Before, err = v.before(page)
	if err = v.optional("the return of the period before", err); err != nil {
		return err
	}
	if page.Comments, err = v.comments(models.CommentOnFiling, page.ID); err != nil {
		return err
	}
	page.Amended, err = v.amendments(page.filing)
	return v.optional("its amendments", err)
}

// amendments returns the amendments of a return, which exist once it has claimed its transactions. The API has no
// filter for the amended return, so it reads those of the same registration and period.
func (v *pageRequest) amendments(f filing) ([]filing, error) {
	if f.status() != models.FilingFiling && f.status() != models.FilingIssue && f.status() != models.FilingFiled {
		return nil, nil
	}
	list, err := v.session.ListFilings(v.Context(), contract.ListFilingsRequest{Params: contract.ListFilingsParams{
		RegistrationID: f.RegistrationID, FilingCategoryIn: []string{string(models.FilingAmendment)},
		OrderBy: []string{"created_at"}, StartDate: f.StartDate, EndDate: f.EndDate, Size: 100,
	}})
	others := func(a filing) bool { return valueOf(a.AmendsFilingID) != f.ID }
	return slices.DeleteFunc(filingsOf(list.Items), others), err
}

// before returns the return of the previous period of the same registration, category and currency; nil if there is none
// that was not cancelled.
func (v *pageRequest) before(page *filingPage) (*filing, error) {
	f := page.filing
	if page.Review != nil {
		if page.Review.BeforeFilingID == nil {
			return nil, nil
		}
		before, err := v.session.GetFiling(v.Context(), contract.GetFilingRequest{FilingID: *page.Review.BeforeFilingID})
		if err != nil {
			return nil, err
		}
		return &filing{Filing: before}, nil
	}
	var counts []contract.FilingStatus
	for _, status := range models.FilingsThatCount {
		counts = append(counts, contract.FilingStatus(status))
	}
	list, err := v.session.ListFilings(v.Context(), contract.ListFilingsRequest{Params: contract.ListFilingsParams{
		RegistrationID: f.RegistrationID, FilingCategoryIn: []string{f.FilingCategory}, OrderBy: []string{"-end_date"},
		EndDate: types.Date{Time: f.StartDate.AddDate(0, 0, -1)}, Size: 1, StatusIn: counts,
	}})
	if err != nil || len(list.Items) == 0 || list.Items[0].Currency != f.Currency {
		return nil, err
	}
	return &filing{Filing: list.Items[0]}, nil
}

// report answers with the report of a return as a file, named by its jurisdiction and period.
func (c *Console) report(v *pageRequest) error {
	v.backToParent = true
	f, err := v.readFiling()
	if err != nil {
		return err
	}
	place := f.CountryCode
	if state := valueOf(f.StateCode); state != place { // a state, not a whole country
		place += "-" + state
	}
	format := v.URL.Query().Get("format")
	v.file = fmt.Sprintf("%s %s to %s %s.%s", place, f.StartDate, f.EndDate, v.PathValue("id"), format)
	request := contract.GetFilingReportRequest{FilingID: v.PathValue("id")}
	request.Params.Format = format
	return v.download(func(out contract.Stream) error {
		return v.session.GetFilingReport(v.Context(), request, out)
	})
}
