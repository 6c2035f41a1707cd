package filings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// dueNames are the arguments of dueOf: whether all organizations are visible, the visible ones with their clients,
// and a single organization, or "".
var dueNames = pg.Names{"all", "organizations", "organization_id", "from", "until", "statuses", "states", "countries"}

// dueOf selects the filings that are visible to a user.
const dueOf = `
	  FROM filings f JOIN organizations o ON o.id = f.organization_id AND o.status = 'ACTIVE'
	 WHERE (@all OR o.id = ANY (@organizations) OR o.parent_organization_id = ANY (@organizations)
	        AND NOT EXISTS (
	          SELECT FROM client_grants g WHERE g.organization_id = o.id
	          /* guard: grants: returns of a client leave its partner's list with the grant */ AND g.ended_at IS NOT NULL
	        ))
	   AND (@organization_id = '' OR f.organization_id = @organization_id)
	   AND f.due_date >= coalesce(@from::date, '-infinity') AND f.due_date <= coalesce(@until::date, 'infinity')
	   AND (cardinality(@statuses::text[]) = 0 OR f.status = ANY (@statuses))
	   AND (cardinality(@states::text[]) = 0 OR f.state_code = ANY (@states))
	   AND (cardinality(@countries::text[]) = 0 OR f.country_code = ANY (@countries))`

var (
	countDue      = pg.Prepare("SELECT count(*)"+dueOf, dueNames)
	countLiveDue  = pg.Prepare("SELECT count(*)"+dueOf+" AND"+live, dueNames)
	countDueByDay = pg.Prepare("SELECT f.due_date, f.status, count(*)"+dueOf+" GROUP BY 1, 2 ORDER BY 1, 2", dueNames)
)

// ListDueFilings returns a page of the filings of all visible organizations. order may contain "due_date",
// "amount" and "organization_name". It sums up live filings only for the page, in one round trip, unless the list is
// sorted by amount. A list after a position is by due day and has no counts. Errors: *models.InvalidError if a list by
// amount has too many live filings to sum up.
func (s *Store) ListDueFilings(
	ctx context.Context, visible models.Visibility, f models.DueFilter, order []models.Order, page models.Page,
) (models.DueList, error) {
	ctx = models.AcrossOrganizations(ctx) // the statements select the organizations
	list := models.DueList{Counts: []models.DueCount{}}
	args := dueArguments(visible, f)
	selected, byAmount, err := selectDue(order, f.After)
	if err != nil {
		return list, err
	}
	err = s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) error {
		begin.Queue(longRead)
		if byAmount || f.Money {
			countLiveDue.Queue(begin, args).QueryRow(func(row pgx.Row) error {
				if byAmount {
					return checkTooMany(row)
				}
				return checkSummed(row, "money")
			})
			if err := conn.Send(ctx, begin); err != nil {
				return err
			}
			begin = &pgx.Batch{}
		}
		if after := f.After; after != nil {
			args = append(slices.Clip(args), after.Due, after.OrganizationID, after.ID)
		} else {
			countDue.Queue(begin, args).QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
		}
		if f.Money {
			moneyByDay.Queue(begin, args).Query(pg.All(&list.Money, scanDueMoney))
		}
		if f.After == nil && f.IsCalendar() {
			countDueByDay.Queue(begin, args).Query(
				pg.All(&list.Counts, pgx.RowToStructByPos[models.DueCount]))
		}
		selected.Queue(begin, append(slices.Clip(args), page.Limit, page.Offset)).Query(pg.All(&list.Items, scanDueFiling))
		if err := conn.Send(ctx, begin); err != nil {
			return err
		}
		parts := &pgx.Batch{}
		queueDueParts(parts, list.Items, f.Wants)
		conn.Commit(parts)
		return conn.Send(ctx, parts)
	})
	return list, err
}

// live is the condition on filings f whose amount is the current sum of their transactions.
const live = " f.status IN ('UNFILED', 'PAUSED')"

