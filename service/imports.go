package service

import (
	"levy/contract/validate"
	"levy/service/internal/transactions"
)

// Imports returns the reader of the files of imports. It needs no session: the upload has passed the gate. Errors: those of
// compileOperations.
func Imports(o validate.Options) (*transactions.ImportRows, error) {
	o.Checks = map[string]validate.Check{"transaction": transactions.Check}
	v, err := compileOperations(o)
	if err != nil {
		return nil, err
	}
	return &transactions.ImportRows{Checker: v.checker, Request: v.byID["createTransaction"].Request}, nil
}
