package filings

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// Filing returns a filing. Errors: models.ErrNotFound.
func (s *Store) Filing(ctx context.Context, scope models.Scope, id string) (models.Filing, error) {
	list, err := s.readFilings(ctx, scope, oneFiling(scope, id), filingOrder{}, models.Page{Limit: 1})
	if err != nil {
		return models.Filing{}, err
	}
	if len(list.Items) == 0 {
		return models.Filing{}, models.ErrNotFound
	}
	return list.Items[0], nil
}

// ListFilings returns a page of the filings that pass the filter. order may contain the columns of filingOrders, and
// "amount", which adds up each filing that waits. Errors: *models.InvalidError if those are too many.
func (s *Store) ListFilings(
	ctx context.Context, scope models.Scope, f models.FilingFilter, order []models.Order, page models.Page,
) (models.List[models.Filing], error) {
	by, err := orderFilings(order)
	if err != nil {
		return models.List[models.Filing]{}, err
	}
	return s.readFilings(ctx, scope, filterFilings(scope, f), by, page)
}

// filingQuery is the WHERE of a list. Values only become arguments.
type filingQuery struct {
	conditions []string
	args       []any
}

// and adds a condition that ends with its argument.
func (q *filingQuery) and(condition string, arg any) {
	q.args = append(q.args, arg)
	q.conditions = append(q.conditions, fmt.Sprintf("%s ($%d)", condition, len(q.args)))
}

// oneFiling selects the filing of an id.
func oneFiling(scope models.Scope, id string) (q filingQuery) {
	q.and("f.organization_id =", scope.OrganizationID)
	q.and("f.id =", id)
	return q
}

func filterFilings(scope models.Scope, f models.FilingFilter) filingQuery {
	q := filingQuery{}
	q.and("f.organization_id =", scope.OrganizationID)
	for _, day := range []struct {
		condition string
		value     time.Time
	}{
		{"f.start_date >=", f.StartsFrom}, {"f.end_date <=", f.EndsBy}, {"f.date_filed >=", f.FiledFrom},
		{"f.date_filed <=", f.FiledBy}, {"f.due_date <=", f.DueBy},
	} {
		if !day.value.IsZero() {
			q.and(day.condition, day.value)
		}
	}
	if len(f.Statuses) > 0 {
		q.and("f.status = ANY", f.Statuses)
	}
	if len(f.Countries) > 0 {
		q.and("f.country_code = ANY", f.Countries)
	}
	if len(f.Categories) > 0 {
		q.and("f.filing_category = ANY", f.Categories)
	}
	if len(f.States) > 0 {
		q.and("f.state_code = ANY", f.States)
	}
	if len(f.IDs) > 0 {
		q.and("f.id = ANY", f.IDs)
	}
	if f.RegistrationID != "" {
		q.and("f.registration_id =", f.RegistrationID)
	}
	return q
}

// filingOrders are the allowed sort keys. True marks those that may be NULL.
var filingOrders = pg.Sortable{
	"start_date": false, "end_date": false, "due_date": true, "date_filed": true, "status": false,
	"state_code": false, "created_at": false, "updated_at": false, "country_code": false, "state_name": true,
	"filing_category": false, "filing_frequency": true, "currency": false, "registration_id": false,
}

// filingOrder is the ORDER BY of a list of filings.
type filingOrder struct {
	by     string
	amount bool // it contains the amount
}

func orderFilings(order []models.Order) (by filingOrder, err error) {
	last := models.Order{Column: "id"} // in the direction of the first key, so that one index gives the whole order
	var keys []string
	for i, o := range order {
		if i == 0 {
			last.Desc = o.Desc
		}
		if o.Column == "amount" {
			by.amount = true
			keys = append(keys, amountOrder+directionOf(o))
			continue
		}
		nullable, ok := filingOrders[o.Column]
		if !ok {
			return by, fmt.Errorf("filings cannot be sorted by %q", o.Column)
		}
		key := "f." + o.Column + directionOf(o)
		if nullable {
			key += " NULLS LAST"
		}
		keys = append(keys, key)
	}
	by.by = " ORDER BY " + strings.Join(append(keys, "f.id"+directionOf(last)), ", ")
	return by, nil
}

// joinSums joins filings f with what sumsOfLive returns.
const joinSums = " LEFT JOIN s ON s.id = f.id LEFT JOIN offered ON offered.id = f.id"

