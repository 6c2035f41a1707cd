package ledger

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/models/ledger"
	"levy/store/pg"
)

// The columns that contents need, and a few more.
var (
	transactionRead = pg.MappingOf[models.Transaction]().Without("sent", "place", "origin", "certainty",
		"requires_exemption", "tax_id")
	itemRead    = pg.MappingOf[models.TransactionItem]()
	addressRead = pg.MappingOf[models.TransactionAddress]()
)

// entry is the row of the audit trail that tells of a version.
type entry struct {
	action   string
	revision int
	leaf     []byte
}

// record is a transaction with all that is compared of it.
type record struct {
	id       string
	versions map[int]*models.Transaction // by number; that in force too
	current  int                         // the number of the version in force; 0 if the transaction is missing
	totals   []models.AuthorityTotal
	strange  bool // a total has another day, currency or marketplace than its transaction
	entries  []entry
	// archivedLater tells that a version was accepted with another status than ARCHIVED.
	archivedLater bool
	leaves        []ledger.Leaf // of decisions, and of versions of earlier releases
}

// page are the transactions between two ids.
type page struct {
	*verification

	after, to string
	records   map[string]*record
	size      int64 // how many transactions there are
}

func (p *page) of(id string) *record {
	r := p.records[id]
	if r == nil {
		r = &record{id: id, versions: map[int]*models.Transaction{}}
		p.records[id] = r
	}
	return r
}

// read reads all that is compared of the transactions.
func (p *page) read(ctx context.Context) error {
	for _, read := range []func(context.Context) error{
		p.readVersions, p.readItems, p.readAddresses, p.readTotals, p.readEntries,
	} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// compare compares the transactions with their leaves, in the order of their ids.
func (p *page) compare(ctx context.Context) error {
	if err := p.readLeaves(ctx); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(p.records)) {
		if err := p.compareRecord(ctx, p.records[id]); err != nil || p.Broken != "" {
			return err
		}
	}
	return nil
}

// between is the condition on ids of a page, of table t.
const between = " t.organization_id = $1 AND t.%[1]s > $2 AND t.%[1]s <= $3"

func (p *page) query(ctx context.Context, sql string) (pgx.Rows, error) {
	return p.tx.Query(ctx, sql, p.organizationID, p.after, p.to)
}

var selectVersions = "SELECT 0, " + transactionRead.Select("t") + " FROM transactions t WHERE" + of("id") + `
	UNION ALL
	SELECT t.revision, ` + transactionRead.Select("v") + ` FROM transaction_revisions t
	 CROSS JOIN LATERAL jsonb_populate_record(NULL::transactions, t.body -> 'transaction') v WHERE` +
	of("transaction_id")

func (p *page) readVersions(ctx context.Context) error {
	rows, err := p.query(ctx, selectVersions)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		t, replaced := &models.Transaction{}, 0
		if err := rows.Scan(append([]any{&replaced}, transactionRead.Targets(t)...)...); err != nil {
			return err
		}
		r := p.of(t.ID)
		if replaced == 0 {
			r.current = t.Revision
		}
		r.versions[t.Revision] = t
	}
	return rows.Err()
}

// selectParts reads the parts of versions: of those in force from their table, of replaced ones from where they are kept.
func selectParts(table, member, columns string) string {
	return "SELECT 0, " + columns + " FROM " + table + " v JOIN transactions t ON t.organization_id = v.organization_id" +
		" AND t.id = v.transaction_id WHERE" + of("id") + `
	UNION ALL
	SELECT t.revision, ` + columns + ` FROM transaction_revisions t
	 CROSS JOIN LATERAL jsonb_populate_recordset(NULL::` + table + `, t.body -> '` + member + `') v WHERE` +
		of("transaction_id")
}

// readParts reads parts and adds each to its version.
func readParts[T any](
	ctx context.Context, p *page, sql string, targets func(*T) []any, id func(*T) string,
	add func(*models.Transaction, *T),
) error {
	rows, err := p.query(ctx, sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		part, revision := new(T), 0
		if err := rows.Scan(append([]any{&revision}, targets(part)...)...); err != nil {
			return err
		}
		r := p.of(id(part))
		if revision == 0 {
			revision = r.current
		}
		if version := r.versions[revision]; version != nil { // it is named as missing
			add(version, part)
		}
	}
	return rows.Err()
}

var selectItems = selectParts("transaction_items", "items", itemRead.Select("v"))

func (p *page) readItems(ctx context.Context) error {
	err := readParts(ctx, p, selectItems, itemRead.Targets,
		func(i *models.TransactionItem) string { return i.TransactionID },
		func(t *models.Transaction, i *models.TransactionItem) { t.Items = append(t.Items, *i) })
	for _, r := range p.records {
		for _, t := range r.versions {
			slices.SortFunc(t.Items, func(a, b models.TransactionItem) int { return a.LineNo - b.LineNo })
		}
	}
	return err
}

var selectAddresses = selectParts("transaction_addresses", "addresses", addressRead.Select("v"))

func (p *page) readAddresses(ctx context.Context) error {
	return readParts(ctx, p, selectAddresses, addressRead.Targets,
		func(a *models.TransactionAddress) string { return a.TransactionID },
		func(t *models.Transaction, a *models.TransactionAddress) { t.Addresses = append(t.Addresses, *a) })
}

var selectTotals = `SELECT t.id, x.tax_date <> t.tax_date OR x.marketplace <> t.marketplace
	       OR x.currency <> t.destination_currency, x.country_code, x.state_code, x.member_code, x.sales, x.taxable,
	       x.tax, x.collected, x.liability, coalesce(x.liability_case, 0), coalesce(x.over_collected, 0),
	       coalesce(x.under_collected, 0), x.form_tax, coalesce(x.beyond_rounding, false), x.places
	  FROM transactions t
	  JOIN transaction_totals x ON x.organization_id = t.organization_id AND x.transaction_id = t.id AND x.epoch = t.epoch
	 WHERE` + of("id")

func (p *page) readTotals(ctx context.Context) error {
	rows, err := p.query(ctx, selectTotals)
	_, err = pg.Collect(rows, err, func(row pgx.CollectableRow) (struct{}, error) {
		var id string
		var strange bool
		var a models.AuthorityTotal
		err := row.Scan(&id, &strange, &a.CountryCode, &a.StateCode, &a.MemberCode, &a.Sales, &a.Taxable, &a.Tax,
			&a.Collected, &a.Liability, &a.Case, &a.OverCollected, &a.UnderCollected, &a.FormTax, &a.BeyondRounding, &a.Places)
		r := p.of(id)
		r.totals, r.strange = append(r.totals, a), r.strange || strange
		return struct{}{}, err
	})
	return err
}

var selectEntries = `SELECT t.entity_id, t.action, coalesce(t.revision, 0), t.leaf FROM audit t
	 WHERE t.entity_type = 'transaction' AND t.action IN ('create', 'update', 'archive') AND` + of("entity_id") + `
	 ORDER BY t.id`

func (p *page) readEntries(ctx context.Context) error {
	rows, err := p.query(ctx, selectEntries)
	var id string
	var e entry
	return pg.ForEach(rows, err, []any{&id, &e.action, &e.revision, &e.leaf}, func() error {
		r := p.of(id)
		r.entries = append(r.entries, e)
		return nil
	})
}

func (p *page) readLeaves(ctx context.Context) error {
	leaves, err := p.decided.until(ctx, p.to)
	for _, l := range leaves {
		r := p.of(l.ID)
		r.leaves = append(r.leaves, l)
	}
	return err
}
