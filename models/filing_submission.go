package models

import "levy/tax"

// Submission is what the authority gets of a claimed filing. Errors: tax.ErrOverflow.
func (f Filing) Submission() (AuthoritySubmission, error) {
	amount, err := f.Amount()
	s := AuthoritySubmission{
		Key:     AuthorityKey{OrganizationID: f.OrganizationID, Kind: AuthorityReturn, RecordID: f.ID, Attempt: f.Attempt},
		Country: f.CountryCode, State: f.StateCode,
		Return: &TaxReturn{
			Category: string(f.FilingCategory), Start: tax.DateOf(f.StartDate), End: tax.DateOf(f.EndDate), Currency: f.Currency,
			Sales: f.AmountSales.String(), Taxable: f.TotalTaxableSales.String(), Tax: f.TotalTaxLiability.String(), Amount: amount.String(),
			Transactions: int(f.TransactionCount + f.MarketplaceTransactionCount),
		},
	}
	if f.InternalNotes != nil {
		s.Notes = *f.InternalNotes
	}
	if f.AmendsFilingID != nil {
		s.Return.AmendsFilingID = *f.AmendsFilingID
	}
	return s, err
}
