package filings

import (
	"context"
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
		byOrganization := split(found)
		for organization, filings := range byOrganization {
			queueFilingParts(parts, models.Scope{OrganizationID: organization}, filings)
		}
		conn.Commit(parts)
		if err := conn.Send(ctx, parts); err != nil {
			return err
		}
		found = join(found, byOrganization)
		return nil
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

// split puts filings together by their organization, in their order.
func split(filings []models.Filing) map[string][]models.Filing {
	by := map[string][]models.Filing{}
	for _, f := range filings {
		by[f.OrganizationID] = append(by[f.OrganizationID], f)
	}
	return by
}

// join puts filings that were split back into their order.
func join(order []models.Filing, by map[string][]models.Filing) []models.Filing {
	for i := range order {
		of := order[i].OrganizationID
		order[i], by[of] = by[of][0], by[of][1:]
	}
	return order
}
