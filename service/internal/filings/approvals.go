package filings

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/tax/money"
)

// Results of a row of ApproveFilings.
const (
	approvalDone    = "DONE"
	approvalReady   = "READY"
	approvalRefused = "REFUSED"
)

// ApprovalFaults demands the amount that was seen of each filing, except in a dry run. It refuses a filing that
// is there twice, because the statement to sign would count it twice.
func ApprovalFaults(b *contract.FilingApprovals) (faults []models.Fault) {
	seen := make(map[string]bool, len(b.Filings))
	for i, row := range b.Filings {
		if seen[row.FilingID] {
			faults = append(faults, models.Fault{
				Code: models.FieldDuplicateValue, Path: fmt.Sprintf("filings[%d].filing_id", i),
				Message: "Each filing_id may occur only once.",
			})
		}
		seen[row.FilingID] = true
		// guard: bulk approval: nothing is approved without the amount that was seen
		if row.ExpectedAmount == "" && !b.DryRun {
			faults = append(faults, models.Fault{
				Code: models.FieldMissing, Path: fmt.Sprintf("filings[%d].expected_amount", i), Of: []string{"dry_run"},
				Message: "Send the amount of the filing as you have seen it, or dry_run.",
			})
		}
	}
	return faults
}

// ApproveFilings approves filings without anything to look at. Each row is decided on its own.
func (o *Operations) ApproveFilings(
	ctx context.Context, r contract.ApproveFilingsRequest,
) (contract.FilingApprovalResult, error) {
	if faults := ApprovalFaults(&r.Body); faults != nil {
		return contract.FilingApprovalResult{}, &models.InvalidError{Faults: faults}
	}
	answer := contract.FilingApprovalResult{Items: make([]contract.FilingApprovalItem, len(r.Body.Filings))}
	for i := range r.Body.Filings {
		item := &answer.Items[i]
		item.FilingID = r.Body.Filings[i].FilingID
		err := o.approveRow(ctx, &r.Body, i, item)
		if err == nil {
			if !r.Body.DryRun || item.Status == approvalReady {
				answer.DoneCount++
			}
			continue
		}
		p := problem.OfRow(err)
		// guard: bulk approval: a row that is refused leaves the other rows
		if p == nil {
			if r.Body.DryRun {
				return answer, err
			}
			return answer, call.UnknownAfterRows(answer.DoneCount, err)
		}
		code := string(p.Code)
		item.Status, item.Code, item.Message = approvalRefused, &code, &p.Detail
		answer.RefusedCount++
	}
	var err error
	if answer.Attestation, err = attestationOfAll(answer.Items); err != nil {
		return answer, err
	}
	return answer, nil
}

// approveRow approves the filing of a row, or decides whether it would be approved. It fills in the item. Errors: those of
// ApproveFiling, *problem.Problem (filing_needs_review).
func (o *Operations) approveRow(ctx context.Context, b *contract.FilingApprovals, row int, item *contract.FilingApprovalItem) error {
	c, sent := call.Of(ctx), b.Filings[row]
	facts, err := o.reviewFacts(ctx, c.Scope, sent.FilingID)
	if err != nil {
		return err
	}
	f := &facts.Filing
	refusals, err := o.refusalsOf(ctx, f, func() (models.ReturnFacts, error) {
		return o.deps.Reports.FactsOf(ctx, c.Scope, facts.Filing, facts.Figures)
	})
	if err != nil {
		return err
	}
	f.ReturnRefusals = refusals
	stored := o.Answer(*f)
	item.Filing, item.Status = &stored, approvalDone
	// guard: bulk approval: a filing that was approved before stays as it is
	if f.Status == models.FilingFiling || f.Status == models.FilingFiled {
		return nil
	}
	approval, err := approvalOf(c.Actor(), contract.FilingApproval{
		ApprovedBy: b.ApprovedBy, ExpectedAmount: sent.ExpectedAmount, Attestation: b.Attestation,
	})
	if err != nil {
		return err
	}
	trial := *f
	if err := trial.Approve(approval, o.now().UTC()); err != nil {
		return err
	}
	if err := needsReview(&facts); err != nil {
		return err
	}
	if b.DryRun {
		item.Status = approvalReady
		if _, err := o.deps.Filings.SecondPerson(ctx, c.Scope, c.Actor(), f.ID); err != nil {
			return err
		}
		return amountRefused(f, approval.Expected)
	}
	approved, err := o.updateFiling(ctx, f.ID, func(f *models.Filing) error {
		f.ReturnRefusals = refusals
		return f.Approve(approval, o.now().UTC())
	})
	if err == nil {
		item.Filing = &approved
	}
	return err
}

// amountRefused returns how the claim of an approval would refuse the amount; nil if it would not. Errors:
// *models.FilingAmountError, *models.InvalidError.
func amountRefused(f *models.Filing, expected *money.Total) error {
	amount, err := f.Amount()
	if err != nil {
		return f.AmountTooLarge(f)
	}
	if expected == nil || *expected == amount {
		return nil
	}
	return &models.FilingAmountError{Expected: *expected, Amount: amount}
}

// needsReview refuses to approve a filing with others if a check of its review did not pass. Errors: *problem.Problem,
// money.ErrOverflow.
func needsReview(facts *rules.FilingReviewFacts) error {
	checks, err := rules.CheckFiling(facts)
	if err != nil {
		return err
	}
	var failed []string
	for _, x := range checks {
		// guard: bulk approval: a check that did not pass refuses
		if !x.Passed {
			failed = append(failed, checkInWords(x))
		}
	}
	if failed == nil {
		return nil
	}
	return problem.New(problem.CodeFilingNeedsReview, strings.Join(failed, " "))
}

// attestationOfAll returns the words with which a person approves the filings of a dry run; nil if none is ready. Errors:
// money.ErrOverflow.
func attestationOfAll(items []contract.FilingApprovalItem) (*string, error) {
	sums, currencies, n := map[string]money.Total{}, []string{}, 0
	for _, item := range items {
		if item.Status != approvalReady {
			continue
		}
		amount, err := money.ParseTotal(item.Filing.Amount)
		if err != nil {
			return nil, err
		}
		currency := item.Filing.Currency
		if sums[currency], err = sums[currency].Plus(amount); err != nil {
			return nil, err
		}
		if n++; !slices.Contains(currencies, currency) {
			currencies = append(currencies, currency)
		}
	}
	if n == 0 {
		return nil, nil
	}
	slices.Sort(currencies)
	parts := make([]string, len(currencies))
	for i, currency := range currencies {
		parts[i] = sums[currency].String() + " " + currency
	}
	what := fmt.Sprintf("these %d returns, and approve that they are filed and paid with %s in all.", n, strings.Join(parts, " and "))
	if n == 1 {
		what = fmt.Sprintf("this return, and approve that %s is filed and paid.", parts[0])
	}
	return new("I have reviewed " + what), nil
}
