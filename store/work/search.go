package work

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/filings"
	"levy/store/pg"
)

// asked is a text that is looked for, and what it may be besides a name.
type asked struct {
	text   string
	long   bool   // it has three characters or more, as trigram indexes need
	amount string // with two decimals; "" if it is none
	email  bool
	number bool // it may be a tax id: it has five characters or more, among them a digit, and no @
}

// amountText is an amount as people write it, with or without a sign of the currency and separators of thousands.
var amountText = regexp.MustCompile(`^[$€£]? ?(\d{1,10}|\d{1,3}(?:,\d{3}){1,3})(\.\d{1,2})?$`)

func askedFor(text string) asked {
	n := utf8.RuneCountInString(text)
	q := asked{text: text, long: n >= 3, email: strings.Contains(text, "@")}
	q.number = n >= 5 && n <= 50 && strings.ContainsAny(text, "0123456789") && !q.email
	if m := amountText.FindStringSubmatch(text); m != nil {
		q.amount = strings.ReplaceAll(m[1], ",", "") + (m[2] + ".00"[len(m[2]):])
	}
	return q
}

// foundAndMore is the number of rows of a search: one more shows whether there are more.
var foundAndMore = strconv.Itoa(maxFound + 1)

// searchOf prepares a statement of searches. @pattern is the LIKE pattern that contains @text. @ids are stored forms of tax ids
// that equal the text.
func searchOf(statement string) pg.Statement {
	return pg.Prepare("WITH"+visibleOrganizations+", asked AS (SELECT @text::text, @pattern::text, @amount::numeric, @ids::text[]) "+
		statement+" LIMIT "+foundAndMore, viewer.And("text", "pattern", "amount", "ids"))
}

// byExternalID returns the records of a table whose external id is @text, exact or padded, of each visible organization. Each OFFSET
// keeps the planner from joining the organizations with the whole table: it expects more than the few rows that are found.
func byExternalID(table string) string {
	return `(
		  SELECT r.* FROM (
		    SELECT s.id AS organization_id, (` + pg.ByExternalID(table, "s.id", "@text") + `) AS id FROM seen s OFFSET 0) h
		   CROSS JOIN LATERAL (
		     SELECT * FROM ` + table + ` WHERE organization_id = h.organization_id AND id = h.id OFFSET 0) r
		   WHERE h.id IS NOT NULL)`
}

// documentOf are the columns of the amount of a transaction t, its currency and its instant.
const documentOf = `, (` + filings.DocumentTotal + `)::text, t.currency, t.date`

// noAmount are the columns of the amount, its currency and the instant for records without them.
const noAmount = `, NULL::text, NULL::text, NULL::timestamptz`

