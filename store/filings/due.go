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

// dueOf are the filings that somebody sees: $1 all, $2 of these organizations and their clients, $3 only of this
// one, unless it is empty; $4 and $5 the days, $6 statuses, $7 states, $8 countries.
const dueOf = `
	  FROM filings f JOIN organizations o ON o.id = f.organization_id AND o.status = 'ACTIVE'
	 WHERE ($1 OR o.id = ANY ($2) OR o.parent_organization_id = ANY ($2)) AND ($3 = '' OR f.organization_id = $3)
	   AND f.due_date >= coalesce($4::date, '-infinity') AND f.due_date <= coalesce($5::date, 'infinity')
	   AND (cardinality($6::text[]) = 0 OR f.status = ANY ($6))
	   AND (cardinality($7::text[]) = 0 OR f.state_code = ANY ($7))
	   AND (cardinality($8::text[]) = 0 OR f.country_code = ANY ($8))`

// ListDueFilings lists the filings of all organizations that are seen. order may name "due_date", "amount" and
// "organization_name". What is live is summed up for the page alone, in one round trip, unless the amount decides what
// is on the page. Errors: *models.InvalidError for more live filings than a list by amount sums up.
func (s *Store) ListDueFilings(
	ctx context.Context, visible models.Visibility, f models.DueFilter, order []models.Order, page models.Page,
) (models.DueList, error) {
	ctx = models.AcrossOrganizations(ctx) // the organizations are chosen by the statements
	list := models.DueList{Counts: []models.DueCount{}}
	args := dueArguments(visible, f)
	selected, byAmount, err := selectDue(order)
	if err != nil {
		return list, err
	}
	err = s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) error {
		begin.Queue(longRead)
		if byAmount {
			begin.Queue("SELECT count(*)"+dueOf+" AND"+live, args...).QueryRow(refuseTooMany)
			if err := conn.Send(ctx, begin); err != nil {
				return err
			}
			begin = &pgx.Batch{}
		}
		begin.Queue("SELECT count(*)"+dueOf, args...).QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
		if f.IsCalendar() {
			begin.Queue("SELECT f.due_date, f.status, count(*)"+dueOf+" GROUP BY 1, 2 ORDER BY 1, 2",
				args...).Query(pg.All(&list.Counts, pgx.RowToStructByPos[models.DueCount]))
		}
		begin.Queue(selected, append(args[:8:8], page.Limit, page.Offset)...).Query(pg.All(&list.Items, scanDueFiling))
		if err := conn.Send(ctx, begin); err != nil {
			return err
		}
		parts := &pgx.Batch{}
		queueDueParts(parts, list.Items)
		conn.Commit(parts)
		return conn.Send(ctx, parts)
	})
	return list, err
}

// live is the condition on filings f whose amount is what their transactions add up to now.
const live = " f.status IN ('UNFILED', 'PAUSED')"

// besidesTax is what of the amount of a filing f people enter.
const besidesTax = "f.amount_adjusted - f.amount_discounts + f.amount_fees + f.amount_penalties"

// dueOrders are the expressions by which a list over organizations is sorted.
var dueOrders = map[string]string{
	"due_date": "f.due_date", "organization_name": "o.name_key",
	"amount": "coalesce(s.liability, f.total_tax_liability) + " + besidesTax,
}

// selectDue reads a page of filings in an order, $9 its length and $10 where it begins.
func selectDue(order []models.Order) (sql string, byAmount bool, err error) {
	var keys []string
	for _, o := range order {
		key, ok := dueOrders[o.Column]
		if !ok {
			return "", false, fmt.Errorf("filings of many organizations cannot be sorted by %q", o.Column)
		}
		keys = append(keys, key+directionOf(o)+" NULLS LAST")
		byAmount = byAmount || o.Column == "amount"
	}
	keys = append(keys, "f.due_date", "f.organization_id", "f.id")
	sums, from := "", dueOf
	if byAmount {
		sums = `
	WITH d AS MATERIALIZED (SELECT f.organization_id, f.id` + dueOf + " AND" + live + `),
	k AS MATERIALIZED (SELECT organization_id, array_agg(id) AS ids FROM d GROUP BY 1),
	s AS MATERIALIZED (
	  SELECT p.* FROM k
	   CROSS JOIN LATERAL (` + strings.NewReplacer("$1", "k.organization_id", "$2", "k.ids").Replace(liveSumsOf("$2")) + `)
	         p (id, n, m, sales, taxable, tax, collected, liability))`
		from = strings.Replace(dueOf, "WHERE", "LEFT JOIN s ON s.id = f.id\n\t WHERE", 1)
	}
	return sums + "SELECT " + filingRecord.Select("f") + ", (now() AT TIME ZONE 'UTC')::date, o.name" + from +
		" ORDER BY " + strings.Join(keys, ", ") + " LIMIT $9 OFFSET $10", byAmount, nil
}

