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
	products     map[pg.Key]models.Product   // by external id: id, name, description, class
	customers    map[pg.Key]*models.Customer // by external id
	transactions map[pg.Key]string           // external id -> id
	ids          map[pg.Key]bool             // existing ids of other records
	rounding     map[string]*string          // units of the organizations whose drafts have none
}

// LATERAL restricts these statements to look-ups by key, so that their plans may be cached.
var (
	selectProductsByExternalID = pg.Prepare(`
		SELECT p.organization_id, p.external_id, p.id, p.name, p.description, p.tax_class
		  FROM {key}
		 CROSS JOIN LATERAL (
		   SELECT * FROM products x WHERE x.organization_id = key.organization_id AND x.external_id = key.name OFFSET 0) p`,
		nil, pg.KeyRows)
	selectCustomersByExternalID = pg.Prepare(`
		SELECT c.organization_id, c.id, c.external_id, c.name, c.status, c.email, c.phone, c.street_1, c.street_2,
		       c.city, c.county,
		       c.state, c.postal_code, c.country, c.full_address, c.address_status, c.source, c.connection_id,
		       c.registration_number,
		       c.external_friendly_id, c.tax_registrations, c.created_at, c.updated_at
		  FROM {key}
		 CROSS JOIN LATERAL (
		   SELECT * FROM customers x WHERE x.organization_id = key.organization_id
		      AND x.external_id = key.name OFFSET 0) c`, nil, pg.KeyRows)
	SelectTransactionIDsByExternalID = pg.Prepare(`
		SELECT t.organization_id, t.external_id, t.id
		  FROM {key}
		 CROSS JOIN LATERAL (
		   SELECT * FROM transactions x
		    WHERE x.organization_id = key.organization_id AND x.external_id = key.name OFFSET 0) t`, nil, pg.KeyRows)
	selectExistingIDs = pg.Prepare(`
		SELECT key.organization_id, key.name
		  FROM {key}
		 WHERE EXISTS (SELECT 1 FROM transactions r WHERE r.organization_id = key.organization_id AND r.id = key.name)
		    OR EXISTS (SELECT 1 FROM customers r WHERE r.organization_id = key.organization_id AND r.id = key.name)
		    OR EXISTS (SELECT 1 FROM exemptions r WHERE r.organization_id = key.organization_id AND r.id = key.name)
		    OR EXISTS (SELECT 1 FROM filings r WHERE r.organization_id = key.organization_id AND r.id = key.name)
		    OR EXISTS (SELECT 1 FROM registrations r WHERE r.organization_id = key.organization_id AND r.id = key.name)`,
		nil, pg.KeyRows)
)

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
		found, err := collectCustomers(rows)
		for _, c := range found {
			known.customers[pg.KeyOf(c.OrganizationID, c.ExternalID)] = c
		}
		return err
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
	selectProductsByExternalID.Queue(batch, nil, pg.KeyRows.Of(products.Keys)).Query(pg.Each([]any{
		&p.OrganizationID, &p.ExternalID, &p.ID, &p.Name, &p.Description, &p.TaxClass,
	}, func() error {
		r.products[pg.KeyOf(p.OrganizationID, p.ExternalID)] = p
		return nil
	}))
}

// queueExternalIDs adds the look-up of transactions by external id.
func (r *references) queueExternalIDs(batch *pgx.Batch, externalIDs pg.KeySet) {
	SelectTransactionIDsByExternalID.Queue(batch, nil, pg.KeyRows.Of(externalIDs.Keys)).Query(func(rows pgx.Rows) error {
		var organizationID, externalID, id string
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &externalID, &id}, func() error {
			r.transactions[pg.KeyOf(organizationID, externalID)] = id
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

// collectCustomers reads the columns of selectCustomersByExternalID.
func collectCustomers(rows pgx.Rows) ([]*models.Customer, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*models.Customer, error) {
		c := &models.Customer{}
		err := row.Scan(&c.OrganizationID, &c.ID, &c.ExternalID, &c.Name, &c.Status, &c.Email, &c.Phone,
			&c.Street1, &c.Street2, &c.City,
			&c.County, &c.State, &c.PostalCode, &c.Country, &c.FullAddress, &c.AddressStatus, &c.Source, &c.ConnectionID,
			&c.RegistrationNumber, &c.ExternalFriendlyID, &c.TaxRegistrations, &c.CreatedAt, &c.UpdatedAt)
		return c, err
	})
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
