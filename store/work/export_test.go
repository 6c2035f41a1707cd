package work

import (
	"context"
	"strings"

	"levy/models"
)

// BackTax is the tax of a registration r from before its returns.
const BackTax = backTax

// SelectExceptions are all exceptions.
var SelectExceptions = keptExceptions + " UNION ALL " + otherExceptions

// CountFiguresAgain is CountFigures after some organizations have failed.
var CountFiguresAgain = (*Store).countFigures

// SetReportSlice changes how many rows an export of a report reads at once, until the result is called.
func SetReportSlice(n int) (restore func()) {
	before := reportSlice
	reportSlice = n
	return func() { reportSlice = before }
}

// SetMostSealed changes for how many organizations a tax id is looked for, until the result is called.
func SetMostSealed(n int) (restore func()) {
	before := mostSealed
	mostSealed = n
	return func() { mostSealed = before }
}

// SetMostFew changes for how many organizations lists name them one by one, until the result is called.
func SetMostFew(n int) (restore func()) {
	before := mostFew
	mostFew = n
	return func() { mostFew = before }
}

// StoredTaxIDs returns the ways in which an organization stores a tax id.
func StoredTaxIDs(ctx context.Context, s *Store, organizationID, text string) ([]string, bool, error) {
	return s.storedTaxIDs(ctx, viewedBy(models.Visibility{OrganizationIDs: []string{organizationID}}, ""), text)
}

// IsNumber reports whether a text of a search may be a tax id.
func IsNumber(text string) bool { return askedFor(text).number }

// AmountAskedFor returns the amount that a text of a search is; "" for none.
func AmountAskedFor(text string) string { return askedFor(text).amount }

// SearchOfAmounts is the statement that finds sales by their total.
func SearchOfAmounts() string {
	for _, search := range searches {
		if strings.Contains(search.statement.SQL, "x.total_amount") {
			return search.statement.SQL
		}
	}
	return ""
}
