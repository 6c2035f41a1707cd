package transactions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"levy/models"
	"levy/store/filings"
	"levy/store/pg"
)

// transactionQuery is the WHERE of a list. Values only ever become arguments, of
// which the first is the organization.
type transactionQuery struct {
	conditions []string // all but those on the date
	args       []any
	from, to   time.Time // both inclusive
	counted    bool      // the counts by day know about every condition
	counts     countsOf  // the fewest counts that know about every condition
	withStatus bool      // an index finds those of a status, which may be few
}

func filterTransactions(scope models.Scope, f models.TransactionFilter) *transactionQuery {
	q := &transactionQuery{from: f.From, to: f.To, counts: countsOfAll, withStatus: len(f.Statuses) > 0}
	q.and("t.organization_id = %s", scope.OrganizationID)
	andAny(q, "t.type", f.Types)
	andAny(q, "t.status", f.Statuses)
	andAny(q, "t.connection_id", f.ConnectionIDs)
	q.andEqual("t.source", f.Source)
	if f.Marketplace != nil {
		q.and("t.marketplace = %s", *f.Marketplace)
	}
	kept := len(q.conditions)
	andAny(q, "t.processing_status", f.ProcessingStatuses)
	andAny(q, "t.address_status", f.AddressStatuses)
	andAny(q, "t.exempt", f.Exempt)
	andAny(q, "t.country", f.Countries)
	if len(q.conditions) > kept {
		q.counts = countsCoarse
	}
	coarse := len(q.conditions)
	andAny(q, "upper(t.state)", f.States)
	q.andEqual("t.filing_id", f.FilingID)
	if len(q.conditions) > coarse {
		q.counts = countsFull
	}
	counted := len(q.conditions)
	if f.MemberOf != "" {
		q.and("t.id IN ("+filings.ReturnLineIDs+")", f.MemberOf)
	}
	if f.UnresolvedOf != "" {
		q.and("t.id IN ("+filings.UnresolvedIDs+")", f.UnresolvedOf, filings.UnionReturns())
	}
	q.andEqual("t.related_to", f.RelatedTo)
	q.andEqual("t.customer_id", f.CustomerID)
	if f.Text != "" {
		// Identifiers compare byte by byte; their substring search ignores letter case
		// in every alphabet only under the collation of ordinary text. The customers are
		// an array, because only then each of the conditions can use its index.
		q.and(`(t.external_id COLLATE "default" ILIKE %[1]s OR t.external_friendly_id ILIKE %[1]s OR t.secondary_external_id ILIKE %[1]s
			OR t.customer_id = ANY (ARRAY(SELECT c.id FROM customers c WHERE c.organization_id = $1 AND c.name ILIKE %[1]s)) OR t.id = %[2]s)`,
			pg.Containing(f.Text), f.Text)
	}
	q.counted = len(q.conditions) == counted
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

// where is all conditions with their arguments.
func (q *transactionQuery) where() (string, []any) {
	dated := transactionQuery{conditions: slices.Clone(q.conditions), args: slices.Clone(q.args)}
	if !q.from.IsZero() {
		dated.and("t.date >= %s", q.from)
	}
	if !q.to.IsZero() {
		dated.and("t.date <= %s", q.to)
	}
	return " WHERE " + strings.Join(dated.conditions, " AND "), dated.args
}

// whereOf is where, with the organization of another table: no constant to the planner,
// as in selectPage.
func (q *transactionQuery) whereOf(table string) (string, []any) {
	where, args := q.where()
	return strings.Replace(where, "t.organization_id = $1", "t.organization_id = "+table+".organization_id", 1), args
}

// sortKeysOfTransactions is the order of a list; the last key is the id.
type sortKeysOfTransactions []transactionSortKey

type transactionSortKey struct {
	column         string
	desc, nullable bool
}

const (
	customerName  = "c.name"
	transactionID = "t.id"
	externalID    = "t.external_id"
)

// transactionOrders is the allow list of sort keys. NULLS LAST stands only where
// there are NULLs: elsewhere it would keep the index on the date from giving the order.
var transactionOrders = map[string]transactionSortKey{
	"date":          {column: "t.date"},
	"created_at":    {column: "t.created_at"},
	"external_id":   {column: externalID},
	"status":        {column: "t.status"},
	"total_amount":  {column: "t.total_amount"},
	"state":         {column: "t.state", nullable: true},
	"customer_name": {column: customerName, nullable: true},
}

// orderTransactions reads an order. The id comes last, in the direction of the first
// key, so that one index gives the whole order.
func orderTransactions(order []models.Order) (sortKeysOfTransactions, error) {
	var keys sortKeysOfTransactions
	seen := map[string]bool{}
	for _, o := range order {
		key, ok := transactionOrders[o.Column]
		if !ok {
			return nil, fmt.Errorf("transactions cannot be sorted by %q", o.Column)
		}
		if seen[o.Column] {
			continue
		}
		seen[o.Column] = true
		key.desc = o.Desc
		keys = append(keys, key)
		if key.column == externalID { // unique: nothing is left to decide
			return keys, nil
		}
	}
	return append(keys, transactionSortKey{column: transactionID, desc: len(order) > 0 && order[0].Desc}), nil
}

// orderBy writes the ORDER BY, or its exact reverse. Absent values come last.
func (k sortKeysOfTransactions) orderBy(reverse bool) string {
	texts := make([]string, len(k))
	for i, key := range k {
		texts[i] = key.column
		if key.desc != reverse {
			texts[i] += " DESC"
		}
		switch {
		case key.nullable && reverse:
			texts[i] += " NULLS FIRST"
		case key.nullable:
			texts[i] += " NULLS LAST"
		}
	}
	return " ORDER BY " + strings.Join(texts, ", ")
}

// startAfter lets a query begin after the row with these keys, nil for an absent value.
func (k sortKeysOfTransactions) startAfter(q *transactionQuery, last []*string) {
	condition, args := "", []any{}
	for i := len(k) - 1; i >= 0; i-- {
		column, beyond, same := k[i].column, "FALSE", k[i].column+" IS NULL"
		if v := last[i]; v != nil {
			verb := "%" + fmt.Sprintf("[%d]s", len(args)+1)
			args = append(args, *v)
			operator := " > "
			if k[i].desc {
				operator = " < "
			}
			beyond, same = column+operator+verb, column+" = "+verb
			if k[i].nullable { // absent values come last in either direction
				beyond = "(" + beyond + " OR " + column + " IS NULL)"
			} else if i == 0 && condition != "" { // for the index
				condition = column + strings.TrimRight(operator, " ") + "= " + verb + " AND (" + beyond + " OR " + same + " AND " + condition + ")"
				continue
			}
		}
		if condition == "" {
			condition = beyond
		} else {
			condition = "(" + beyond + " OR " + same + " AND " + condition + ")"
		}
	}
	q.and(condition, args...)
}

// from is the transactions as t and what else the keys are read from.
func (k sortKeysOfTransactions) from(transactions string) string {
	from := " FROM " + transactions
	if k.withCustomer() {
		from += withCustomer
	}
	return from
}

func (k sortKeysOfTransactions) withCustomer() bool {
	return slices.ContainsFunc(k, func(key transactionSortKey) bool { return key.column == customerName })
}

// byDate reports whether the date is the first key.
func (k sortKeysOfTransactions) byDate() bool { return k[0].column == transactionOrders["date"].column }

// byState reports whether the state is the first key, and an index gives the order of
// those of one state.
func (k sortKeysOfTransactions) byState() bool {
	return k[0].column == transactionOrders["state"].column && !k.withCustomer()
}

// name is the unique column by which a page is chosen: one that the index of the order
// holds.
func (k sortKeysOfTransactions) name() string {
	if k[0].column == externalID {
		return "external_id"
	}
	return "id"
}
