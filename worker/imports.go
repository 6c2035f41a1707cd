package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"golang.org/x/time/rate"

	"levy/models"
	"levy/workflows"
)

// DueImports leases the imports that are due.
type DueImports interface {
	// LeaseImports returns up to limit due imports. No other process gets them until they are due again.
	LeaseImports(ctx context.Context, limit int) ([]models.Import, error)
}

// NewImportSweeper returns the sweeper that starts the workflows of new and resumed imports. A start joins an open
// workflow without effect.
func NewImportSweeper(client sdkclient.Client, records DueImports, log *slog.Logger) *Sweeper {
	return &Sweeper{
		kind: "imports", tick: time.Second, rows: 20, calls: 1, budget: rate.NewLimiter(40, 1), log: log,
		due: tasks(records.LeaseImports, func(ctx context.Context, im models.Import) error {
			in := workflows.ImportInput{ImportRef: models.ImportRef{OrganizationID: im.OrganizationID, ID: im.ID}}
			if _, err := client.ExecuteWorkflow(
				ctx, workflows.ImportStart(&im), workflows.ImportTransactionsName, in,
			); err != nil {
				return fmt.Errorf("import %s: %w", im.ID, err)
			}
			return nil
		}),
	}
}
