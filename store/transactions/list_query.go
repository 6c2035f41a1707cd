package transactions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"levy/models"
	"levy/rules"
	"levy/store/filings"
	"levy/store/pg"
)

// transactionQuery is the WHERE of a list. Values only become arguments. The first argument is the organization.
type transactionQuery struct {
	conditions []string // all conditions except those on the date
	args       []any
	from, to   time.Time // both inclusive
	counted    bool      // the counts by day distinguish all columns of the conditions
	counts     countsOf  // the smallest counts that distinguish all columns of the conditions
	withStatus bool      // an index finds transactions by status, which may be few
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
	broad := len(q.conditions)
	andAny(q, "t.processing_status", f.ProcessingStatuses)
	andAny(q, "t.address_status", f.AddressStatuses)
	andAny(q, "t.exempt", f.Exempt)
	andAny(q, "t.country", f.Countries)
	if len(q.conditions) > broad {
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
	if f.ReportRow != nil {
		q.andReportRow(f.ReportRow)
	}
	q.andEqual("t.related_to", f.RelatedTo)
	q.andEqual("t.customer_id", f.CustomerID)
	if f.Text != "" {
		// Identifiers compare byte by byte. A substring search of them ignores letter case in every alphabet only under the
		// collation of ordinary text. The customers are an array, because only then can each condition use its index.
		q.and(`(t.external_id COLLATE "default" ILIKE %[1]s
			OR t.external_friendly_id ILIKE %[1]s OR t.secondary_external_id ILIKE %[1]s
			OR t.customer_id = ANY (ARRAY(SELECT c.id FROM customers c WHERE c.organization_id = $1 AND c.name ILIKE %[1]s))
			OR t.id = %[2]s)`,
			pg.Containing(f.Text), f.Text)
	}
	q.counted = len(q.conditions) == counted
	return q
}

// and adds a condition. Its verbs stand for the arguments.
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

// where returns all conditions with their arguments.
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

// whereOf returns where with the organization column of another table instead of the argument, as in selectPage.
func (q *transactionQuery) whereOf(table string) (string, []any) {
	where, args := q.where()
	return strings.Replace(where, "t.organization_id = $1", "t.organization_id = "+table+".organization_id", 1), args
}

// sortKeysOfTransactions is the order of a list. The last key is the id.
type sortKeysOfTransactions struct{ pg.SortKeys }

const (
	customerName  = "c.name"
	transactionID = "t.id"
	externalID    = "t.external_id"
)

// transactionOrders are the allowed sort keys.
var transactionOrders = map[string]pg.SortKey{
	"date":          {Column: "t.date", Kind: pg.TimeKey},
	"created_at":    {Column: "t.created_at", Kind: pg.TimeKey},
	"external_id":   {Column: externalID},
	"status":        {Column: "t.status"},
	"total_amount":  {Column: "(" + filings.DocumentTotal + ")", Kind: pg.AmountKey},
	"state":         {Column: "t.state", Nullable: true},
	"customer_name": {Column: customerName, Nullable: true},
}

// orderTransactions returns the sort keys of an order. The id comes last, in the direction of the first key,
// so that one index gives the whole order.
func orderTransactions(order []models.Order) (sortKeysOfTransactions, error) {
	var keys sortKeysOfTransactions
	seen := map[string]bool{}
	for _, o := range order {
		key, ok := transactionOrders[o.Column]
		if !ok {
			return keys, fmt.Errorf("transactions cannot be sorted by %q", o.Column)
		}
		if seen[o.Column] {
			continue
		}
		seen[o.Column] = true
		key.Desc = o.Desc
		keys.SortKeys = append(keys.SortKeys, key)
		if key.Column == externalID { // unique: no further key is needed
			return keys, nil
		}
	}
	last := pg.SortKey{Column: transactionID, Desc: len(order) > 0 && order[0].Desc}
	keys.SortKeys = append(keys.SortKeys, last)
	return keys, nil
}

// after restricts the query to rows after that with these values.
func (q *transactionQuery) after(keys pg.SortKeys, values []*string) {
	q.conditions = append(q.conditions, keys.After(values, func(value string) string {
		q.args = append(q.args, value)
		return fmt.Sprintf("$%d", len(q.args))
	}))
}

// valuesOf returns the sort values of a transaction.
func (k sortKeysOfTransactions) valuesOf(t *models.Transaction) []*string {
	values := make([]*string, len(k.SortKeys))
	for i, key := range k.SortKeys {
		text := ""
		switch values[i] = &text; key.Column {
		case transactionOrders["date"].Column:
			text = pg.KeyOfTime(t.Date)
		case transactionOrders["created_at"].Column:
			text = pg.KeyOfTime(t.CreatedAt)
		case transactionOrders["status"].Column:
			text = string(t.Status)
		case transactionOrders["total_amount"].Column:
			text = rules.DocumentTotal(t).String()
		case transactionOrders["state"].Column:
			values[i] = t.State
		case customerName:
			values[i] = t.Customer.Name
		case externalID:
			text = t.ExternalID
		default:
			text = t.ID
		}
	}
	return values
}

// from returns the FROM with the transactions as t and the customers, if a sort key needs them.
func (k sortKeysOfTransactions) from(transactions string) string {
	from := " FROM " + transactions
	if k.withCustomer() {
		from += withCustomer
	}
	return from
}

func (k sortKeysOfTransactions) withCustomer() bool {
	return slices.ContainsFunc(k.SortKeys, func(key pg.SortKey) bool { return key.Column == customerName })
}

// byDate reports whether the date is the first key.
func (k sortKeysOfTransactions) byDate() bool {
	return k.SortKeys[0].Column == transactionOrders["date"].Column
}

// byTotal reports whether the total is the first key.
func (k sortKeysOfTransactions) byTotal() bool {
	return k.SortKeys[0].Column == transactionOrders["total_amount"].Column
}

// byState reports whether the state is the first key and an index gives the order within one state.
func (k sortKeysOfTransactions) byState() bool {
	return k.SortKeys[0].Column == transactionOrders["state"].Column && !k.withCustomer()
}

// keyColumn returns the unique column that selects the rows of a page. The index of the order has it.
func (k sortKeysOfTransactions) keyColumn() string {
	if k.SortKeys[0].Column == externalID {
		return "external_id"
	}
	return "id"
}
