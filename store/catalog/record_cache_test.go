package catalog_test

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/catalog"
	"levy/store/storetest"
	"levy/tax"
)

// kept is an organization with a product and a customer with an exemption, and two processes that calculate for it.
type kept struct {
	t         *testing.T
	url       string
	scope     models.Scope
	processes [2]*store.Store
	product   *models.Product
	customer  models.Customer
}

func newKept(t *testing.T) *kept {
	s, url := storetest.NewStore(t)
	k := &kept{
		t: t, url: url, scope: storetest.Organization(t, url), product: newProduct("P", "Widget"),
		processes: [2]*store.Store{s, storetest.Open(t, store.Options{URL: url})},
		customer: models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C",
			Status: models.CustomerActive, AddressStatus: "BLANK",
			Source: "API", TaxRegistrations: []models.CustomerTaxRegistration{{ID: "1", CountryCode: "DE",
				TaxType: "VAT", TaxID: "DE1"}}},
	}
	require.NoError(t, s.Catalog.CreateProduct(t.Context(), k.scope, storetest.Actor, k.product))
	require.NoError(t, s.Catalog.CreateCustomer(t.Context(), k.scope, storetest.Actor, &k.customer))
	k.exempt(time.Now().AddDate(0, 0, 7))
	return k
}

// exempt gives the customer an exemption until a day.
func (k *kept) exempt(until time.Time) {
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer,
		StartDate: time.Now().AddDate(0, 0, -7),
		EndDate:   &until, CustomerID: &k.customer.ID, CountryCode: "US", Status: models.ExemptionActive,
	}}
	require.NoError(k.t, k.processes[0].Catalog.CreateExemption(k.t.Context(), k.scope, storetest.Actor, &e))
}

// read is what an estimate in a process reads: the class of the product, the customer and the exemptions.
func (k *kept) read(process int) string {
	names := models.SaleNames{ProductExternalIDs: []string{"P"}, CustomerExternalID: "C"}
	found, err := k.processes[process].Catalog.SaleRecords(k.t.Context(), k.scope, names)
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprint(found.Products["P"].TaxClass, " ", found.Products["P"].TaxExempt)
	if found.Customer != nil {
		text += fmt.Sprint(" ", found.Customer.ID, " ", found.Customer.TaxRegistrations)
	}
	for _, e := range found.Exemptions {
		text += fmt.Sprint(" ", e.Status, " ", e.EndDate.Format(time.DateOnly))
	}
	return text
}

func (k *kept) execute(statements ...string) {
	for _, sql := range statements {
		storetest.Execute(k.t, k.url, sql)
	}
}

// silently changes rows without the triggers, as no writer does.
func (k *kept) silently(statement string) {
	k.execute("BEGIN; SET LOCAL session_replication_role = replica; " + statement + "; COMMIT")
}

// Cached records are used, and a change by whatever statement takes effect at once in every process.
func TestChangesOfCachedRecordsTakeEffectAtOnceInEveryProcess(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	actor, ctx := storetest.Actor, t.Context()
	first := k.processes[0]
	changes := []struct {
		name   string
		change func() error
	}{
		{"a product is taxed as another class", func() error {
			_, err := first.Catalog.UpdateProduct(ctx, k.scope, actor, k.product.ID, func(p *models.Product) error {
				p.TaxClass, p.TaxExempt = tax.ClassDigital, true
				return nil
			})
			return err
		}},
		{"a customer is registered elsewhere", func() error {
			_, err := first.Catalog.UpdateCustomer(ctx, k.scope, actor, k.customer.ID, func(c *models.Customer) error {
				c.TaxRegistrations = []models.CustomerTaxRegistration{}
				return nil
			})
			return err
		}},
		{"an exemption begins", func() error { k.exempt(time.Now().AddDate(0, 0, -1)); return nil }},
		{"it expires", func() error {
			_, err := first.Catalog.ExpireExemptions(ctx, time.Now(), "")
			return err
		}},
		{"an exemption ends", func() error { k.execute("DELETE FROM exemptions WHERE status = 'EXPIRED'"); return nil }},
		{"a statement in clear changes all products",
			func() error { k.execute("UPDATE products SET tax_exempt = NOT tax_exempt"); return nil }},
		{"another product takes the name", func() error {
			k.execute("UPDATE products SET external_id = 'old' WHERE external_id = 'P'")
			return first.Catalog.CreateProduct(ctx, k.scope, actor, newProduct("P", "Another"))
		}},
		{"the product goes", func() error { k.execute("DELETE FROM products WHERE external_id = 'P'"); return nil }},
		{"the customer is erased", func() error { return first.People.EraseCustomer(ctx, actor, k.customer.ID) }},
	}
	for _, c := range changes {
		was := k.read(1)
		require.Equal(t, was, k.read(0), c.name)
		require.NoError(t, c.change(), c.name)
		require.NotEqual(t, was, k.read(1), c.name)
		require.Equal(t, k.read(0), k.read(1), c.name)
	}
}

