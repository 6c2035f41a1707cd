package worker

import (
	"context"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

const (
	importTick = time.Second
	importRows = 20
)

// ImportPromises are the imports for which there is something left to do.
type ImportPromises interface {
	// LeaseImports takes up to limit imports whose time has come; nobody else gets them
	// until their next time.
	LeaseImports(ctx context.Context, limit int) ([]models.Import, error)
}

// ImportStarter makes sure that every import under way has a workflow: a new one, one
// that was resumed, and one whose workflow was terminated or lost with Temporal's
// data. A workflow that runs is joined without effect.
type ImportStarter struct {
	client   sdkclient.Client
	promises ImportPromises
	log      *slog.Logger
}

// NewImportStarter makes a starter; Run makes it work. Every process may have one.
func NewImportStarter(client sdkclient.Client, promises ImportPromises, log *slog.Logger) *ImportStarter {
	return &ImportStarter{client: client, promises: promises, log: log}
}

// Run looks for imports about once a second until ctx ends.
func (s *ImportStarter) Run(ctx context.Context) {
	for {
		s.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(jittered(importTick)):
		}
	}
}

// look takes what is due once.
func (s *ImportStarter) look(ctx context.Context) {
	due, err := s.promises.LeaseImports(ctx, importRows)
	if err != nil {
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "imports not read", "error", err.Error())
		}
		return
	}
	for i := range due {
		if err := s.start(ctx, &due[i]); err != nil {
			s.log.WarnContext(ctx, "import not started", "import_id", due[i].ID, "error", err.Error())
			return // Temporal is away: the others are due again later
		}
	}
}

func (s *ImportStarter) start(ctx context.Context, im *models.Import) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	in := workflows.ImportInput{ImportRef: models.ImportRef{OrganizationID: im.OrganizationID, ID: im.ID}}
	_, err := s.client.ExecuteWorkflow(ctx, workflows.ImportStart(im), workflows.ImportTransactionsName, in)
	return err
}
