package transactions

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/output"
)

// importListColumns are the columns of the list of imports as a file.
var importListColumns = output.Columns[contract.TransactionImport](`
	id 'name kind status 'reason size percent rows accepted already_present conflicting rejected restored_postal_codes sha256
	created_at finished_at kept_until`, nil)

// importOrder is the order of the list of imports: the newest first.
var importOrder = []models.Order{{Column: "created_at", Desc: true}}

// ExportTransactionImports sends the list of imports as a file.
func (o *Operations) ExportTransactionImports(
	ctx context.Context, r contract.ExportTransactionImportsRequest, out contract.Stream,
) error {
	status, file := models.ImportStatus(r.Params.Status), output.ListFile{Name: "imports", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, importListColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.TransactionImport], error) {
			list, err := o.deps.Imports.ListImports(ctx, call.Of(ctx).Scope, status, importOrder, page)
			return output.Answers(list, err, importSummary)
		})
}