// The cache is used while nothing changes, and a change that is rolled back has no effect. A restore resets the
// version: the next change must not be mistaken for one that was read before.
func TestCachedRecordsAreValidForOneVersion(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	k.execute("UPDATE products SET tax_class = 'first'", "CREATE TABLE backup AS SELECT * FROM catalog_version_changes")
	first := k.read(1)
	k.silently(`UPDATE products
		SET tax_class = 'silent'; UPDATE customers
		SET tax_registrations = '[]'; UPDATE exemptions
		SET status = 'ARCHIVED'`)
	require.Equal(t, first, k.read(1), "it is not read again")
	k.execute("BEGIN; UPDATE products SET tax_class = 'never'; ROLLBACK", "UPDATE products SET name = 'of no interest'",
		"UPDATE customers SET name = 'of no interest'")
	require.Equal(t, first, k.read(1), "nor after an unrelated change")
	rolledUp, err := k.processes[0].Catalog.RollUpCounts(t.Context())
	require.NoError(t, err)
	require.Positive(t, rolledUp)
	require.Equal(t, first, k.read(1), "nor when the version is rolled up")
	k.execute("UPDATE products SET tax_class = 'second'")
	require.Contains(t, k.read(1), "second")
	k.silently(`UPDATE products
		SET tax_class = 'first'; DELETE FROM catalog_versions;
		DELETE FROM catalog_version_changes; INSERT INTO catalog_version_changes TABLE backup`)
	require.Contains(t, k.read(1), "first", "of the restored database")
	k.execute("UPDATE products SET tax_class = 'third'")
	require.Contains(t, k.read(1), "third")
}

// No estimate reads a value that was replaced before it began, or one that was never committed, while writers change
// the same records. None of them waits for another.
func TestEstimatesReadWhatIsCommitted(t *testing.T) {
	t.Parallel()
	const writes, readers = 60, 4
	k := newKept(t)
	k.execute("UPDATE products SET tax_class = '0'", `UPDATE customers SET tax_registrations = '[{"tax_type": "0"}]'`)
	other := newProduct("O", "Other")
	require.NoError(t, k.processes[0].Catalog.CreateProduct(t.Context(), k.scope, storetest.Actor, other))
	conns := make([]*pgx.Conn, 2)
	for i := range conns {
		conn, err := pgx.Connect(t.Context(), k.url)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(t.Context()) })
		_, err = conn.Exec(t.Context(), "SET lock_timeout = '10s'")
		require.NoError(t, err)
		conns[i] = conn
	}
	var committed atomic.Int64
	var over atomic.Bool
	var reading sync.WaitGroup
	for n := range readers {
		reading.Go(func() {
			names := models.SaleNames{ProductExternalIDs: []string{"P"}, CustomerID: k.customer.ID}
			for !over.Load() {
				before := committed.Load()
				found, err := k.processes[n%2].Catalog.SaleRecords(t.Context(), k.scope, names)
				if err != nil {
					t.Error(err)
					return
				}
				for _, text := range []string{string(found.Products["P"].TaxClass), found.Customer.TaxRegistrations[0].TaxType} {
					if read, err := strconv.ParseInt(text, 10, 64); err != nil || read < before {
						t.Errorf("read %s after %d", text, before)
						return
					}
				}
			}
		})
	}
	for i := range writes {
		held, err := conns[1].Begin(t.Context())
		require.NoError(t, err)
		_, err = held.Exec(t.Context(), "UPDATE products SET tax_class = $1 WHERE external_id = 'O'", strconv.Itoa(i))
		require.NoError(t, err)
		for _, commit := range []bool{false, true} {
			tx, err := conns[0].Begin(t.Context())
			require.NoError(t, err)
			value := strconv.Itoa(i + 1)
			if !commit {
				value = "never"
			}
			_, err = tx.Exec(t.Context(), "UPDATE products SET tax_class = $1 WHERE external_id = 'P'", value)
			require.NoError(t, err, "it waits for a writer of another product")
			_, err = tx.Exec(t.Context(),
				"UPDATE customers SET tax_registrations = jsonb_build_array(jsonb_build_object('tax_type', $1::text))",
				value)
			require.NoError(t, err)
			if commit {
				require.NoError(t, tx.Commit(t.Context()))
				committed.Store(int64(i + 1))
			} else {
				require.NoError(t, tx.Rollback(t.Context()))
			}
		}
		require.NoError(t, held.Commit(t.Context()))
	}
	over.Store(true)
	reading.Wait()
}

// The cache of one organization and that of all are bounded, and the records that were used last stay.
func TestCachedRecordsAreBounded(t *testing.T) {
	t.Parallel()
	one, bytes := catalog.Kept(1<<20, 2<<20, slices.Repeat([]string{"a"}, 100_000)...)
	require.LessOrEqual(t, bytes, 1<<20)
	require.Greater(t, one["a"], 1000)
	var many []string
	for i := range 100_000 {
		many = append(many, strconv.Itoa(i/10))
	}
	all, bytes := catalog.Kept(1<<20, 1<<20, append(many, "last")...)
	require.LessOrEqual(t, bytes, 1<<20)
	require.Equal(t, 1, all["last"])
	require.NotContains(t, all, "0")
	subcategory := "Shirts"
	require.Equal(t, len(subcategory), catalog.KeptBytes(models.Product{ProductSubcategory: &subcategory})-
		catalog.KeptBytes(models.Product{}))
	few, bytes := catalog.Kept(1<<20, 1, "a", "b")
	require.Empty(t, few)
	require.Zero(t, bytes)
}
