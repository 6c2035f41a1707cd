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

// DueImports are the imports for which there is something left to do.
type DueImports interface {
	// LeaseImports takes up to limit imports whose time has come; no other process gets
	// them until their next time.
	LeaseImports(ctx context.Context, limit int) ([]models.Import, error)
}

// NewImportSweeper starts the workflows of imports that are new or were resumed. A
// workflow that runs is joined without effect.
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
