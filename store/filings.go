package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// Filing reads a filing. Errors: models.ErrNotFound.
func (s *Store) Filing(ctx context.Context, scope models.Scope, id string) (models.Filing, error) {
	list, err := s.readFilings(ctx, scope, &transactionQuery{
		conditions: []string{"f.organization_id = $1", "f.id = $2"}, args: []any{scope.OrganizationID, id}, filters: 2,
	}, models.Page{Limit: 1})
	if err != nil {
		return models.Filing{}, err
	}
	if len(list.Items) == 0 {
		return models.Filing{}, models.ErrNotFound
	}
	return list.Items[0], nil
}

// ListFilings lists the filings that pass the filter. order may name "start_date",
// "end_date", "due_date", "date_filed", "status", "state_code" and "created_at".
func (s *Store) ListFilings(ctx context.Context, scope models.Scope, f models.FilingFilter, order []models.Order, page models.Page) (models.List[models.Filing], error) {
	q := &transactionQuery{}
	q.and("f.organization_id = %s", scope.OrganizationID) // $1
	andAny(q, "f.status", f.Statuses)
	andAny(q, "f.country_code", f.Countries)
	andAny(q, "f.filing_category", f.Categories)
	q.andEqual("f.state_code", f.StateCode)
	q.andEqual("f.registration_id", f.RegistrationID)
	if !f.StartsFrom.IsZero() {
		q.and("f.start_date >= %s", f.StartsFrom)
	}
	if !f.EndsBy.IsZero() {
		q.and("f.end_date <= %s", f.EndsBy)
	}
	if !f.FiledFrom.IsZero() {
		q.and("f.date_filed >= %s", f.FiledFrom)
	}
	if !f.FiledBy.IsZero() {
		q.and("f.date_filed <= %s", f.FiledBy)
	}
	if !f.DueBy.IsZero() {
		q.and("f.due_date <= %s", f.DueBy)
	}
	q.filters = len(q.args)
	var err error
	if q.orderBy, err = orderFilings(order); err != nil {
		return models.List[models.Filing]{}, err
	}
	return s.readFilings(ctx, scope, q, page)
}

// filingOrders is the allow list of sort keys; true marks those that may be NULL.
var filingOrders = sortable{"start_date": false, "end_date": false, "due_date": true, "date_filed": true, "status": false, "state_code": false, "created_at": false}

func orderFilings(order []models.Order) (string, error) {
	last := models.Order{Column: "id"} // in the direction of the first key, so that one index gives the whole order
	var keys []string
	for i, o := range order {
		nullable, ok := filingOrders[o.Column]
		if !ok {
			return "", fmt.Errorf("filings cannot be sorted by %q", o.Column)
		}
		if i == 0 {
			last.Desc = o.Desc
		}
		key := "f." + o.Column + direction(o)
		if nullable {
			key += " NULLS LAST"
		}
		keys = append(keys, key)
	}
	return " ORDER BY " + strings.Join(append(keys, "f.id"+direction(last)), ", "), nil
}

// readFilings reads a page with all its parts, in one snapshot.
func (s *Store) readFilings(ctx context.Context, scope models.Scope, q *transactionQuery, page models.Page) (models.List[models.Filing], error) {
	list := models.List[models.Filing]{Items: []models.Filing{}}
	n := len(q.args)
	rest := fmt.Sprintf("%s%s LIMIT $%d OFFSET $%d", q.where(), q.orderBy, n+1, n+2)
	err := s.snapshot(ctx, func(conn *session, begin *pgx.Batch) error {
		begin.Queue("SELECT count(*) FROM filings f"+q.where(), q.args...).
			QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
		begin.Queue(selectFilings+rest, append(q.args[:n:n], page.Limit, page.Offset)...).Query(func(rows pgx.Rows) (err error) {
			list.Items, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (models.Filing, error) { return scanFiling(row) })
			return err
		})
		if err := conn.send(ctx, begin); err != nil {
			return err
		}
		parts := &pgx.Batch{}
		queueFilingParts(parts, scope, list.Items)
		conn.commit(parts)
		return conn.send(ctx, parts)
	})
	if list.Items == nil {
		list.Items = []models.Filing{}
	}
	return list, err
}
