package work

import (
	"context"
	"strconv"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// searches are the statements that find records. $4 is the text, $5 the LIKE pattern that contains it.
// After the title come place, status and period, which only returns and registrations have. Parts of transaction
// identifiers and customer names are found by trigram indexes, which need three characters. A whole identifier is found
// by its own index, for each organization. LIMIT keeps the planner from reading the whole table.
var searches = []struct {
	statement string
	long      bool // only for three characters or more
	short     bool // only for fewer
}{
	{statement: `SELECT 'ORGANIZATION', s.id, s.name, s.id, coalesce(s.name, s.id), '', '', NULL::date, NULL::date
		FROM seen s JOIN organizations o ON o.id = s.id
		WHERE s.name ILIKE $5 OR ` + pg.Trimmed("o.external_id") + ` = $4 OR s.id = $4 ORDER BY s.name, s.id`},
	{statement: `SELECT 'TRANSACTION', s.id, s.name, t.id, t.external_id, '', '', NULL::date, NULL::date
		FROM transactions t JOIN seen s ON s.id = t.organization_id
		WHERE (t.external_id COLLATE "default") ILIKE $5 ORDER BY t.external_id = $4 DESC, t.date DESC, t.id`, long: true},
	{statement: `SELECT 'TRANSACTION', s.id, s.name, t.id, t.external_id, '', '', NULL::date, NULL::date
		FROM seen s CROSS JOIN LATERAL (
		  SELECT * FROM transactions WHERE organization_id = s.id AND id = (` +
		pg.ByExternalID("transactions", "s.id", "$4") + `)) t
		ORDER BY t.date DESC, t.id`,
		short: true},
	{statement: `SELECT 'TRANSACTION', s.id, s.name, t.id, t.external_id, '', '', NULL::date, NULL::date
		FROM seen s JOIN transactions t ON t.organization_id = s.id AND t.id = $4
		WHERE starts_with($4, 'txn_')`},
	{statement: `SELECT 'FILING', s.id, s.name, f.id,
		  coalesce(f.state_name, f.state_code) || ' ' || f.start_date || ' – ' || f.end_date || ', ' || f.status,
		  coalesce(f.state_name, f.state_code), f.status, f.start_date, f.end_date
		FROM seen s JOIN filings f ON f.organization_id = s.id
		WHERE f.id = $4 OR upper($4) IN (f.state_code, upper(f.state_name)) OR f.start_date::text LIKE $4 || '%'
		ORDER BY f.start_date DESC, f.id`},
	{statement: `SELECT 'REGISTRATION', s.id, s.name, r.id, r.state_name || ', ' || r.status, r.state_name, r.status,
	         NULL::date, NULL::date
		FROM seen s JOIN registrations r ON r.organization_id = s.id
		WHERE r.id = $4 OR upper($4) IN (r.state_code, upper(r.state_name)) ORDER BY r.state_name, r.id`},
	{statement: `SELECT 'CUSTOMER', s.id, s.name, c.id, coalesce(c.name, c.external_id), '', '', NULL::date, NULL::date
		FROM seen s JOIN (
		  SELECT e.organization_id, e.id, e.external_id, e.name
		    FROM seen s CROSS JOIN LATERAL (
		      SELECT * FROM customers WHERE organization_id = s.id AND id = (` +
		pg.ByExternalID("customers", "s.id", "$4") + `)) e
		  UNION
		  SELECT n.organization_id, n.id, n.external_id, n.name FROM customers n WHERE length($4) >= 3 AND n.name ILIKE $5
		) c ON c.organization_id = s.id
		ORDER BY ` + pg.Trimmed("c.external_id") + ` = $4 DESC, c.name, c.id`},
	{statement: `SELECT 'PRODUCT', s.id, s.name, p.id, coalesce(p.name, p.external_id), '', '', NULL::date, NULL::date
		FROM seen s JOIN products p ON p.organization_id = s.id
		WHERE p.name ILIKE $5 OR ` + pg.Trimmed("p.external_id") + ` = $4 ORDER BY p.name, p.id`},
}

// Search finds records of the visible organizations.
func (s *Store) Search(ctx context.Context, visible models.Visibility, text string) (models.SearchResults, error) {
	ctx = models.AcrossOrganizations(ctx) // the statements select the organizations
	found := models.SearchResults{Items: []models.Found{}, More: []string{}}
	batch := &pgx.Batch{}
	args := append(arguments(visible, models.ExceptionFilter{})[:3:3], text, pg.Containing(text))
	limit := " LIMIT " + strconv.Itoa(maxFound+1) // one more shows whether there are more
	for _, search := range searches {
		if long := utf8.RuneCountInString(text) >= 3; search.long && !long || search.short && long {
			continue
		}
		batch.Queue("WITH"+visibleOrganizations+", asked AS (SELECT $4::text, $5::text) "+search.statement+limit,
			args...).Query(func(rows pgx.Rows) error {
			of, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.Found])
			if len(of) > maxFound {
				of, found.More = of[:maxFound], append(found.More, of[0].Type)
			}
			found.Items = append(found.Items, of...)
			return err
		})
	}
	return found, pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// maxFound is the most records of a kind.
const maxFound = 10