// dueOrders are the expressions for sorting a list across organizations.
var dueOrders = map[string]string{
	"due_date": "f.due_date", "organization_name": "o.name_key",
	"amount": amountOrder,
}

// amountOrder is the amount of a filing f with the live sums s and the credit o that is offered to it.
var amountOrder = "CASE WHEN NOT (" + live + ") THEN " + AmountOf + " ELSE " + liveAmount("s", "offered") + " END"

// liveAmount returns the amount of a live filing f, as models.Filing.Settle decides it.
func liveAmount(sums, offered string) string {
	rest := "(coalesce(" + sums + ".liability, 0) + " + enteredAmounts + " - coalesce(" + offered + ".prepaid, 0))"
	return "CASE WHEN f.filing_category IN ('REGULAR', 'AMENDMENT') THEN greatest(" + rest +
		", 0) - least(coalesce(" + offered + ".credit, 0), greatest(" + rest + ", 0)) " +
		"ELSE greatest(round(coalesce(" + sums + ".liability, 0) * coalesce(f.prepaid_share, 1), 2) + " + enteredAmounts +
		", 0) END"
}

// summedDue sums up the live filings of dueOf, and finds the credit that is offered to each. fromSummedDue joins both.
var (
	summedDue = `
	WITH d AS MATERIALIZED (SELECT f.organization_id, f.id` + dueOf + " AND" + live + `),
	k AS MATERIALIZED (SELECT organization_id, array_agg(id) AS ids FROM d GROUP BY 1),
	s AS MATERIALIZED (
	  SELECT p.* FROM k
	   CROSS JOIN LATERAL (` + ofEach(liveSumsOf("$2")) + `)
	         p (id, n, m, sales, taxable, tax, collected, liability)),
	offered AS MATERIALIZED (
	  SELECT p.* FROM k
	   CROSS JOIN LATERAL (` + ofEach(creditOffered) + `) p (id, prepaid, credit))`
	fromSummedDue = strings.Replace(dueOf, "WHERE", joinSums+"\n\t WHERE", 1)

	// moneyByDay adds up the amounts of open filings by day and currency.
	moneyByDay = pg.Prepare(summedDue+"SELECT f.due_date, f.currency, count(*), round(sum("+amountOrder+"), 2)::text"+
		fromSummedDue+" AND f.status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE') GROUP BY 1, 2 ORDER BY 1, 2", dueNames)
)

func scanDueMoney(row pgx.CollectableRow) (m models.DueMoney, err error) {
	err = row.Scan(&m.Due, &m.Currency, &m.Count, &m.Amount)
	return m, err
}

// selectDue returns the statement that reads a page of filings in an order. It is prepared for each page,
// because the order is the caller's.
func selectDue(order []models.Order, after *models.DuePosition) (statement pg.Statement, byAmount bool, err error) {
	var keys []string
	for _, o := range order {
		key, ok := dueOrders[o.Column]
		if !ok {
			return statement, false, fmt.Errorf("filings of many organizations cannot be sorted by %q", o.Column)
		}
		keys = append(keys, key+directionOf(o)+" NULLS LAST")
		byAmount = byAmount || o.Column == "amount"
	}
	keys = append(keys, "f.due_date", "f.organization_id", "f.id")
	sums, from, names := "", dueOf, slices.Clip(dueNames)
	if byAmount {
		sums, from = summedDue, fromSummedDue
	}
	if after != nil {
		if len(order) > 0 {
			return statement, false, errors.New("filings after a position have no other order than by due day")
		}
		from += " AND (f.due_date, f.organization_id, f.id) > (@after_due::date, @after_organization_id, @after_id)"
		names = append(names, "after_due", "after_organization_id", "after_id")
	}
	return pg.Prepare(sums+"SELECT "+filingRecord.Select("f")+", "+momentOf("f.organization_id")+", o.name"+from+
		" ORDER BY "+strings.Join(keys, ", ")+" LIMIT @limit OFFSET @offset",
		append(names, "limit", "offset")), byAmount, nil
}

