package api

import (
	"context"
	"encoding/hex"

	"levy/contract"
	"levy/models"
)

const (
	// maxImports is how many imports of an organization are under way.
	maxImports = 3
	// shownProblems is how many of its problems an import shows.
	shownProblems = 20
)

// CreateTransactionImport imports the file that has arrived.
func (s *Server) CreateTransactionImport(
	ctx context.Context, r contract.CreateTransactionImportRequest,
) (contract.TransactionImport, error) {
	c := callOf(ctx)
	im := c.upload.im
	im.Name = optional(r.Params.Name)
	found, err := s.deps.Imports.QueueImport(ctx, c.scope, c.actor(), im, maxImports)
	if err != nil {
		return contract.TransactionImport{}, err
	}
	c.upload.queued = true
	return s.importAnswer(ctx, &found)
}

// ListTransactionImports lists imports.
func (s *Server) ListTransactionImports(
	ctx context.Context, r contract.ListTransactionImportsRequest,
) (contract.TransactionImportList, error) {
	p := r.Params
	list, err := s.deps.Imports.ListImports(ctx, callOf(ctx).scope, models.ImportStatus(p.Status), []models.Order{
		{Column: "created_at", Desc: true},
	}, pageOf(p.Page, p.Size))
	answer, err := listAnswer(list, err, p.Page, p.Size, importSummary)
	return contract.TransactionImportList(answer), err
}

// GetTransactionImport reads an import.
func (s *Server) GetTransactionImport(
	ctx context.Context, r contract.GetTransactionImportRequest,
) (contract.TransactionImport, error) {
	im, err := s.deps.Imports.Import(ctx, callOf(ctx).scope, r.ImportID)
	if err != nil {
		return contract.TransactionImport{}, err
	}
	return s.importAnswer(ctx, &im)
}

// PauseTransactionImport lets an import rest.
func (s *Server) PauseTransactionImport(
	ctx context.Context, r contract.PauseTransactionImportRequest,
) (contract.TransactionImport, error) {
	return s.transitionImport(ctx, r.ImportID, models.ImportPaused)
}

// ResumeTransactionImport lets an import go on.
func (s *Server) ResumeTransactionImport(
	ctx context.Context, r contract.ResumeTransactionImportRequest,
) (contract.TransactionImport, error) {
	return s.transitionImport(ctx, r.ImportID, models.ImportQueued)
}

// CancelTransactionImport ends an import for good.
func (s *Server) CancelTransactionImport(
	ctx context.Context, r contract.CancelTransactionImportRequest,
) (contract.TransactionImport, error) {
	return s.transitionImport(ctx, r.ImportID, models.ImportCancelled)
}

func (s *Server) transitionImport(
	ctx context.Context, id string, to models.ImportStatus,
) (contract.TransactionImport, error) {
	c := callOf(ctx)
	im, err := s.deps.Imports.TransitionImport(ctx, c.scope, c.actor(), id, to)
	if err != nil {
		return contract.TransactionImport{}, err
	}
	answer, err := s.importAnswer(ctx, &im)
	return answer, unknownAfterWrite(err)
}

// importAnswer is an import with its first problems.
func (s *Server) importAnswer(ctx context.Context, im *models.Import) (contract.TransactionImport, error) {
	answer := importSummary(*im)
	if im.Rejected+im.Conflicting == 0 {
		return answer, nil
	}
	err := s.deps.Imports.ImportRejections(ctx, im.Scope(), im.ID, shownProblems, func(r *models.ImportRejection) error {
		for _, f := range r.Faults[:min(len(r.Faults), shownProblems-len(answer.Problems))] {
			answer.Problems = append(answer.Problems, contract.TransactionImportProblem{
				Line: f.Line, Column: optional(f.Column), ExternalID: r.ExternalID, Code: f.Code, Message: f.Message,
			})
		}
		return nil
	})
	return answer, err
}

// importSummary is an import without its problems.
func importSummary(im models.Import) contract.TransactionImport {
	return contract.TransactionImport{
		ID: im.ID, OrganizationID: im.OrganizationID, Name: im.Name,
		Status: contract.TransactionImportStatus(im.Status),
		Reason: im.Reason,
		Size:   im.Size, Sha256: hex.EncodeToString(im.SHA256), Percent: im.Percent(), Line: im.Line, Rows: im.Rows,
		Transactions: im.Transactions, Accepted: im.Accepted, AlreadyPresent: im.Present, Conflicting: im.Conflicting,
		Rejected: im.Rejected,
		Problems: []contract.TransactionImportProblem{}, CreatedAt: instant(im.CreatedAt),
		StartedAt: optionalInstant(im.StartedAt),
		UpdatedAt: instant(im.UpdatedAt), FinishedAt: optionalInstant(im.FinishedAt),
		KeptUntil: optionalInstant(im.ForgetAt),
	}
}
