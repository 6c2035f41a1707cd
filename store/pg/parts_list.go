package pg

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// PartsList is a list of parts of a record, such as its history. In its statements $1 is the organization and $2 the id
// of the record.
type PartsList[T any] struct {
	Exists string // the statement that reads whether the record exists
	Count  string // the statement that counts the list
	Select string // the statement that reads the list in order
	Scan   pgx.RowToFunc[T]
}

// Read reads a page of the list in one snapshot. Errors: models.ErrNotFound.
func (l PartsList[T]) Read(
	ctx context.Context, db *DB, scope models.Scope, id string, page models.Page,
) (models.List[T], error) {
	list := models.List[T]{Items: []T{}}
	exists := false
	err := db.Snapshot(ctx, func(conn *Pipeline, begin *pgx.Batch) error {
		begin.Queue(l.Exists, scope.OrganizationID, id).QueryRow(func(row pgx.Row) error { return row.Scan(&exists) })
		begin.Queue(l.Count, scope.OrganizationID, id).QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
		begin.Queue(l.Select+" LIMIT $3 OFFSET $4", scope.OrganizationID, id, page.Limit, page.Offset).
			Query(func(rows pgx.Rows) (err error) {
				list.Items, err = pgx.AppendRows(list.Items, rows, l.Scan)
				return err
			})
		conn.Commit(begin)
		return conn.Send(ctx, begin)
	})
	if err == nil && !exists {
		err = models.ErrNotFound
	}
	return list, err
}