// checkTooMany returns *models.InvalidError if a list by amount would sum up too many filings.
func checkTooMany(row pgx.Row) error { return checkSummed(row, "order_by") }

// checkSummed returns *models.InvalidError if what a parameter asks for would sum up too many filings.
func checkSummed(row pgx.Row, parameter string) error {
	var n int
	if err := row.Scan(&n); err != nil || n <= models.MostSummed {
		return err
	}
	return &models.InvalidError{Faults: []models.Fault{{
		Code: models.FieldTooMany, In: models.InQuery, Path: parameter,
		Message: fmt.Sprintf("%d filings that wait would have to be added up, and %d can be: "+
			"narrow the list down by status, state, days or organization.", n, models.MostSummed),
	}}}
}

var selectLiveAmounts = pg.Prepare(`
	SELECT f.id, (`+liveAmount("s", "offered")+`)::text
	  FROM {filing}
	  JOIN filings f ON f.organization_id = filing.organization_id AND f.id = filing.id
	  LEFT JOIN (`+ofMany(liveSumsOf("$2"))+`) s (id, n, m, sales, taxable, tax, collected, liability)
	       ON s.id = f.id
	  LEFT JOIN (`+ofMany(creditOffered)+`) offered (id, prepaid, credit) ON offered.id = f.id`, nil, filingRows)

// LiveAmounts returns a query of organization, id and amount of live filings. The rows k have an organization and the
// array ids of its filings.
func LiveAmounts(k string) string {
	return `
	SELECT f.organization_id, f.id, ` + liveAmount("s", "offered") + ` AS amount
	  FROM ` + k + ` k
	  JOIN filings f ON f.organization_id = k.organization_id AND f.id = ANY (k.ids)
	  LEFT JOIN (SELECT k.organization_id, p.* FROM ` + k + ` k
	   CROSS JOIN LATERAL (` + ofEach(liveSumsOf("$2")) + `)
	         p (id, n, m, sales, taxable, tax, collected, liability)) s ON s.organization_id = f.organization_id AND s.id = f.id
	  LEFT JOIN (SELECT k.organization_id, p.* FROM ` + k + ` k
	   CROSS JOIN LATERAL (` + ofEach(creditOffered) + `) p (id, prepaid, credit)) offered
	       ON offered.organization_id = f.organization_id AND offered.id = f.id
	 WHERE` + live
}

