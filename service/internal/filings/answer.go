package filings

import (
	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
)

// Answer returns a filing in the form of the contract.
func (o *Operations) Answer(f models.Filing) contract.Filing {
	report, workflow := "/v1/filings/"+f.ID+"/report?format=csv", "filing/"+f.ID
	blockers := f.Blockers()
	return contract.Filing{
		ID: f.ID, OrganizationID: f.OrganizationID, RegistrationID: f.RegistrationID,
		StartDate: convert.DayOf(f.StartDate), EndDate: convert.DayOf(f.EndDate),
		CountryCode: f.CountryCode, StateCode: &f.StateCode, StateName: f.StateName,
		Status:         contract.FilingStatus(f.Status),
		FilingCategory: string(f.FilingCategory), FilingFrequency: f.FilingFrequency, Currency: f.Currency,
		DueDate: convert.OptionalDate(f.DueDate), DateFiled: convert.OptionalDate(f.DateFiled), IsManual: f.IsManual,
		AutoApproved: &f.AutoApproved,
		ApprovedBy:   f.ApprovedBy, ApprovedAt: convert.OptionalInstant(f.ApprovedAt), BlockApproval: &f.BlockApproval,
		PausedUntilDate: convert.OptionalDate(f.PausedUntilDate),
		IssueReason:     f.IssueReason, SkipReason: f.SkipReason, CancelledReason: f.CancelledReason,
		AmountSales: f.AmountSales.String(), TotalTaxableSales: f.TotalTaxableSales.String(),
		AmountCalculated:   f.AmountCalculated.String(),
		AmountTaxCollected: f.AmountTaxCollected.String(), TotalTaxLiability: f.TotalTaxLiability.String(),
		AmountAdjusted: f.AmountAdjusted.String(), AmountDiscounts: f.AmountDiscounts.String(),
		AmountFees:      f.AmountFees.String(),
		AmountPenalties: f.AmountPenalties.String(), AmountPrepaid: f.AmountPrepaid.String(),
		AmountCreditApplied: f.AmountCreditApplied.String(), AmountCreditCarried: f.AmountCreditCarried.String(),
		Amount: f.AmountText(), TaxRemitted: f.TaxRemitted.String(),
		TransactionCount: f.TransactionCount, MarketplaceTransactionCount: f.MarketplaceTransactionCount,
		InternalNotes: f.InternalNotes, ReturnConfirmationID: f.ReturnConfirmationID,
		PaymentConfirmationID:   f.PaymentConfirmationID,
		FilingWebsiteURL:        convert.Optional(o.deps.Law.Current().FilingSite(f.CountryCode, f.StateCode)),
		RecentDetailsReportLink: &report, JiraIssueKey: f.JiraIssueKey, AmendsFilingID: f.AmendsFilingID,
		AmendmentCauses: convert.ConvertAll(f.Causes, func(c models.FilingCause) contract.AmendmentCause {
			return contract.AmendmentCause{Reason: c.Reason, Transactions: c.Transactions}
		}),
		AuthorityUnansweredSince: convert.OptionalInstant(f.Unanswered()), AwaitsConfirmation: f.Manual() != nil,
		AmountOverCollected: f.AmountOverCollected.String(), AmountUnderCollected: f.AmountUnderCollected.String(),
		Findings: convert.ConvertAll(f.Findings(), func(x models.Finding) contract.FilingFinding {
			return contract.FilingFinding{
				Code: x.Code, Severity: contract.FilingFindingSeverity(x.Severity), Message: x.Message, Count: x.Count, Amount: x.Amount,
			}
		}),
		AmendedTotals: amendedTotals(f.AmendedTotals),
		CanApprove:    len(blockers) == 0, ApprovalBlockers: blockers,
		UnresolvedTransactionCount: f.Unresolved.Transactions, UnresolvedAmount: f.Unresolved.Amount.String(),
		ReturnLayout: convert.Optional(o.layoutOf(&f)), ReturnDocumentHash: convert.Optional(f.DocumentHash),
		ReportHash: f.ReportHash, WorkflowID: &workflow,
		CreatedAt: convert.Instant(f.CreatedAt), UpdatedAt: convert.Instant(f.UpdatedAt),
	}
}

func amendedTotals(t *models.AmendedTotals) *contract.AmendedTotals {
	if t == nil {
		return nil
	}
	return &contract.AmendedTotals{
		AmountSales: t.AmountSales.String(), TotalTaxableSales: t.TotalTaxableSales.String(),
		AmountCalculated: t.AmountCalculated.String(), AmountTaxCollected: t.AmountTaxCollected.String(),
		TotalTaxLiability:           t.TotalTaxLiability.String(),
		PreviouslyReportedLiability: t.PreviouslyReportedLiability.String(), PreviouslyPaid: t.PreviouslyPaid.String(),
	}
}

// filingEvent returns an entry of the history.
func filingEvent(e models.FilingEvent) contract.FilingHistoryEntry {
	answer := contract.FilingHistoryEntry{
		At: convert.Instant(e.At), From: convert.Optional(string(e.From)), To: string(e.To),
		Action: string(e.Action), Reason: convert.Optional(e.Reason),
		Attempt: e.Attempt, Attestation: convert.Optional(e.Attestation),
		Actor: contract.FilingActor{
			Type: string(e.Actor.Type), ID: convert.Optional(e.Actor.ID), Name: convert.Optional(e.Actor.Name),
		},
	}
	if a := e.Authority; a != nil {
		answer.Authority = &contract.FilingAuthority{
			Name: convert.Optional(a.Name), Code: convert.Optional(a.Code),
			Message: convert.Optional(a.Message), ConfirmationID: convert.Optional(a.ConfirmationID),
		}
	}
	if x := e.Excluded; x != nil {
		answer.ExcludedUnresolved = &contract.FilingExclusion{
			TransactionCount: x.Transactions, Amount: x.Amount.String(), TransactionIds: x.TransactionIDs,
		}
	}
	return answer
}
