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
	rows := &transactions.ImportRows{
		Law: law, NewEntry: filings.NewEntry, EntryFaults: filings.EntryFaults, EntryError: filings.EntryError,
	}
	o.Checks = map[string]validate.Check{"transaction": transactions.Check, "filing-entry": rows.CheckEntry}
	v, err := compileOperations(o)
	if err != nil {
		return nil, err
	}
	rows.Checker = v.checker
	rows.Request, rows.EntryRequest = v.byID["createTransaction"].Request, v.byID["createFilingEntry"].Request
	return rows, nil
}