// LiveReturns returns the current sums of waiting filings and their unresolved transactions, by id.
// organizations[i] is the organization of ids[i].
func (s *Store) LiveReturns(ctx context.Context, organizations, ids []string) (map[string]models.LiveReturn, error) {
	ctx = models.AcrossOrganizations(ctx) // the statements name the organizations
	found, keys := make(map[string]models.LiveReturn, len(ids)), make([]filingKey, len(ids))
	for i, id := range ids {
		keys[i] = filingKey{organizations[i], id}
	}
	var id, amount string
	var u models.UnresolvedTransactions
	batch := &pgx.Batch{}
	of := filingRows.Of(keys)
	selectLiveAmounts.Queue(batch, nil, of).Query(pg.Each([]any{&id, &amount}, func() error {
		found[id] = models.LiveReturn{Amount: amount}
		return nil
	}))
	unresolvedOfMany.Queue(batch, []any{UnionReturns()}, of).Query(pg.Each(
		[]any{&id, &u.Transactions, &u.Amount}, func() error {
			f := found[id]
			f.Unresolved = u.Transactions
			found[id] = f
			return nil
		}))
	return found, pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// dueArguments returns the arguments of dueOf. No slice is nil, because that would be NULL and match nothing.
func dueArguments(visible models.Visibility, f models.DueFilter) []any {
	return []any{
		visible.All, append([]string{}, visible.OrganizationIDs...), f.OrganizationID, optionalDay(f.From),
		optionalDay(f.Until), append([]models.FilingStatus{}, f.Statuses...), append([]string{}, f.States...),
		append([]string{}, f.Countries...),
	}
}

func optionalDay(day time.Time) *time.Time {
	if day.IsZero() {
		return nil
	}
	return &day
}

type filingKey struct{ organizationID, id string }

var filingRows = pg.RowsOf("filing",
	pg.Col("organization_id", "text", func(f *filingKey) *string { return &f.organizationID }),
	pg.Col("id", "text", func(f *filingKey) *string { return &f.id }),
)

// ofMany changes a statement about filings $2 of an organization $1 to one about {filing}. A page may have as many
// organizations as filings, and planning the statement for each of them would take longer than running it.
func ofMany(statement string) string {
	return `
	WITH k AS MATERIALIZED (SELECT organization_id, array_agg(id) AS ids FROM {filing} GROUP BY 1)
	SELECT p.* FROM k
	 CROSS JOIN LATERAL (` + ofEach(statement) + `) p`
}

// ofEach changes a statement about filings $2 of an organization $1 to one about those of each row k.
func ofEach(statement string) string {
	return strings.NewReplacer("$1", "k.organization_id", "$2", "k.ids", "$3", "@union_returns").Replace(statement)
}

var (
	liveSumsOfMany   = pg.Prepare(ofMany(liveSumsOf("$2")), nil, filingRows)
	offeredOfMany    = pg.Prepare(ofMany(creditOffered), nil, filingRows)
	pendingOfMany    = pg.Prepare(ofMany(pendingOf), nil, filingRows)
	unresolvedOfMany = pg.Prepare(ofMany(unresolvedOf), pg.Names{"union_returns"}, filingRows)
)

var lackingOfMany = pg.Prepare(`
	SELECT f.id, `+LackingData(Wanted("@wants"), "f.end_date",
	"CASE f.filing_category WHEN 'PREPAYMENT' THEN 'MONTHLY' ELSE coalesce(f.filing_frequency, '') END")+`
	  FROM {filing}
	  JOIN filings f ON f.organization_id = filing.organization_id AND f.id = filing.id
	  JOIN registrations r ON r.organization_id = f.organization_id AND r.id = f.registration_id`, pg.Names{"wants"}, filingRows)

// queueLacking adds the statement that reads what data filings lack.
func queueLacking(batch *pgx.Batch, filings []models.DueFiling, keys []filingKey, wants models.ReturnWants) {
	var id string
	var lacking []string
	lackingOfMany.Queue(batch, []any{WantsJSON(wants)}, filingRows.Of(keys)).Query(pg.Each([]any{&id, &lacking}, func() error {
		for i := range filings {
			if filings[i].ID == id {
				filings[i].Lacking = slices.Clone(lacking)
			}
		}
		return nil
	}))
}

// queueDueParts adds the statements that complete filings of many organizations for a list.
func queueDueParts(batch *pgx.Batch, filings []models.DueFiling, wants models.ReturnWants) {
	byID := make(map[string]*models.Filing, len(filings))
	var all, live []filingKey
	for i := range filings {
		f := &filings[i].Filing
		byID[f.ID] = f
		ref := filingKey{f.OrganizationID, f.ID}
		all = append(all, ref)
		if f.Status.Live() {
			live = append(live, ref)
		}
	}
	if all != nil {
		queueLacking(batch, filings, all, wants)
		unresolvedOfMany.Queue(batch, []any{UnionReturns()}, filingRows.Of(all)).Query(intoUnresolved(byID))
	}
	if live != nil {
		liveSumsOfMany.Queue(batch, nil, filingRows.Of(live)).Query(intoLiveSums(byID))
		offeredOfMany.Queue(batch, nil, filingRows.Of(live)).Query(intoSettled(byID))
		pendingOfMany.Queue(batch, nil, filingRows.Of(live)).Query(intoPending(byID))
	}
}
