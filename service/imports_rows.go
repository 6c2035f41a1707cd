package service

import (
	"levy/contract/validate"
	"levy/service/internal/transactions"
)

// NewImportRows returns the reader of rows of imports. Errors: those of compileOperations.
func NewImportRows(o validate.Options) (*transactions.ImportRows, error) {
	o.Checks = map[string]validate.Check{"transaction": transactions.Check}
	v, err := compileOperations(o)
	if err != nil {
		return nil, err
	}
	return &transactions.ImportRows{Checker: v.checker, Request: v.byID["createTransaction"].Request}, nil
}
