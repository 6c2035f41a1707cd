package transactions

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// importListColumns are the columns of the list of imports as a file.
var importListColumns = []output.Column[contract.TransactionImport]{
	{Name: "id", Value: func(r *contract.TransactionImport) string { return r.ID }},
	{Name: "name", Text: true, Value: func(r *contract.TransactionImport) string { return convert.ValueOf(r.Name) }},
	{Name: "kind", Value: func(r *contract.TransactionImport) string { return string(r.Kind) }},
	{Name: "status", Value: func(r *contract.TransactionImport) string { return string(r.Status) }},
	{Name: "reason", Text: true, Value: func(r *contract.TransactionImport) string { return convert.ValueOf(r.Reason) }},
	{Name: "size", Value: func(r *contract.TransactionImport) string { return strconv.FormatInt(r.Size, 10) }},
	{Name: "percent", Value: func(r *contract.TransactionImport) string { return strconv.Itoa(r.Percent) }},
	{Name: "rows", Value: func(r *contract.TransactionImport) string { return strconv.FormatInt(r.Rows, 10) }},
	{Name: "accepted", Value: func(r *contract.TransactionImport) string { return strconv.FormatInt(r.Accepted, 10) }},
	{Name: "already_present", Value: func(r *contract.TransactionImport) string { return strconv.FormatInt(r.AlreadyPresent, 10) }},
	{Name: "conflicting", Value: func(r *contract.TransactionImport) string { return strconv.FormatInt(r.Conflicting, 10) }},
	{Name: "rejected", Value: func(r *contract.TransactionImport) string { return strconv.FormatInt(r.Rejected, 10) }},
	{Name: "restored_postal_codes", Value: func(r *contract.TransactionImport) string {
		return strconv.FormatInt(r.RestoredPostalCodes, 10)
	}},
	{Name: "sha256", Value: func(r *contract.TransactionImport) string { return r.Sha256 }},
	{Name: "created_at", Value: func(r *contract.TransactionImport) string { return convert.InstantText(r.CreatedAt) }},
	{Name: "finished_at", Value: func(r *contract.TransactionImport) string { return convert.OptionalInstantText(r.FinishedAt) }},
	{Name: "kept_until", Value: func(r *contract.TransactionImport) string { return convert.OptionalInstantText(r.KeptUntil) }},
}

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
