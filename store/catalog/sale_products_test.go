package catalog_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/catalog"
	"levy/store/storetest"
)

func TestProductsThatAreReadTogetherGoToTheirCallers(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	scopes := make([]models.Scope, 3)
	for i := range scopes {
		scopes[i] = storetest.Organization(t, url)
		p := newProduct("A", "Own")
		p.TaxExempt = i == 1
		require.NoError(t, s.Catalog.CreateProduct(t.Context(), scopes[i], storetest.Actor, p))
		require.NoError(
			t,
			s.Catalog.CreateProduct(
				t.Context(), scopes[i], storetest.Actor, newProduct(fmt.Sprint("only of ", i), "Own"),
			),
		)
	}
	var asking sync.WaitGroup
	for n := range 90 {
		asking.Go(func() {
			i := n % len(scopes)
			found, err := s.Catalog.SaleRecords(t.Context(), scopes[i], models.SaleNames{
				ProductExternalIDs: []string{"A", "only of 0", "nobody's", "A"},
			})
			if err != nil {
				t.Error(err)
				return
			}
			_, first := found.Products["only of 0"]
			_, none := found.Products["nobody's"]
			if found.Products["A"].TaxExempt != (i == 1) || first != (i == 0) || none {
				t.Errorf("organization %d got %v", i, found.Products)
			}
		})
	}
	asking.Wait()
}

// A call that comes while others read is answered by a statement that begins afterwards. A call that is cancelled does
// not affect the others.
func TestProductsAreReadAfterTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	scope := storetest.Organization(t, url)
	require.NoError(t, s.Catalog.CreateProduct(t.Context(), scope, storetest.Actor, newProduct("elsewhere", "Widget")))
	ask := func(ctx context.Context, id string) <-chan error {
		answered := make(chan error, 1)
		go func() {
			found, err := s.Catalog.SaleRecords(ctx, scope, models.SaleNames{ProductExternalIDs: []string{id}})
			if _, known := found.Products[id]; err == nil && !known {
				err = models.ErrNotFound
			}
			answered <- err
		}()
		return answered
	}
	holder, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = holder.Close(context.WithoutCancel(t.Context())) }()
	tx, err := holder.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "LOCK TABLE products")
	require.NoError(t, err)
	gathered := func(n int) {
		t.Helper()
		require.Eventually(
			t, func() bool { return catalog.GatheredProducts(s.Catalog) == n }, time.Minute, time.Millisecond,
		)
	}
	early := []<-chan error{ask(t.Context(), "early")}
	require.Eventually(t, func() bool { // the reader waits for the table
		var waiting int
		require.NoError(t, tx.QueryRow(t.Context(),
			"SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'products'::regclass").Scan(&waiting))
		return waiting == 1 && catalog.GatheredProducts(s.Catalog) == 0
	}, time.Minute, time.Millisecond)
	early = append(early, ask(t.Context(), "early"))
	gathered(1)
	impatient, cancel := context.WithCancel(t.Context())
	gone, late := ask(impatient, "late"), ask(t.Context(), "late")
	gathered(3)
	cancel()
	require.ErrorIs(t, <-gone, models.ErrUnavailable)
	_, err = tx.Exec(t.Context(),
		"UPDATE products SET external_id = 'late' WHERE organization_id = $1 AND external_id = 'elsewhere'",
		scope.OrganizationID)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-late, "it was committed before the group was read")
	for _, answered := range early {
		require.ErrorIs(t, <-answered, models.ErrNotFound)
	}
}
