package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// ListTransactions lists the transactions that pass the filter, with all their
// parts. A page costs the same number of statements whatever is on it.
func (s *Store) ListTransactions(ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order, page models.Page) (models.List[models.Transaction], error) {
	return s.listTransactions(ctx, scope, filterTransactions(scope, f), order, page)
}

func (s *Store) listTransactions(ctx context.Context, scope models.Scope, q *transactionQuery, order []models.Order, page models.Page) (models.List[models.Transaction], error) {
	ids, err := q.pageOfIDs(order, page)
	if err != nil {
		return models.List[models.Transaction]{}, err
	}
	var total int64
	found := transactionSet{transactions: []models.Transaction{}}
	err = s.snapshot(ctx, func(conn *session, begin *pgx.Batch) error {
		begin.Queue("SELECT count(*) FROM transactions t"+q.where(), q.args[:q.filters]...).
			QueryRow(func(row pgx.Row) error { return row.Scan(&total) })
		begin.Queue("WITH page AS ("+ids+")"+selectTransactions+
			" JOIN page ON page.id = t.id WHERE t.organization_id = $1"+q.orderBy, q.args...).Query(found.read)
		if err := conn.send(ctx, begin); err != nil {
			return err
		}
		parts := &pgx.Batch{}
		if len(found.transactions) > 0 {
			found.queueParts(parts, "= ANY ($2)", scope.OrganizationID, found.ids())
		}
		conn.commit(parts)
		return conn.send(ctx, parts)
	})
	return models.List[models.Transaction]{Items: found.transactions, Total: total}, err
}

func (s *transactionSet) ids() []string {
	ids := make([]string, len(s.transactions))
	for i := range s.transactions {
		ids[i] = s.transactions[i].ID
	}
	return ids
}

// transactionQuery is the WHERE of a list. Values only ever become arguments.
type transactionQuery struct {
	conditions []string
	args       []any
	filters    int // the arguments that belong to the conditions
	orderBy    string
}

func filterTransactions(scope models.Scope, f models.TransactionFilter) *transactionQuery {
	q := &transactionQuery{}
	q.and("t.organization_id = %s", scope.OrganizationID) // $1
	if f.MemberOf != "" {
		q.args = append(q.args, f.MemberOf) // $2, as memberIDs has it
		q.conditions = append(q.conditions, "t.id IN ("+memberIDs+")")
	}
	if f.Text != "" {
		// Identifiers compare byte by byte; their substring search ignores letter case
		// in every alphabet only under the collation of ordinary text.
		q.and(`(t.external_id COLLATE "default" ILIKE %[1]s OR t.external_friendly_id ILIKE %[1]s OR t.secondary_external_id ILIKE %[1]s
			OR t.customer_id IN (SELECT c.id FROM customers c WHERE c.organization_id = $1 AND c.name ILIKE %[1]s) OR t.id = %[2]s)`,
			containing(f.Text), f.Text)
	}
	andAny(q, "t.type", f.Types)
	andAny(q, "t.status", f.Statuses)
	andAny(q, "t.processing_status", f.ProcessingStatuses)
	andAny(q, "t.address_status", f.AddressStatuses)
	andAny(q, "t.exempt", f.Exempt)
	andAny(q, "t.country", f.Countries)
	andAny(q, "upper(t.state)", f.States)
	andAny(q, "t.connection_id", f.ConnectionIDs)
	q.andEqual("t.source", f.Source)
	q.andEqual("t.related_to", f.RelatedTo)
	q.andEqual("t.customer_id", f.CustomerID)
	q.andEqual("t.filing_id", f.FilingID)
	if f.Marketplace != nil {
		q.and("t.marketplace = %s", *f.Marketplace)
	}
	if !f.From.IsZero() {
		q.and("t.date >= %s", f.From)
	}
	if !f.To.IsZero() {
		q.and("t.date <= %s", f.To)
	}
	q.filters = len(q.args)
	return q
}

// and adds a condition; its verbs stand for the arguments.
func (q *transactionQuery) and(condition string, args ...any) {
	names := make([]any, len(args))
	for i := range args {
		names[i] = fmt.Sprintf("$%d", len(q.args)+1+i)
	}
	q.args = append(q.args, args...)
	q.conditions = append(q.conditions, fmt.Sprintf(condition, names...))
}

func (q *transactionQuery) andEqual(column, value string) {
	if value != "" {
		q.and(column+" = %s", value)
	}
}

func andAny[S ~string](q *transactionQuery, column string, values []S) {
	if len(values) == 0 {
		return
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	q.and(column+" = ANY (%s::text[])", texts)
}

func (q *transactionQuery) where() string { return " WHERE " + strings.Join(q.conditions, " AND ") }

// pageOfIDs is the statement that chooses a page, by ids alone, so that rows that
// are only skipped are neither read in full nor joined.
func (q *transactionQuery) pageOfIDs(order []models.Order, page models.Page) (string, error) {
	orderBy, byCustomer, err := orderTransactions(order)
	if err != nil {
		return "", err
	}
	q.orderBy = orderBy
	q.args = append(q.args, page.Limit, page.Offset)
	from := "SELECT t.id FROM transactions t"
	if byCustomer {
		from += withCustomer
	}
	return fmt.Sprintf("%s%s%s LIMIT $%d OFFSET $%d", from, q.where(), orderBy, len(q.args)-1, len(q.args)), nil
}

// transactionOrders is the allow list of sort keys. NULLS LAST stands only where
// there are NULLs: elsewhere it would keep the index on the date from giving the order.
var transactionOrders = map[string]struct {
	column   string
	nullable bool
}{
	"date":          {column: "t.date"},
	"created_at":    {column: "t.created_at"},
	"external_id":   {column: "t.external_id"},
	"status":        {column: "t.status"},
	"total_amount":  {column: "t.total_amount"},
	"state":         {column: "t.state", nullable: true},
	"customer_name": {column: customerName, nullable: true},
}

const customerName = "c.name"

// orderTransactions writes the ORDER BY. The id comes last, in the direction of the
// first key, so that one index gives the whole order.
func orderTransactions(order []models.Order) (orderBy string, byCustomer bool, err error) {
	var keys []string
	seen := map[string]bool{}
	for _, o := range order {
		key, ok := transactionOrders[o.Column]
		if !ok {
			return "", false, fmt.Errorf("transactions cannot be sorted by %q", o.Column)
		}
		if seen[o.Column] {
			continue
		}
		seen[o.Column] = true
		nulls := ""
		if key.nullable {
			nulls = " NULLS LAST"
		}
		keys = append(keys, key.column+direction(o)+nulls)
		byCustomer = byCustomer || key.column == customerName
	}
	last := "t.id"
	if len(order) > 0 {
		last += direction(order[0])
	}
	return " ORDER BY " + strings.Join(append(keys, last), ", "), byCustomer, nil
}

func direction(o models.Order) string {
	if o.Desc {
		return " DESC"
	}
	return ""
}
