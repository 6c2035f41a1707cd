package store

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// references is what the database knows of the things that a group of drafts names.
type references struct {
	xid          string                   // of the database transaction, to learn its fate later
	products     map[key]models.Product   // by external id: id, name, description
	customers    map[key]*models.Customer // by external id
	transactions map[key]string           // external id -> id
	ids          map[key]bool             // ids of further records that exist
}

// LATERAL keeps these to look-ups by key, so that their plans may be kept.
const (
	selectProductsByExternalID = `
		SELECT p.organization_id, p.external_id, p.id, p.name, p.description
		  FROM unnest($1::text[], $2::text[]) AS u(organization_id, external_id)
		 CROSS JOIN LATERAL (
		   SELECT * FROM products x WHERE x.organization_id = u.organization_id AND x.external_id = u.external_id OFFSET 0) p`
	selectCustomersByExternalID = `
		SELECT c.organization_id, c.id, c.external_id, c.name, c.status, c.email, c.phone, c.street_1, c.street_2, c.city, c.county,
		       c.state, c.postal_code, c.country, c.full_address, c.address_status, c.source, c.connection_id, c.registration_number,
		       c.external_friendly_id, c.tax_registrations, c.created_at, c.updated_at
		  FROM unnest($1::text[], $2::text[]) AS u(organization_id, external_id)
		 CROSS JOIN LATERAL (
		   SELECT * FROM customers x WHERE x.organization_id = u.organization_id AND x.external_id = u.external_id OFFSET 0) c`
	selectTransactionIDsByExternalID = `
		SELECT t.organization_id, t.external_id, t.id
		  FROM unnest($1::text[], $2::text[]) AS u(organization_id, external_id)
		 CROSS JOIN LATERAL (
		   SELECT * FROM transactions x WHERE x.organization_id = u.organization_id AND x.external_id = u.external_id OFFSET 0) t`
	selectExistingIDs = `
		SELECT u.organization_id, u.id
		  FROM unnest($1::text[], $2::text[]) AS u(organization_id, id)
		 WHERE EXISTS (SELECT 1 FROM transactions r WHERE r.organization_id = u.organization_id AND r.id = u.id)
		    OR EXISTS (SELECT 1 FROM customers r WHERE r.organization_id = u.organization_id AND r.id = u.id)
		    OR EXISTS (SELECT 1 FROM exemptions r WHERE r.organization_id = u.organization_id AND r.id = u.id)
		    OR EXISTS (SELECT 1 FROM filings r WHERE r.organization_id = u.organization_id AND r.id = u.id)`
)

// A group plans by key alone: nothing here depends on how much there is. One that is all
// there is in its transaction gives way before the database looks for deadlocks
// (deadlock_timeout, 1 s): of two that wait for each other it is the one that can be
// carried out again, not a request that has written already.
const (
	planByKey      = "SET LOCAL plan_cache_mode = force_generic_plan"
	planAndGiveWay = "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('lock_timeout', '700ms', true)"
)

// readReferences opens the database transaction and looks up everything that the
// drafts name, in one round trip.
func readReferences(ctx context.Context, conn *session, drafts []*models.TransactionDraft) (*references, error) {
	batch := &pgx.Batch{}
	conn.beginByKey(batch)
	if conn.nested {
		batch.Queue(planByKey)
	} else {
		batch.Queue(planAndGiveWay)
	}
	known := queueReferences(batch, drafts)
	return known, conn.send(ctx, batch)
}

// queueReferences adds the look-ups to a batch; afterwards the references hold what
// was found.
func queueReferences(batch *pgx.Batch, drafts []*models.TransactionDraft) *references {
	var products, customers, externalIDs, ids keySet
	for _, d := range drafts {
		for _, item := range d.Items {
			products.add(d.OrganizationID, item.ExternalProductID)
		}
		customers.add(d.OrganizationID, d.Customer.ExternalID)
		externalIDs.add(d.OrganizationID, d.ExternalID)
		for _, id := range namedIDs(d) {
			ids.add(d.OrganizationID, id)
		}
	}
	known := &references{
		products:     make(map[key]models.Product, len(products.names)),
		customers:    make(map[key]*models.Customer, len(customers.names)),
		transactions: map[key]string{},
		ids:          map[key]bool{},
	}
	batch.Queue("SELECT pg_current_xact_id()::text").QueryRow(func(row pgx.Row) error { return row.Scan(&known.xid) })
	known.queueProducts(batch, products)
	batch.Queue(selectCustomersByExternalID, customers.organizationIDs, customers.names).Query(func(rows pgx.Rows) error {
		found, err := collectCustomers(rows)
		for _, c := range found {
			known.customers[key{c.OrganizationID, c.ExternalID}] = c
		}
		return err
	})
	known.queueExternalIDs(batch, externalIDs)
	if len(ids.names) > 0 {
		batch.Queue(selectExistingIDs, ids.organizationIDs, ids.names).Query(func(rows pgx.Rows) error {
			var at key
			_, err := pgx.ForEachRow(rows, []any{&at.organizationID, &at.name}, func() error {
				known.ids[at] = true
				return nil
			})
			return err
		})
	}
	return known
}

// queueProducts adds the look-up of products by external id.
func (r *references) queueProducts(batch *pgx.Batch, products keySet) {
	batch.Queue(selectProductsByExternalID, products.organizationIDs, products.names).Query(func(rows pgx.Rows) error {
		var p models.Product
		_, err := pgx.ForEachRow(rows, []any{&p.OrganizationID, &p.ExternalID, &p.ID, &p.Name, &p.Description}, func() error {
			r.products[key{p.OrganizationID, p.ExternalID}] = p
			return nil
		})
		return err
	})
}

// queueExternalIDs adds the look-up of transactions by external id.
func (r *references) queueExternalIDs(batch *pgx.Batch, externalIDs keySet) {
	batch.Queue(selectTransactionIDsByExternalID, externalIDs.organizationIDs, externalIDs.names).Query(func(rows pgx.Rows) error {
		var organizationID, externalID, id string
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &externalID, &id}, func() error {
			r.transactions[key{organizationID, externalID}] = id
			return nil
		})
		return err
	})
}

// namedIDs lists the ids of other records that a draft refers to.
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
		err := row.Scan(&c.OrganizationID, &c.ID, &c.ExternalID, &c.Name, &c.Status, &c.Email, &c.Phone, &c.Street1, &c.Street2, &c.City,
			&c.County, &c.State, &c.PostalCode, &c.Country, &c.FullAddress, &c.AddressStatus, &c.Source, &c.ConnectionID,
			&c.RegistrationNumber, &c.ExternalFriendlyID, &c.TaxRegistrations, &c.CreatedAt, &c.UpdatedAt)
		return c, err
	})
}

// customersJSON writes customers as a JSON array of rows of their table.
func customersJSON(customers []*models.Customer) string {
	rows := make([]map[string]any, len(customers))
	for i, c := range customers {
		rows[i] = make(map[string]any, len(customerColumns))
		for _, column := range customerColumns {
			value := column.value(c)
			if value != nil && column.cast == "jsonb" {
				rows[i][column.name] = json.RawMessage(*value)
			} else {
				rows[i][column.name] = value
			}
		}
	}
	return *jsonText(rows)
}
