package transactions

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// references are the stored records that the drafts of a group name.
type references struct {
	xid          string                      // of the database transaction, to find out later whether it was committed
	products     map[pg.Key]models.Product   // by the name in the draft: id, name, description, class
	customers    map[pg.Key]*models.Customer // by the name in the draft
	transactions map[pg.Key]string           // by the name in the draft: id
	ids          map[pg.Key]bool             // existing ids of other records
	rounding     map[string]*string          // units of the organizations whose drafts have none
}

// These statements return each record with the name by which it was found.
var (
	selectProductsByExternalID  = selectByExternalID("products", "r.id, r.name, r.description, r.tax_class")
	selectCustomersByExternalID = selectByExternalID("customers", `r.id, r.external_id, r.name, r.status, r.email,
		r.phone, r.street_1, r.street_2, r.city, r.county, r.state, r.postal_code, r.country, r.full_address,
		r.address_status, r.source, r.connection_id, r.registration_number, r.external_friendly_id,
		r.tax_registrations, r.created_at, r.updated_at`)
	SelectTransactionIDsByExternalID = selectByExternalID("transactions", "r.id")
	selectExistingIDs                = pg.Prepare(`
		SELECT key.organization_id, key.name
		  FROM {key}
		 WHERE EXISTS (SELECT 1 FROM transactions r WHERE r.organization_id = key.organization_id AND r.id = key.name)
		    OR EXISTS (SELECT 1 FROM customers r WHERE r.organization_id = key.organization_id AND r.id = key.name)
		    OR EXISTS (SELECT 1 FROM exemptions r WHERE r.organization_id = key.organization_id AND r.id = key.name)
		    OR EXISTS (SELECT 1 FROM filings r WHERE r.organization_id = key.organization_id AND r.id = key.name)
		    OR EXISTS (SELECT 1 FROM registrations r WHERE r.organization_id = key.organization_id AND r.id = key.name)`,
		nil, pg.KeyRows)
)

// selectByExternalID returns the statement that reads columns of the records r with the external ids {key}. LATERAL
// restricts it to look-ups by key, so that its plan may be cached.
func selectByExternalID(table, columns string) pg.Statement {
	columns = "\n	SELECT key.organization_id, key.name, " + columns
	return pg.Prepare(columns+`
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT * FROM `+table+` x WHERE x.organization_id = key.organization_id AND x.external_id = key.name OFFSET 0) r
	 UNION ALL`+columns+`
	  FROM {key}
	 CROSS JOIN LATERAL (`+pg.PaddedRecord(table, "key.organization_id", "key.name")+`) r`, nil, pg.KeyRows)
}

// groupSettings plan by key alone, because the size of the tables does not matter here. A group that is its whole
// transaction stops waiting for a lock before the database checks for deadlocks (deadlock_timeout, 1 s).
// So of two transactions that wait for each other, the group gives up: it can be repeated, unlike a request that has
// written before.
const groupSettings = pg.PlanByKey + ", set_config('lock_timeout', '700ms', true)"

// readReferences begins the database transaction and reads all records that the drafts name, in one round trip.
func readReferences(ctx context.Context, conn *pg.Pipeline, drafts []*models.TransactionDraft) (*references, error) {
	batch := &pgx.Batch{}
	settings := groupSettings
	if conn.Nested() {
		settings = pg.PlanByKey
	}
	conn.Begin(batch, "")
	conn.Set(ctx, batch, settings)
	known := queueReferences(batch, drafts)
	return known, conn.Send(ctx, batch)
}

// queueReferences adds the look-ups to a batch. The references are complete once the batch was sent.
func queueReferences(batch *pgx.Batch, drafts []*models.TransactionDraft) *references {
	var products, customers, externalIDs, ids pg.KeySet
	for _, d := range drafts {
		for _, item := range d.Items {
			products.Add(d.OrganizationID, item.ExternalProductID)
		}
		customers.Add(d.OrganizationID, d.Customer.ExternalID)
		externalIDs.Add(d.OrganizationID, d.ExternalID)
		for _, id := range namedIDs(d) {
			ids.Add(d.OrganizationID, id)
		}
	}
	known := &references{
		products:     make(map[pg.Key]models.Product, len(products.Keys)),
		customers:    make(map[pg.Key]*models.Customer, len(customers.Keys)),
		transactions: map[pg.Key]string{},
		ids:          map[pg.Key]bool{},
	}
	batch.Queue("SELECT pg_current_xact_id()::text").QueryRow(func(row pgx.Row) error { return row.Scan(&known.xid) })
	known.queueProducts(batch, products)
	selectCustomersByExternalID.Queue(batch, nil, pg.KeyRows.Of(customers.Keys)).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			c, at := &models.Customer{}, pg.Key{}
			if err := rows.Scan(append([]any{&at.OrganizationID, &at.Name}, customerTargets(c)...)...); err != nil {
				return err
			}
			c.OrganizationID = at.OrganizationID
			known.customers[at] = c
		}
		return rows.Err()
	})
	known.queueExternalIDs(batch, externalIDs)
	known.queueRounding(batch, drafts)
	if len(ids.Keys) > 0 {
		var at pg.Key
		selectExistingIDs.Queue(batch, nil, pg.KeyRows.Of(ids.Keys)).Query(pg.Each(
			[]any{&at.OrganizationID, &at.Name}, func() error {
				known.ids[at] = true
				return nil
			}))
	}
	return known
}

