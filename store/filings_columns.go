package store

import (
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/tax"
)

// filingColumns are written once, with the filing.
var filingColumns = []column[models.Filing]{
	{"organization_id", "text", func(f *models.Filing) *string { return text(f.OrganizationID) }},
	{"id", "text", func(f *models.Filing) *string { return text(f.ID) }},
	{"registration_id", "text", func(f *models.Filing) *string { return text(f.RegistrationID) }},
	{"country_code", "text", func(f *models.Filing) *string { return text(f.CountryCode) }},
	{"state_code", "text", func(f *models.Filing) *string { return text(f.StateCode) }},
	{"state_name", "text", func(f *models.Filing) *string { return f.StateName }},
	{"start_date", "date", func(f *models.Filing) *string { return day(f.StartDate) }},
	{"end_date", "date", func(f *models.Filing) *string { return day(f.EndDate) }},
	{"filing_category", "text", func(f *models.Filing) *string { return text(f.FilingCategory) }},
	{"filing_frequency", "text", func(f *models.Filing) *string { return f.FilingFrequency }},
	{"currency", "text", func(f *models.Filing) *string { return text(f.Currency) }},
	{"amends_filing_id", "text", func(f *models.Filing) *string { return f.AmendsFilingID }},
	{"planned", "boolean", func(f *models.Filing) *string { return boolean(f.Planned) }},
	{"created_at", "timestamptz", func(f *models.Filing) *string { return instant(f.CreatedAt) }},
}

// filingFields are what changes of a filing write. The sums are written by claims
// alone.
var filingFields = []column[models.Filing]{
	{"status", "text", func(f *models.Filing) *string { return text(f.Status) }},
	{"due_date", "date", func(f *models.Filing) *string { return optionalDay(f.DueDate) }},
	{"date_filed", "date", func(f *models.Filing) *string { return optionalDay(f.DateFiled) }},
	{"is_manual", "boolean", func(f *models.Filing) *string { return optionalBoolean(f.IsManual) }},
	{"auto_approved", "boolean", func(f *models.Filing) *string { return boolean(f.AutoApproved) }},
	{"approved_by", "text", func(f *models.Filing) *string { return f.ApprovedBy }},
	{"approved_at", "timestamptz", func(f *models.Filing) *string { return optionalInstant(f.ApprovedAt) }},
	{"block_approval", "boolean", func(f *models.Filing) *string { return boolean(f.BlockApproval) }},
	{"paused_until_date", "date", func(f *models.Filing) *string { return optionalDay(f.PausedUntilDate) }},
	{"issue_reason", "text", func(f *models.Filing) *string { return f.IssueReason }},
	{"skip_reason", "text", func(f *models.Filing) *string { return f.SkipReason }},
	{"cancelled_reason", "text", func(f *models.Filing) *string { return f.CancelledReason }},
	{"amount_adjusted", "numeric", func(f *models.Filing) *string { return text(f.AmountAdjusted.String()) }},
	{"amount_discounts", "numeric", func(f *models.Filing) *string { return text(f.AmountDiscounts.String()) }},
	{"amount_fees", "numeric", func(f *models.Filing) *string { return text(f.AmountFees.String()) }},
	{"amount_penalties", "numeric", func(f *models.Filing) *string { return text(f.AmountPenalties.String()) }},
	{"tax_remitted", "numeric", func(f *models.Filing) *string { return text(f.TaxRemitted.String()) }},
	{"internal_notes", "text", func(f *models.Filing) *string { return f.InternalNotes }},
	{"return_confirmation_id", "text", func(f *models.Filing) *string { return f.ReturnConfirmationID }},
	{"payment_confirmation_id", "text", func(f *models.Filing) *string { return f.PaymentConfirmationID }},
	{"jira_issue_key", "text", func(f *models.Filing) *string { return f.JiraIssueKey }},
	{"attempt", "integer", func(f *models.Filing) *string { return integer(f.Attempt) }},
	{"filed_at", "timestamptz", func(f *models.Filing) *string { return optionalInstant(f.FiledAt) }},
	{"next_check_at", "timestamptz", func(f *models.Filing) *string { return optionalInstant(f.NextCheckAt) }},
	{"updated_at", "timestamptz", func(f *models.Filing) *string { return instant(f.UpdatedAt) }},
}

// allFilingColumns are what an insert writes.
var allFilingColumns = slices.Concat(filingColumns, filingFields)

// filingKept are columns that neither of them writes.
var filingKept = []string{
	"amount_sales", "total_taxable_sales", "amount_calculated", "amount_tax_collected", "total_tax_liability",
	"transaction_count", "marketplace_transaction_count", "claimed_at", "locked_at", "report_hash",
	"(now() AT TIME ZONE 'UTC')::date",
}

// selectFilings reads filings as f; conditions follow.
var selectFilings = func() string {
	var names []string
	for _, c := range filingColumns {
		names = append(names, "f."+c.name)
	}
	for _, c := range filingFields {
		names = append(names, "f."+c.name)
	}
	for _, name := range filingKept {
		if name[0] != '(' {
			name = "f." + name
		}
		names = append(names, name)
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM filings f"
}()

// scanFiling reads a row of selectFilings.
func scanFiling(row pgx.Row) (models.Filing, error) {
	var f models.Filing
	var today time.Time
	err := row.Scan(&f.OrganizationID, &f.ID, &f.RegistrationID, &f.CountryCode, &f.StateCode, &f.StateName, &f.StartDate, &f.EndDate,
		&f.FilingCategory, &f.FilingFrequency, &f.Currency, &f.AmendsFilingID, &f.Planned, &f.CreatedAt,
		&f.Status, &f.DueDate, &f.DateFiled, &f.IsManual, &f.AutoApproved, &f.ApprovedBy, &f.ApprovedAt, &f.BlockApproval, &f.PausedUntilDate,
		&f.IssueReason, &f.SkipReason, &f.CancelledReason, &f.AmountAdjusted, &f.AmountDiscounts, &f.AmountFees, &f.AmountPenalties, &f.TaxRemitted,
		&f.InternalNotes, &f.ReturnConfirmationID, &f.PaymentConfirmationID, &f.JiraIssueKey, &f.Attempt, &f.FiledAt, &f.NextCheckAt, &f.UpdatedAt,
		&f.AmountSales, &f.TotalTaxableSales, &f.AmountCalculated, &f.AmountTaxCollected, &f.TotalTaxLiability,
		&f.TransactionCount, &f.MarketplaceTransactionCount, &f.ClaimedAt, &f.LockedAt, &f.ReportHash, &today)
	f.Today = tax.DateOf(today)
	return f, err
}

func optionalBoolean(b *bool) *string {
	if b == nil {
		return nil
	}
	return boolean(*b)
}

func optionalInstant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return instant(*t)
}
