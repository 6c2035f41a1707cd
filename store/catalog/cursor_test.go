package catalog_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// A client that reads a list by cursors gets each record once and in order. This holds for records with equal values,
// without a value, and added meanwhile. Records without a value come last in either direction.
func TestCursorsOfRecordsVisitEachOnce(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	add := func(first, last int) {
		storetest.Execute(t, address, `INSERT INTO customers (organization_id, id, external_id, name, status, address_status,
			  source, tax_registrations, created_at, updated_at)
			SELECT $1::text, 'cust_' || lpad((n * 7 % 31)::text, 4, '0') || n, 'C-' || n,
			       CASE WHEN n % 3 > 0 THEN 'Name ' || n % 2 END, 'ACTIVE', 'BLANK', 'API', '[]', now(), now()
			  FROM generate_series($2::int, $3::int) n`, scope.OrganizationID, first, last)
	}
	last := 12
	add(1, last)
	walk := func(page models.Page, read func(models.Page) models.List[models.Customer]) (ids []string) {
		for {
			list := read(page)
			for i := range list.Items {
				ids = append(ids, list.Items[i].ID)
			}
			if list.Next == nil {
				return ids
			}
			require.EqualValues(t, len(ids), list.Next.Rows)
			if page.After == nil {
				add(last+1, last+3)
				last += 3
			}
			page.After = list.Next
		}
	}
	for _, order := range [][]models.Order{
		nil, {{Column: "name"}}, {{Column: "name", Desc: true}}, {{Column: "created_at",
			Desc: true}}, {{Column: "external_id"}},
		{{Column: "created_at"}, {Column: "name", Desc: true}}, {{Column: "name", Desc: true}, {Column: "external_id"}},
	} {
		read := func(page models.Page) models.List[models.Customer] {
			list, err := s.Catalog.ListCustomers(t.Context(), scope, models.CustomerFilter{}, order, page)
			require.NoError(t, err)
			return list
		}
		var was []string
		for offset := 0; ; offset += 5 { // by number, which is sorted as a whole
			list := read(models.Page{Limit: 5, Offset: offset})
			for i := range list.Items {
				was = append(was, list.Items[i].ID)
			}
			if len(list.Items) < 5 {
				break
			}
		}
		met := walk(models.Page{Limit: 4}, read)
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(met))), len(met), "%v: each once", order)
		met = slices.DeleteFunc(met, func(id string) bool { return !slices.Contains(was, id) })
		require.Equal(t, was, met, fmt.Sprint(order))
	}
	_, err := s.Catalog.ListCustomers(t.Context(), scope, models.CustomerFilter{}, []models.Order{{Column: "created_at"}},
		models.Page{Limit: 4, After: &models.Place{Keys: []*string{new("never"), new("cust_1")}}})
	var invalid *models.InvalidError
	require.ErrorAs(t, err, &invalid)
}
