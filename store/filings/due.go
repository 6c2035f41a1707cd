package filings

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// dueOf are the filings that somebody sees: $1 all, $2 of these organizations and their clients, $3 only of this
// one, unless it is empty; $4 and $5 the days, $6 statuses, $7 states.
const dueOf = `
	  FROM filings f JOIN organizations o ON o.id = f.organization_id AND o.status = 'ACTIVE'
	 WHERE ($1 OR o.id = ANY ($2) OR o.parent_organization_id = ANY ($2)) AND ($3 = '' OR f.organization_id = $3)
	   AND f.due_date >= coalesce($4::date, '-infinity') AND f.due_date <= coalesce($5::date, 'infinity')
	   AND (cardinality($6::text[]) = 0 OR f.status = ANY ($6)) AND (cardinality($7::text[]) = 0 OR f.state_code = ANY ($7))`

// ListDueFilings lists the filings of all organizations that are seen, the first due first. What is live is
// summed up for the page alone, in one round trip.
func (s *Store) ListDueFilings(
	ctx context.Context, sight models.Sight, f models.DueFilter, page models.Page,
) (models.DueList, error) {
	ctx = models.AcrossOrganizations(ctx) // the organizations are chosen by the statements
	list := models.DueList{Counts: []models.DueCount{}}
	args := dueArguments(sight, f)
	var found []models.Filing
	var names []*string
	err := s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) error {
		begin.Queue(longRead)
		begin.Queue("SELECT count(*)"+dueOf, args...).QueryRow(func(row pgx.Row) error { return row.Scan(&list.Total) })
		if f.IsCalendar() {
			begin.Queue("SELECT f.due_date, f.status, count(*)"+dueOf+" GROUP BY 1, 2 ORDER BY 1, 2", args...).Query(func(rows pgx.Rows) (err error) {
				list.Counts, err = pgx.CollectRows(rows, pgx.RowToStructByPos[models.DueCount])
				return err
			})
		}
		begin.Queue("SELECT "+filingRecord.Select("f")+", (now() AT TIME ZONE 'UTC')::date, o.name"+dueOf+
			" ORDER BY f.due_date, f.organization_id, f.id LIMIT $8 OFFSET $9", append(args[:7:7], page.Limit, page.Offset)...).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					filing, name, err := scanNamedFiling(rows)
					if err != nil {
						return err
					}
					found, names = append(found, filing), append(names, name)
				}
				return rows.Err()
			})
		if err := conn.Send(ctx, begin); err != nil {
			return err
		}
		parts := &pgx.Batch{}
		queueDueParts(parts, found)
		conn.Commit(parts)
		return conn.Send(ctx, parts)
	})
	list.Items = make([]models.DueFiling, len(found))
	for i := range found {
		list.Items[i] = models.DueFiling{Filing: found[i], OrganizationName: names[i]}
	}
	return list, err
}

func dueArguments(sight models.Sight, f models.DueFilter) []any {
	organizations, statuses, states := sight.OrganizationIDs, f.Statuses, f.States
	if organizations == nil {
		organizations = []string{}
	}
	if statuses == nil {
		statuses = []models.FilingStatus{}
	}
	if states == nil {
		states = []string{}
	}
	return []any{sight.All, organizations, f.OrganizationID, dayOrNone(f.From), dayOrNone(f.Until), statuses, states}
}

func dayOrNone(day time.Time) *time.Time {
	if day.IsZero() {
		return nil
	}
	return &day
}

// ofMany is a statement about filings $2 of an organization $1 as one about filings of many: $1 and $2 are as long as each
// other then. A page is of as many organizations as it has filings, and to plan the statement for each of them would take
// longer than to execute it.
func ofMany(statement string) string {
	return `
	WITH k AS MATERIALIZED (
	  SELECT u.organization_id, array_agg(u.id) AS ids FROM unnest($1::text[], $2::text[]) AS u (organization_id, id) GROUP BY 1)
	SELECT p.* FROM k CROSS JOIN LATERAL (` + strings.NewReplacer("$1", "k.organization_id", "$2", "k.ids").Replace(statement) + `) p`
}

var (
	liveSumsOfMany   = ofMany(liveSumsOf("$2"))
	pendingOfMany    = ofMany(pendingOf)
	unresolvedOfMany = ofMany(unresolvedOf)
)

// queueDueParts adds the statements that complete filings of many organizations by what a list of them shows.
func queueDueParts(batch *pgx.Batch, filings []models.Filing) {
	byID := make(map[string]*models.Filing, len(filings))
	var all, live [2][]string // organizations, and ids
	for i := range filings {
		f := &filings[i]
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
