package main

import (
	"io"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"levy/activities"
	"levy/contract/validate"
	"levy/models"
	"levy/service"
)

// importSheets lets the worker read files as the API reads requests. The contract is
// compiled for the first file: no start of a worker waits for it.
type importSheets struct {
	rows func() (*service.ImportRows, error)
}

// Open reads the file of an import from its position on.
func (s importSheets) Open(
	im *models.Import, from io.Reader, apart models.ImportParts,
) (activities.ImportSheet, error) {
	rows, err := s.rows()
	if err != nil {
		return nil, err
	}
	return rows.Open(im, from, apart), nil
}

// Explain turns the result of an entry into faults of its rows.
func (s importSheets) Explain(im *models.Import) func(*models.ImportEntry, error) ([]models.ImportFault, error) {
	rows, err := s.rows()
	if err != nil {
		return func(*models.ImportEntry, error) ([]models.ImportFault, error) { return nil, err }
	}
	return rows.Explain(im)
}

// importing returns the activities of imports. They offer the imported transactions for processing at once.
func (p *parts) importing(work dispatching) *activities.Imports {
	rows := func() (*service.ImportRows, error) {
		return service.Imports(validate.Options{Sources: p.cfg.TransactionSources}, p.taxes.Current)
	}
	return activities.NewImports(
		p.store.Imports, importSheets{sync.OnceValues(rows)}, work.background, newImportMetrics(p.registry), p.log,
	)
}

// newImportMetrics counts what imports take in.
func newImportMetrics(registry prometheus.Registerer) func(models.ImportCounts) {
	rows := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "levy_import_rows_total",
		Help: "Rows of files that have their verdict, without headers.",
	})
	decisions := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "levy_import_transactions_total",
		Help: "Transactions of files, by verdict: accepted, already_present, conflicting or rejected.",
	}, []string{"verdict"})
	registry.MustRegister(rows, decisions)
	count := func(c models.ImportCounts) {
		rows.Add(float64(c.Rows))
		for decision, n := range map[string]int64{
			"accepted": c.Accepted, "already_present": c.Present, "conflicting": c.Conflicting, "rejected": c.Rejected,
		} {
			decisions.WithLabelValues(decision).Add(float64(n))
		}
	}
	count(models.ImportCounts{}) // so that every series is there before the first file
	return count
}
