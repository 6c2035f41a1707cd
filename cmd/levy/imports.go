package main

import (
	"io"

	"github.com/prometheus/client_golang/prometheus"

	"levy/activities"
	"levy/api"
	"levy/api/validate"
	"levy/models"
)

// importSheets lets the worker read files as the API reads requests.
type importSheets struct{ *api.ImportRows }

// Open reads the file of an import from its position on.
func (s importSheets) Open(im *models.Import, from io.Reader) activities.ImportSheet {
	return s.ImportRows.Open(im, from)
}

// importing are the activities of imports. What they take in is offered for
// processing at once.
func (p *parts) importing(work dispatching) (*activities.Imports, error) {
	rows, err := api.NewImportRows(validate.Options{Sources: p.cfg.TransactionSources})
	if err != nil {
		return nil, err
	}
	return activities.NewImports(
		p.store.Imports, importSheets{rows}, work.dispatcher, newImportMetrics(p.registry), p.log,
	), nil
}

// newImportMetrics counts what imports take in.
func newImportMetrics(registry prometheus.Registerer) func(models.ImportCounts) {
	rows := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "levy_import_rows_total",
		Help: "Rows of files that have their verdict, without headers.",
	})
	verdicts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "levy_import_transactions_total",
		Help: "Transactions of files, by verdict: accepted, already_present, conflicting or rejected.",
	}, []string{"verdict"})
	registry.MustRegister(rows, verdicts)
	count := func(c models.ImportCounts) {
		rows.Add(float64(c.Rows))
		for verdict, n := range map[string]int64{
			"accepted": c.Accepted, "already_present": c.Present, "conflicting": c.Conflicting, "rejected": c.Rejected,
		} {
			verdicts.WithLabelValues(verdict).Add(float64(n))
		}
	}
	count(models.ImportCounts{}) // so that every series is there before the first file
	return count
}
