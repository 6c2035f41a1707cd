package service

import (
	"levy/contract/validate"
	"levy/service/internal/filings"
	"levy/service/internal/transactions"
	"levy/tax"
)

// Imports returns the reader of the files of imports. law is the tax content in force. It needs no session: the upload
// has passed the gate. Errors: those of compileOperations.
func Imports(o validate.Options, law func() *tax.Content) (*transactions.ImportRows, error) {
	o.Checks = map[string]validate.Check{"transaction": transactions.Check}
	v, err := compileOperations(o)
	if err != nil {
		return nil, err
	}
	return &transactions.ImportRows{
		Checker: v.checker, Request: v.byID["createTransaction"].Request, EntryRequest: v.byID["createFilingEntry"].Request,
		Law: law, NewEntry: filings.NewEntry, EntryError: filings.EntryError,
	}, nil
}