// queueRounding adds the look-up of the units of rounding for drafts that name none.
func (r *references) queueRounding(batch *pgx.Batch, drafts []*models.TransactionDraft) {
	var organizations []string
	for _, d := range drafts {
		if d.TaxRounding == nil && !slices.Contains(organizations, d.OrganizationID) {
			organizations = append(organizations, d.OrganizationID)
		}
	}
	if organizations == nil {
		return
	}
	r.rounding = map[string]*string{}
	batch.Queue(`SELECT s.organization_id, s.rounding_unit FROM organization_settings s
	  WHERE s.organization_id = ANY ($1)`, organizations).Query(func(rows pgx.Rows) error {
		var organizationID, unit string
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &unit}, func() error {
			r.rounding[organizationID] = new(unit)
			return nil
		})
		return err
	})
}

// setRounding gives a draft that names no unit of rounding that of its organization.
func (r *references) setRounding(d *models.TransactionDraft) {
	// guard: rounding: a document keeps the unit that was in force when it was recorded
	if d.TaxRounding == nil {
		d.TaxRounding = r.rounding[d.OrganizationID]
	}
}

// KnownIDs returns which of ids belong to a transaction, customer, exemption, filing or registration of the
// organization.
func (s *Store) KnownIDs(ctx context.Context, scope models.Scope, ids []string) (map[string]bool, error) {
	keys := make([]pg.Key, len(ids))
	for i, id := range ids {
		keys[i] = pg.KeyOf(scope.OrganizationID, id)
	}
	known, at := map[string]bool{}, pg.Key{}
	rows, err := s.db.Query(pg.ByKey(ctx), selectExistingIDs.SQL, selectExistingIDs.Values(nil, pg.KeyRows.Of(keys))...)
	return known, pg.ForEach(rows, err, []any{&at.OrganizationID, &at.Name}, func() error {
		known[at.Name] = true
		return nil
	})
}

// queueProducts adds the look-up of products by external id.
func (r *references) queueProducts(batch *pgx.Batch, products pg.KeySet) {
	var p models.Product
	var at pg.Key
	selectProductsByExternalID.Queue(batch, nil, pg.KeyRows.Of(products.Keys)).Query(pg.Each([]any{
		&at.OrganizationID, &at.Name, &p.ID, &p.Name, &p.Description, &p.TaxClass,
	}, func() error {
		r.products[at] = p
		return nil
	}))
}

// queueExternalIDs adds the look-up of transactions by external id.
func (r *references) queueExternalIDs(batch *pgx.Batch, externalIDs pg.KeySet) {
	SelectTransactionIDsByExternalID.Queue(batch, nil, pg.KeyRows.Of(externalIDs.Keys)).Query(func(rows pgx.Rows) error {
		var at pg.Key
		var id string
		_, err := pgx.ForEachRow(rows, []any{&at.OrganizationID, &at.Name, &id}, func() error {
			r.transactions[at] = id
			return nil
		})
		return err
	})
}

// namedIDs returns the ids of other records that a draft refers to.
func namedIDs(d *models.TransactionDraft) []string {
	var ids []string
	if d.RelatedTo != nil {
		ids = append(ids, *d.RelatedTo)
	}
	for _, id := range []string{d.CustomerIDSent, d.FilingIDSent} {
		if id != "" {
			ids = append(ids, id)
		}
	}
	for _, link := range d.LinkedExemptions {
		ids = append(ids, link.ID)
	}
	return ids
}

// customerTargets returns the variables of the columns of selectCustomersByExternalID.
func customerTargets(c *models.Customer) []any {
	return []any{
		&c.ID, &c.ExternalID, &c.Name, &c.Status, &c.Email, &c.Phone, &c.Street1, &c.Street2, &c.City, &c.County, &c.State,
		&c.PostalCode, &c.Country, &c.FullAddress, &c.AddressStatus, &c.Source, &c.ConnectionID, &c.RegistrationNumber,
		&c.ExternalFriendlyID, &c.TaxRegistrations, &c.CreatedAt, &c.UpdatedAt,
	}
}

// customersJSON returns customers as a JSON array of rows of their table.
func customersJSON(customers []*models.Customer) string {
	rows := make([]map[string]any, len(customers))
	for i, c := range customers {
		rows[i] = make(map[string]any, len(customerRecord.Created))
		for _, column := range customerRecord.Created {
			value := column.Value(c)
			if value != nil && column.Cast == "jsonb" {
				rows[i][column.Name] = json.RawMessage(*value)
			} else {
				rows[i][column.Name] = value
			}
		}
	}
	return *pg.JSON(rows)
}
