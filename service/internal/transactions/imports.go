package transactions

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

const (
	// maxImports bounds the imports of an organization that are under way.
	maxImports = 3
	// listedProblems bounds the problems in the answer of an import.
	listedProblems = 20
)

// CreateTransactionImport imports the uploaded file.
func (o *Operations) CreateTransactionImport(
	ctx context.Context, r contract.CreateTransactionImportRequest,
) (contract.TransactionImport, error) {
	c := call.Of(ctx)
	im := c.Upload.Im
	im.Name = convert.Optional(r.Params.Name)
	found, err := o.deps.Imports.QueueImport(ctx, c.Scope, c.Actor(), im, maxImports)
	if err != nil {
		return contract.TransactionImport{}, err
	}
	c.Upload.Queued = true
	return o.importAnswer(ctx, &found)
}

// ListTransactionImports lists imports.
func (o *Operations) ListTransactionImports(
	ctx context.Context, r contract.ListTransactionImportsRequest,
) (contract.TransactionImportList, error) {
	p := r.Params
	list, err := o.deps.Imports.ListImports(ctx, call.Of(ctx).Scope, models.ImportStatus(p.Status), importOrder,
		convert.PageOf(p.Page, p.Size))
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size, importSummary)
	return contract.TransactionImportList(answer), err
}

// GetTransactionImport reads an import.
func (o *Operations) GetTransactionImport(
	ctx context.Context, r contract.GetTransactionImportRequest,
) (contract.TransactionImport, error) {
	im, err := o.deps.Imports.Import(ctx, call.Of(ctx).Scope, r.ImportID)
	if err != nil {
		return contract.TransactionImport{}, err
	}
	return o.importAnswer(ctx, &im)
}

// PauseTransactionImport pauses an import.
func (o *Operations) PauseTransactionImport(
	ctx context.Context, r contract.PauseTransactionImportRequest,
) (contract.TransactionImport, error) {
	return o.transitionImport(ctx, r.ImportID, models.ImportPaused)
}

// ResumeTransactionImport resumes a paused import.
func (o *Operations) ResumeTransactionImport(
	ctx context.Context, r contract.ResumeTransactionImportRequest,
) (contract.TransactionImport, error) {
	return o.transitionImport(ctx, r.ImportID, models.ImportQueued)
}

// CancelTransactionImport cancels an import permanently.
func (o *Operations) CancelTransactionImport(
	ctx context.Context, r contract.CancelTransactionImportRequest,
) (contract.TransactionImport, error) {
	return o.transitionImport(ctx, r.ImportID, models.ImportCancelled)
}

// transitionImport changes the status of an import.
func (o *Operations) transitionImport(
	ctx context.Context, id string, to models.ImportStatus,
) (contract.TransactionImport, error) {
	c := call.Of(ctx)
	im, err := o.deps.Imports.TransitionImport(ctx, c.Scope, c.Actor(), id, to)
	if err != nil {
		return contract.TransactionImport{}, err
	}
	answer, err := o.importAnswer(ctx, &im)
	return answer, call.UnknownAfterWrite(err)
}

// importAnswer returns an import with its first problems.
func (o *Operations) importAnswer(ctx context.Context, im *models.Import) (contract.TransactionImport, error) {
	answer := importSummary(*im)
	if im.RejectedRows+im.ConflictingRows+im.PresentRows+im.Rejected+im.Conflicting == 0 {
		return answer, nil
	}
	err := o.deps.Imports.ImportRejections(ctx, im.Scope(), im.ID, listedProblems, func(r *models.ImportRejection) error {
		faults := rowFaults(r)
		for _, f := range faults[:min(len(faults), listedProblems-len(answer.Problems))] {
			answer.Problems = append(answer.Problems, contract.TransactionImportProblem{
				Line: f.Line, Column: convert.Optional(f.Column), ExternalID: r.ExternalID, Code: f.Code, Message: f.Message,
			})
		}
		return nil
	})
	return answer, err
}

// rowFaults returns the faults of a transaction that was not imported. If it is present or in conflict, each of its rows
// has one.
func rowFaults(r *models.ImportRejection) []models.ImportFault {
	if !r.Present && !r.Conflict || len(r.Faults) == 0 {
		return r.Faults
	}
	faults := slices.Clone(r.Faults)
	for _, line := range r.Lines {
		if slices.ContainsFunc(r.Faults, func(f models.ImportFault) bool { return f.Line == line }) {
			continue
		}
		further := r.Faults[0]
		if further.Line = line; r.Conflict {
			further.Message = fmt.Sprintf("Its transaction is in conflict, see line %d.", r.Line)
		}
		faults = append(faults, further)
	}
	return faults
}

// importSummary returns an import without its problems.
func importSummary(im models.Import) contract.TransactionImport {
	return contract.TransactionImport{
		ID: im.ID, OrganizationID: im.OrganizationID, Kind: contract.TransactionImportKind(im.Kind), Name: im.Name,
		Status: contract.TransactionImportStatus(im.Status),
		Reason: im.Reason,
		Size:   im.Size, Sha256: hex.EncodeToString(im.SHA256), Percent: im.Percent(), Line: im.Line, Rows: im.Rows,
		Transactions: im.Transactions, Accepted: im.Accepted, AlreadyPresent: im.Present, Conflicting: im.Conflicting,
		Rejected: im.Rejected, AcceptedRows: im.AcceptedRows, AlreadyPresentRows: im.PresentRows,
		ConflictingRows: im.ConflictingRows, RejectedRows: im.RejectedRows, RestoredPostalCodes: im.RestoredPostalCodes,
		Problems: []contract.TransactionImportProblem{}, CreatedAt: convert.Instant(im.CreatedAt),
		StartedAt: convert.OptionalInstant(im.StartedAt),
		UpdatedAt: convert.Instant(im.UpdatedAt), FinishedAt: convert.OptionalInstant(im.FinishedAt),
		KeptUntil: convert.OptionalInstant(im.ForgetAt),
	}
}
