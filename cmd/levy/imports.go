package main

import (
	"io"

	"levy/activities"
	"levy/api"
	"levy/models"
)

// importSheets lets the worker read files as the API reads requests.
type importSheets struct{ *api.ImportRows }

// Open reads the file of an import from where it stands.
func (s importSheets) Open(im *models.Import, from io.Reader) activities.ImportSheet {
	return s.ImportRows.Open(im, from)
}

// importing are the activities of imports. What they take in is offered for
// processing at once.
func (p *parts) importing(work dispatching) (*activities.Imports, error) {
	rows, err := api.NewImportRows(api.ValidatorOptions{Sources: p.cfg.TransactionSources})
	if err != nil {
		return nil, err
	}
	return activities.NewImports(p.store, importSheets{rows}, work.dispatcher, p.log), nil
}
