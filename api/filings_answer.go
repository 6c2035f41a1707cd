package api

import (
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
)

// filingAnswer writes a filing.
func (s *Server) filingAnswer(f models.Filing) contract.Filing {
	report, workflow, taxable := "/v1/filings/"+f.ID+"/report?format=csv", "filing/"+f.ID, f.TotalTaxableSales.String()
	blockers := f.Blockers()
	return contract.Filing{
		ID: f.ID, OrganizationID: f.OrganizationID, RegistrationID: f.RegistrationID,
		StartDate: dayOf(f.StartDate), EndDate: dayOf(f.EndDate),
		CountryCode: f.CountryCode, StateCode: &f.StateCode, StateName: f.StateName,
		Status:         contract.FilingStatus(f.Status),
		FilingCategory: string(f.FilingCategory), FilingFrequency: f.FilingFrequency, Currency: f.Currency,
		DueDate: optionalDate(f.DueDate), DateFiled: optionalDate(f.DateFiled), IsManual: f.IsManual,
		AutoApproved: &f.AutoApproved,
		ApprovedBy:   f.ApprovedBy, ApprovedAt: optionalInstant(f.ApprovedAt), BlockApproval: &f.BlockApproval,
		PausedUntilDate: optionalDate(f.PausedUntilDate),
		IssueReason:     f.IssueReason, SkipReason: f.SkipReason, CancelledReason: f.CancelledReason,
		AmountSales: f.AmountSales.String(), TotalTaxableSales: &taxable, AmountCalculated: f.AmountCalculated.String(),
		AmountTaxCollected: f.AmountTaxCollected.String(), TotalTaxLiability: f.TotalTaxLiability.String(),
		AmountAdjusted: f.AmountAdjusted.String(), AmountDiscounts: f.AmountDiscounts.String(),
		AmountFees:      f.AmountFees.String(),
		AmountPenalties: f.AmountPenalties.String(), Amount: f.AmountText(), TaxRemitted: f.TaxRemitted.String(),
		TransactionCount: f.TransactionCount, MarketplaceTransactionCount: f.MarketplaceTransactionCount,
		InternalNotes: f.InternalNotes, ReturnConfirmationID: f.ReturnConfirmationID,
		PaymentConfirmationID:   f.PaymentConfirmationID,
		FilingWebsiteURL:        s.deps.Law.Current().FilingSite(f.CountryCode, f.StateCode),
		RecentDetailsReportLink: &report, JiraIssueKey: f.JiraIssueKey, AmendsFilingID: f.AmendsFilingID,
		AmendmentCauses: convertAll(f.Causes, func(c models.FilingCause) contract.AmendmentCause {
			return contract.AmendmentCause{Reason: c.Reason, Transactions: c.Transactions}
		}),
		AuthorityUnansweredSince: optionalInstant(f.Unanswered()), AwaitsConfirmation: f.Manual() != nil,
		CanApprove: len(blockers) == 0, ApprovalBlockers: blockers,
		UnresolvedTransactionCount: f.Unresolved.Transactions, UnresolvedAmount: f.Unresolved.Amount.String(),
		ReportHash: f.ReportHash, WorkflowID: &workflow,
		CreatedAt: instant(f.CreatedAt), UpdatedAt: instant(f.UpdatedAt),
	}
}

// filingEvent writes a line of the history.
func filingEvent(e models.FilingEvent) contract.FilingHistoryEntry {
	answer := contract.FilingHistoryEntry{
		At: instant(e.At), From: optional(string(e.From)), To: string(e.To),
		Action: string(e.Action), Reason: optional(e.Reason),
		Attempt: e.Attempt,
		Actor: contract.FilingActor{
			Type: string(e.Actor.Type), ID: optional(e.Actor.ID), Name: optional(e.Actor.Name),
		},
	}
	if a := e.Authority; a != nil {
		answer.Authority = &contract.FilingAuthority{
			Name: optional(a.Name), Code: optional(a.Code),
			Message: optional(a.Message), ConfirmationID: optional(a.ConfirmationID),
		}
	}
	if x := e.Excluded; x != nil {
		answer.ExcludedUnresolved = &contract.FilingExclusion{
			TransactionCount: x.Transactions, Amount: x.Amount.String(), TransactionIds: x.TransactionIDs,
		}
	}
	return answer
}

func dayOf(t time.Time) openapi_types.Date { return openapi_types.Date{Time: t} }