// sumsOfLive returns the WITH of the live sums s and the offered credit of filings of the organization $1 that wait.
func sumsOfLive(where string) string {
	ofThem := func(statement string) string { return strings.ReplaceAll(statement, "$2", "d.ids") }
	return `
	WITH d AS MATERIALIZED (SELECT array_agg(f.id) AS ids FROM filings f` + where + " AND" + live + `),
	s AS MATERIALIZED (
	  SELECT p.* FROM d CROSS JOIN LATERAL (` + ofThem(liveSumsOf("$2")) + `)
	         p (id, n, m, sales, taxable, tax, collected, liability)),
	offered AS MATERIALIZED (
	  SELECT p.* FROM d CROSS JOIN LATERAL (` + ofThem(creditOffered) + `) p (id, prepaid, credit))`
}

func directionOf(o models.Order) string {
	if o.Desc {
		return " DESC"
	}
	return ""
}

// longRead is for waiting filings, because reading them sums up their transactions.
const longRead = "SET LOCAL statement_timeout = '50s'"

// readFilings reads a page of filings with all their parts, in one snapshot.
func (s *Store) readFilings(
	ctx context.Context, scope models.Scope, q filingQuery, order filingOrder, page models.Page,
) (models.List[models.Filing], error) {
	list := models.List[models.Filing]{}
	err := s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) (err error) {
		var parts *pgx.Batch
		if list, parts, err = readFilingsBy(ctx, conn, begin, scope, q, order, page); err != nil {
			return err
		}
		conn.Commit(parts)
		return conn.Send(ctx, parts)
	})
	if list.Items == nil {
		list.Items = []models.Filing{}
	}
	return list, err
}

// readFilingsBy reads a page of filings in a snapshot that begin begins. parts completes them when it is sent.
func readFilingsBy(
	ctx context.Context, conn *pg.Pipeline, begin *pgx.Batch, scope models.Scope, q filingQuery, order filingOrder, page models.Page,
) (list models.List[models.Filing], parts *pgx.Batch, err error) {
	n := len(q.args)
	where := " WHERE " + strings.Join(q.conditions, " AND ")
	selected := fmt.Sprintf("%s%s%s LIMIT $%d OFFSET $%d", selectFilings, where, order.by, n+1, n+2)
	if order.amount {
		selected = fmt.Sprintf("%s%s%s%s LIMIT $%d OFFSET $%d", sumsOfLive(where), selectFilings, joinSums+where, order.by,
			n+1, n+2)
	}
	begin.Queue(longRead)
	if order.amount {
		begin.Queue("SELECT count(*) FROM filings f"+where+" AND"+live, q.args...).QueryRow(checkTooMany)
		if err := conn.Send(ctx, begin); err != nil {
			return list, nil, err
		}
		begin = &pgx.Batch{}
	}
	begin.Queue("SELECT count(*) FROM filings f"+where,
		q.args...).QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
	begin.Queue(selected,
		append(q.args[:n:n], page.Limit, page.Offset)...).Query(pg.All(&list.Items,
		func(row pgx.CollectableRow) (models.Filing, error) { return scanFiling(row) }))
	if err := conn.Send(ctx, begin); err != nil {
		return list, nil, err
	}
	parts = &pgx.Batch{}
	queueFilingParts(parts, scope, list.Items)
	return list, parts, nil
}

// CompleteFilings adds the values that are computed on reading: the live sums of open filings and the waiting
// transactions of their periods, as of now. filings may contain the same filing at several moments.
func (s *Store) CompleteFilings(ctx context.Context, scope models.Scope, filings []models.Filing) error {
	ids := make([]string, len(filings))
	for i, f := range filings {
		ids[i] = f.ID
	}
	q := filingQuery{}
	q.and("f.organization_id =", scope.OrganizationID)
	q.and("f.id = ANY", ids)
	found, err := s.readFilings(ctx, scope, q, filingOrder{}, models.Page{Limit: len(ids)})
	if err != nil {
		return err
	}
	byID := make(map[string]models.Filing, len(found.Items))
	for _, f := range found.Items {
		byID[f.ID] = f
	}
	for i := range filings {
		f, now := &filings[i], byID[filings[i].ID]
		f.Today, f.Elapsed, f.Causes = now.Today, now.Elapsed, now.Causes
		if f.Status.Live() {
			f.Pending, f.Unresolved = now.Pending, now.Unresolved
			f.FilingSums, f.FilingOffsets = now.FilingSums, now.FilingOffsets
		}
	}
	return nil
}