// refuseTooMany reads how many filings would be summed up for a list by amount.
func refuseTooMany(row pgx.Row) error {
	var n int
	if err := row.Scan(&n); err != nil || n <= models.MostSummed {
		return err
	}
	return &models.InvalidError{Faults: []models.Fault{{
		Code: models.FieldTooMany, In: models.InQuery, Path: "order_by",
		Message: fmt.Sprintf("%d filings that wait would have to be added up, and %d can be: "+
			"narrow the list down by status, state, days or organization.", n, models.MostSummed),
	}}}
}

// LiveReturns are what filings that wait add up to now, and what keeps them, by their ids. ids are of organizations,
// entry by entry.
func (s *Store) LiveReturns(ctx context.Context, organizations, ids []string) (map[string]models.LiveReturn, error) {
	ctx = models.AcrossOrganizations(ctx) // they are named
	found := make(map[string]models.LiveReturn, len(ids))
	var id, amount string
	var u models.UnresolvedTransactions
	batch := &pgx.Batch{}
	batch.Queue(`
		SELECT f.id, (coalesce(s.liability, 0) + `+besidesTax+`)::text
		  FROM unnest($1::text[], $2::text[]) u (organization_id, id)
		  JOIN filings f ON f.organization_id = u.organization_id AND f.id = u.id
		  LEFT JOIN (`+liveSumsOfMany+`) s (id, n, m, sales, taxable, tax, collected, liability)
		       ON s.id = f.id`, organizations, ids).Query(pg.Each([]any{&id, &amount}, func() error {
		found[id] = models.LiveReturn{Amount: amount}
		return nil
	}))
	batch.Queue(unresolvedOfMany, organizations, ids, UnionReturns()).Query(pg.Each(
		[]any{&id, &u.Transactions, &u.Amount}, func() error {
			f := found[id]
			f.Unresolved = u.Transactions
			found[id] = f
			return nil
		}))
	return found, pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// dueArguments are those of dueOf. No slice is nil: that would be NULL, of which nothing is true.
func dueArguments(visible models.Visibility, f models.DueFilter) []any {
	return []any{
		visible.All, append([]string{}, visible.OrganizationIDs...), f.OrganizationID, dayOrNone(f.From),
		dayOrNone(f.Until), append([]models.FilingStatus{}, f.Statuses...), append([]string{}, f.States...),
		append([]string{}, f.Countries...),
	}
}

func dayOrNone(day time.Time) *time.Time {
	if day.IsZero() {
		return nil
	}
	return &day
}

// ofMany is a statement about filings $2 of an organization $1 as one about filings of many: $1 and $2 are as long as
// each other then. A page is of as many organizations as it has filings, and to plan the statement for each of them
// would take longer than to execute it.
func ofMany(statement string) string {
	return `
	WITH k AS MATERIALIZED (
	  SELECT u.organization_id, array_agg(u.id) AS ids
	    FROM unnest($1::text[], $2::text[]) AS u (organization_id, id) GROUP BY 1)
	SELECT p.* FROM k
	 CROSS JOIN LATERAL (` + strings.NewReplacer("$1", "k.organization_id", "$2", "k.ids").Replace(statement) + `) p`
}

var (
	liveSumsOfMany   = ofMany(liveSumsOf("$2"))
	pendingOfMany    = ofMany(pendingOf)
	unresolvedOfMany = ofMany(unresolvedOf)
)

// queueDueParts adds the statements that complete filings of many organizations by what a list of them shows.
func queueDueParts(batch *pgx.Batch, filings []models.DueFiling) {
	byID := make(map[string]*models.Filing, len(filings))
	var all, live [2][]string // organizations, and ids
	for i := range filings {
		f := &filings[i].Filing
		byID[f.ID] = f
		all[0], all[1] = append(all[0], f.OrganizationID), append(all[1], f.ID)
		if f.Status.Live() {
			live[0], live[1] = append(live[0], f.OrganizationID), append(live[1], f.ID)
		}
	}
	if all[0] != nil {
		batch.Queue(unresolvedOfMany, all[0], all[1], UnionReturns()).Query(intoUnresolved(byID))
	}
	if live[0] != nil {
		batch.Queue(liveSumsOfMany, live[0], live[1]).Query(intoLiveSums(byID))
		batch.Queue(pendingOfMany, live[0], live[1]).Query(intoPending(byID))
	}
}