// searches are the statements that find records. After the title come place, status and period, which only returns and
// registrations have, then the amount with its currency, and the instant. Parts of transaction identifiers and customer names are
// found by trigram indexes, which need three characters. A whole identifier is found by its own index, for each organization. LIMIT
// keeps the planner from reading the whole table.
var searches = []struct {
	statement pg.Statement
	ids       bool              // it reads @ids: the others need not get thousands of texts
	only      func(*asked) bool // nil for any text
}{
	{statement: searchOf(`SELECT 'ORGANIZATION', s.id, s.name, s.id, coalesce(s.name, s.id), '', '', NULL::date, NULL::date` + noAmount + `
		FROM seen s JOIN organizations o ON o.id = s.id
		WHERE s.name ILIKE @pattern OR ` + pg.Trimmed("o.external_id") + ` = @text OR s.id = @text ORDER BY s.name, s.id`)},
	{statement: searchOf(`SELECT 'TRANSACTION', s.id, s.name, t.id, t.external_id, '', '', NULL::date, NULL::date` + documentOf + `
		FROM transactions t JOIN seen s ON s.id = t.organization_id
		WHERE (t.external_id COLLATE "default") ILIKE @pattern ORDER BY t.external_id = @text DESC, t.date DESC, t.id`),
		only: func(q *asked) bool { return q.long }},
	{statement: searchOf(`SELECT 'TRANSACTION', s.id, s.name, t.id, t.external_id, '', '', NULL::date, NULL::date` + documentOf + `
		FROM ` + byExternalID("transactions") + ` t JOIN seen s ON s.id = t.organization_id
		ORDER BY t.date DESC, t.id`),
		only: func(q *asked) bool { return !q.long }},
	{statement: searchOf(`SELECT 'TRANSACTION', s.id, s.name, t.id, t.external_id, '', '', NULL::date, NULL::date` + documentOf + `
		FROM seen s JOIN transactions t ON t.organization_id = s.id AND t.id = @text
		WHERE starts_with(@text, 'txn_')`)},
	{statement: searchOf(`SELECT 'TRANSACTION', s.id, s.name, t.id, t.external_id, '', '', NULL::date, NULL::date` + documentOf + `
		FROM seen s CROSS JOIN (VALUES (@amount::numeric), (-@amount::numeric)) v (amount) CROSS JOIN LATERAL (
		  SELECT * FROM transactions x WHERE x.organization_id = s.id AND x.total_amount = v.amount
		   ORDER BY x.id DESC LIMIT 11) t
		ORDER BY t.date DESC, t.id`), only: func(q *asked) bool { return q.amount != "" && strings.Trim(q.amount, "0.") != "" }},
	{statement: searchOf(`SELECT 'FILING', f.organization_id, f.name, f.id,
		  coalesce(f.state_name, f.state_code) || ' ' || f.start_date || ' – ' || f.end_date || ', ' || f.status,
		  coalesce(f.state_name, f.state_code), f.status, f.start_date, f.end_date,
		  (CASE WHEN f.claimed_at IS NOT NULL THEN ` + filings.AmountOf + ` ELSE f.open_amount END)::text, f.currency, NULL::timestamptz
		FROM (
		  SELECT s.name, a.amount AS open_amount, f.* FROM seen s JOIN filings f ON f.organization_id = s.id
		    LEFT JOIN filing_amounts a ON a.organization_id = f.organization_id AND a.filing_id = f.id
		   WHERE f.id = @text OR upper(@text) IN (f.state_code, upper(f.state_name), upper(f.return_confirmation_id),
		     upper(f.payment_confirmation_id)) OR @text ~ '^[0-9]' AND f.start_date::text LIKE @text || '%'
		     OR @amount::numeric <> 0 AND @amount::numeric IN (a.amount, f.tax_remitted, CASE WHEN f.claimed_at IS NOT NULL THEN ` +
		filings.AmountOf + ` END)
		   ORDER BY f.start_date DESC, f.id LIMIT ` + foundAndMore + `) f
		ORDER BY f.start_date DESC, f.id`)},
	{statement: searchOf(`SELECT 'REGISTRATION', s.id, s.name, r.id, r.state_name || ', ' || r.status, r.state_name, r.status,
	         NULL::date, NULL::date` + noAmount + `
		FROM seen s JOIN registrations r ON r.organization_id = s.id
		WHERE r.id = @text OR upper(@text) IN (r.state_code, upper(r.state_name)) OR r.sales_tax_id = ANY (@ids::text[])
		   OR r.tax_id = ANY (@ids::text[]) ORDER BY r.state_name, r.id`), ids: true},
	{statement: searchOf(`SELECT 'CUSTOMER', s.id, s.name, c.id, coalesce(c.name, c.external_id), '', '',
		  NULL::date, NULL::date` + noAmount + `
		FROM seen s JOIN (
		  SELECT e.organization_id, e.id, e.external_id, e.name FROM ` + byExternalID("customers") + ` e
		  UNION
		  SELECT n.organization_id, n.id, n.external_id, n.name FROM customers n WHERE length(@text) >= 3 AND n.name ILIKE @pattern
		) c ON c.organization_id = s.id
		ORDER BY ` + pg.Trimmed("c.external_id") + ` = @text DESC, c.name, c.id`)},
	{statement: searchOf(`SELECT 'CUSTOMER', s.id, s.name, c.id, coalesce(c.name, c.external_id), '', '',
		  NULL::date, NULL::date` + noAmount + `
		FROM seen s JOIN customers c ON c.organization_id = s.id AND lower(c.email) = lower(@text)
		ORDER BY c.name, c.id`), only: func(q *asked) bool { return q.email }},
	{statement: searchOf(`SELECT 'PRODUCT', s.id, s.name, p.id, coalesce(p.name, p.external_id), '', '', NULL::date, NULL::date` + noAmount + `
		FROM seen s JOIN products p ON p.organization_id = s.id
		WHERE p.name ILIKE @pattern OR ` + pg.Trimmed("p.external_id") + ` = @text ORDER BY p.name, p.id`)},
}

