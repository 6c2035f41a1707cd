package rules

import (
	"levy/models"
	"levy/tax/money"
)

// FilingChange is a change of a filing. The store decides about it under the locks of the filing.
type FilingChange struct {
	Before  *models.Filing // as it is stored; of a new filing, as it is before anything is claimed for it
	After   *models.Filing
	Created bool // the filing is new
	By      models.Actor
}

// enters reports whether the filing gets a status by the change.
func (c FilingChange) enters() bool { return c.Created || c.Before.Status != c.After.Status }

// Decides reports whether the change is a decision about the return. A long pause is one, like skipping it.
func (c FilingChange) Decides() bool {
	// guard: second person: decides about a long pause
	return c.enters() && decidesFiling(c.After.Status) || PausesForLong(c.Before, c.After)
}

// CheckFilingChange refuses a change before anything is written. The actor of a decision must not have made anything
// that the filing rests on. To create it decided, or to change its amounts with the decision, is such work. Errors:
// *models.TransitionError, *models.SecondPersonError.
func CheckFilingChange(c FilingChange, second SecondPersonFacts) error {
	if !c.Created {
		if err := models.FilingTransitions.Check(string(c.Before.Status), string(c.After.Status)); err != nil {
			return err
		}
	}
	if !c.Decides() {
		return nil
	}
	if c.Created || c.changesAmount() {
		second.Works = append(second.Works, FilingWork{By: c.By, At: c.After.UpdatedAt})
	}
	// guard: filing: a second person decides about it
	return CheckSecondPerson(c.By, second)
}

// changesAmount reports whether the change enters other amounts, or lets the return be approved.
func (c FilingChange) changesAmount() bool {
	b, a := c.Before, c.After
	return b.AmountAdjusted != a.AmountAdjusted || b.AmountDiscounts != a.AmountDiscounts ||
		b.AmountFees != a.AmountFees || b.AmountPenalties != a.AmountPenalties || b.BlockApproval != a.BlockApproval
}

// decidesFiling reports whether a filing gets a status only by a decision about the return.
func decidesFiling(to models.FilingStatus) bool { return to == models.FilingFiling || to.Over() }

// FilingLines says what a change does with the lines of the return.
type FilingLines string

// The changes of lines.
const (
	FilingKeepsLines    FilingLines = "KEEP"
	FilingClaimsLines   FilingLines = "CLAIM"   // the return is handed over or filed with them
	FilingFinishesLines FilingLines = "FINISH"  // the return that claimed them is filed
	FilingReleasesLines FilingLines = "RELEASE" // they may be claimed again
	FilingFreezesSums   FilingLines = "FREEZE"  // it has none: the sums of those it would have claimed stay
)

// LinesOfFiling decides what a change of a filing does with the lines of the return.
func LinesOfFiling(c FilingChange) FilingLines {
	claimed := c.Before.ClaimedAt != nil
	switch from, to := c.Before.Status, c.After.Status; {
	case !c.enters():
		return FilingKeepsLines
	case to == models.FilingFiling || to == models.FilingFiled:
		switch {
		case !claimed:
			return FilingClaimsLines
		case to == models.FilingFiled:
			return FilingFinishesLines
		}
		return FilingKeepsLines
	case from == models.FilingIssue && claimed:
		return FilingReleasesLines
	// guard: filing: one that ends without lines keeps its sums
	case !claimed && to.Over():
		return FilingFreezesSums
	}
	return FilingKeepsLines
}

// ApprovesLines reports whether the lines are claimed for a return that is to be handed over: what is claimed must be
// what was approved. A return that was filed elsewhere claims what there is; an amendment gets the rest.
func ApprovesLines(c FilingChange) bool {
	// guard: claim: a return that was filed elsewhere claims what there is
	return LinesOfFiling(c) == FilingClaimsLines && c.After.Status == models.FilingFiling
}

// FilingObligations are the obligations that decide about the liability of a filing's transactions, at one moment.
type FilingObligations struct {
	Undecided bool   // one of them is about to be decided anew
	Version   string // differs where one of them has changed
}

// FilingClaim is what is known of a filing when a change of it is written and the lines are locked.
type FilingClaim struct {
	Read, Claimed FilingObligations // when the filing was read, and when its lines were claimed
	// Unresolved are the transactions that have no part in the claim, and that the approval does not leave out.
	Unresolved models.UnresolvedTransactions
	Written    *models.Filing // with the sums of its lines
}

// CheckFilingClaim refuses a change after its lines are claimed, before it is committed. Errors:
//   - *models.FilingNotReadyError: an obligation changed meanwhile;
//   - *models.FilingUnresolvedError: a transaction became unresolved meanwhile;
//   - *models.InvalidError: the amount is too large;
//   - *models.FilingAmountError: it is not the approved amount;
//   - *models.FilingLiabilityError: a return that owes tax is skipped;
//   - models.ErrChangedMeanwhile: an amendment is cancelled as empty and is not.
func CheckFilingClaim(c FilingChange, claim FilingClaim) error {
	// guard: claim: an obligation that changes meanwhile undoes it
	if ApprovesLines(c) && obligationsChanged(claim.Read, claim.Claimed) {
		return &models.FilingNotReadyError{WaitsForObligation: true}
	}
	// guard: claim: what became unresolved meanwhile takes it back
	if claim.Unresolved.Transactions > 0 {
		return &models.FilingUnresolvedError{UnresolvedTransactions: claim.Unresolved}
	}
	amount, err := claim.Written.Amount()
	if err != nil {
		return c.After.AmountTooLarge(c.Before)
	}
	if err := checkApprovedAmount(c.After.Approval, amount); err != nil {
		return err
	}
	// guard: filing: a return that owes tax is not skipped
	if c.enters() && c.After.Status == models.FilingSkipped && !claim.Written.TotalTaxLiability.IsZero() {
		return &models.FilingLiabilityError{Liability: claim.Written.TotalTaxLiability}
	}
	lines := claim.Written.TransactionCount + claim.Written.MarketplaceTransactionCount
	// guard: filing: an amendment that has something again is not cancelled
	if c.enters() && c.cancelsAsEmpty() && lines > 0 {
		return models.ErrChangedMeanwhile
	}
	return nil
}

// cancelsAsEmpty reports whether Levy cancels an amendment because nothing is left for it.
func (c FilingChange) cancelsAsEmpty() bool {
	reason := c.After.CancelledReason
	return c.By == models.Actor{} && reason != nil && *reason == models.NothingToAmend
}

// obligationsChanged reports whether a claim may have missed a transaction, or may contain one that was calculated by
// an outdated obligation. after was read when the transactions were locked. A change that had locked one of them before
// was committed by then.
func obligationsChanged(before, after FilingObligations) bool {
	return after.Undecided || after.Version != before.Version
}

// checkApprovedAmount refuses an approval of another amount than that of the filing. Errors:
// *models.FilingAmountError.
func checkApprovedAmount(a *models.FilingApproval, amount money.Total) error {
	// guard: claim: the amount that was claimed is the one that was approved
	if a == nil || a.Expected == nil || *a.Expected == amount {
		return nil
	}
	return &models.FilingAmountError{Expected: *a.Expected, Amount: amount}
}