// Search finds records of the visible organizations. Errors: secret.ErrUnreadable, pg.ErrNoMasterKeys.
func (s *Store) Search(ctx context.Context, visible models.Visibility, text string) (models.SearchResults, error) {
	ctx = models.AcrossOrganizations(ctx) // the statements select the organizations
	q := askedFor(text)
	found := models.SearchResults{Items: []models.SearchRecord{}, More: []string{}}
	var amount any
	if q.amount != "" {
		amount = q.amount
	}
	seen := viewedBy(visible, "")
	rest := append(slices.Clip(seen), text, pg.Containing(text), amount)
	args := append(slices.Clip(rest), []string{})
	withIDs := args
	if q.number {
		ids, all, err := s.storedTaxIDs(ctx, seen, text)
		if err != nil {
			return found, err
		}
		if !all {
			found.More = append(found.More, "REGISTRATION")
		}
		withIDs = append(slices.Clip(rest), ids)
	}
	batch := &pgx.Batch{}
	for _, search := range searches {
		if search.only != nil && !search.only(&q) {
			continue
		}
		of := args
		if search.ids {
			of = withIDs
		}
		search.statement.Queue(batch, of).Query(func(rows pgx.Rows) error {
			records, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.SearchRecord])
			addFound(&found, records)
			return err
		})
	}
	return found, pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// addFound adds the results of a statement, each record once.
func addFound(found *models.SearchResults, of []models.SearchRecord) {
	if len(of) > maxFound {
		if !slices.Contains(found.More, of[0].Type) {
			found.More = append(found.More, of[0].Type)
		}
		of = of[:maxFound]
	}
	for _, record := range of {
		same := func(f models.SearchRecord) bool { return f.Type == record.Type && f.ID == record.ID }
		if !slices.ContainsFunc(found.Items, same) {
			found.Items = append(found.Items, record)
		}
	}
}

// mostSealed is the most organizations for which a tax id is looked for: each encrypts it in its own way.
var mostSealed = 20_000

// selectWithTaxIDs reads the visible organizations with tax ids.
var selectWithTaxIDs = pg.Prepare("WITH"+visibleOrganizations+`
	SELECT s.id FROM seen s
	 WHERE EXISTS (
	   SELECT FROM registrations r WHERE r.organization_id = s.id AND (r.sales_tax_id IS NOT NULL OR r.tax_id IS NOT NULL))
	 ORDER BY s.id LIMIT @at_most`, viewer.And("at_most"))

// storedTaxIDs returns the ways in which the visible organizations with tax ids store one. all is false if there are more.
func (s *Store) storedTaxIDs(ctx context.Context, visible []any, text string) (ids []string, all bool, err error) {
	rows, err := s.db.Query(ctx, selectWithTaxIDs.SQL, append(slices.Clip(visible), mostSealed+1)...)
	organizations, err := pg.Collect(rows, err, pgx.RowTo[string])
	if err != nil {
		return nil, false, err
	}
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return nil, false, err
	}
	ids = []string{text} // as a version from before stored it
	for _, id := range organizations[:min(len(organizations), mostSealed)] {
		ids = append(ids, key.Seal(id, text))
	}
	return ids, len(organizations) <= mostSealed, nil
}

// maxFound is the most records that a statement finds.
const maxFound = 10
