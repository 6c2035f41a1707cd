package catalog_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax"
)

func newProduct(externalID, name string) *models.Product {
	return &models.Product{
		ID: models.NewID(models.PrefixProduct), ExternalID: externalID, Name: name, ProductCategory: "PHYSICAL",
		TaxClass: tax.ClassPhysical, Classification: tax.ClassificationCategoryDefault,
		Status: models.ProductApproved, Source: "OTHER", SKU: []string{},
	}
}

func TestExternalIDsOfProductsAreUnique(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope, other := storetest.Organization(t, address), storetest.Organization(t, address)
	first := newProduct("A", "First")
	require.NoError(t, s.Catalog.CreateProduct(t.Context(), scope, storetest.Actor, first))
	require.NoError(t, s.Catalog.ArchiveProduct(t.Context(), scope, storetest.Actor, first.ID))

	var duplicate *models.DuplicateError
	require.ErrorAs(
		t, s.Catalog.CreateProduct(t.Context(), scope, storetest.Actor, newProduct("A", "Second")), &duplicate,
		"archived ones count",
	)
	require.Equal(t, models.DuplicateError{Field: "external_id", ExistingID: first.ID}, *duplicate)
	require.NoError(t, s.Catalog.CreateProduct(t.Context(), scope, storetest.Actor, newProduct("a", "Case counts")))
	require.NoError(t, s.Catalog.CreateProduct(t.Context(), other, storetest.Actor, newProduct("A", "Elsewhere")))

	found, err := s.Catalog.ProductByExternalID(t.Context(), scope, "A")
	require.NoError(t, err)
	require.Equal(t, first.ID, found.ID)
	_, err = s.Catalog.ProductByExternalID(t.Context(), scope, "A ")
	require.ErrorIs(t, err, models.ErrNotFound)
}

func TestProductsOfAnotherOrganizationDoNotExist(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope, other := storetest.Organization(t, address), storetest.Organization(t, address)
	p := newProduct("A", "Theirs")
	require.NoError(t, s.Catalog.CreateProduct(t.Context(), other, storetest.Actor, p))
	_, err := s.Catalog.Product(t.Context(), scope, p.ID)
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = s.Catalog.ProductByExternalID(t.Context(), scope, "A")
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = s.Catalog.UpdateProduct(t.Context(), scope, storetest.Actor, p.ID, func(*models.Product) error { return nil })
	require.ErrorIs(t, err, models.ErrNotFound)
	require.ErrorIs(t, s.Catalog.ArchiveProduct(t.Context(), scope, storetest.Actor, p.ID), models.ErrNotFound)
	list, err := s.Catalog.ListProducts(t.Context(), scope, models.ProductFilter{Text: "Theirs"}, nil,
		models.Page{Limit: 10})
	require.NoError(t, err)
	require.Zero(t, list.Total)
}

func TestUpdateProduct(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address)
	p := newProduct("A", "Before")
	p.Description = &p.Name
	require.NoError(t, s.Catalog.CreateProduct(t.Context(), scope, storetest.Actor, p))

	refusal := errors.New("refused")
	_, err := s.Catalog.UpdateProduct(t.Context(), scope, storetest.Actor, p.ID, func(p *models.Product) error {
		p.Name = "Never"
		return refusal
	})
	require.ErrorIs(t, err, refusal)

	var group sync.WaitGroup
	for range 8 { // none of the changes is lost
		group.Go(func() {
			_, _ = s.Catalog.UpdateProduct(context.WithoutCancel(t.Context()), scope, storetest.Actor, p.ID,
				func(p *models.Product) error {
					p.SKU = append(p.SKU, "unit")
					p.Description = nil
					return nil
				})
		})
	}
	group.Wait()
	stored, err := s.Catalog.Product(t.Context(), scope, p.ID)
	require.NoError(t, err)
	require.Len(t, stored.SKU, 8)
	require.Equal(t, "Before", stored.Name)
	require.Nil(t, stored.Description)
	require.True(t, stored.UpdatedAt.After(stored.CreatedAt))

	require.NoError(t, s.Catalog.ArchiveProduct(t.Context(), scope, storetest.Actor, p.ID))
	require.NoError(t, s.Catalog.ArchiveProduct(t.Context(), scope, storetest.Actor, p.ID), "again")
	stored, err = s.Catalog.Product(t.Context(), scope, p.ID)
	require.NoError(t, err)
	require.Equal(t, models.ProductArchived, stored.Status)
}

func TestListProducts(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	scope := storetest.Organization(t, address) // brings product P-1, "Widget"
	shirt := newProduct("SHIRT", "Cotton shirt")
	shirt.ProductCategory, shirt.SKU = "Physical", []string{"S-100%", "x"}
	sub := "general clothing"
	shirt.ProductSubcategory = &sub
	app := newProduct("APP", "App")
	connection := "shop-1"
	app.ProductCategory, app.Status, app.Source, app.ConnectionID = "DIGITAL", models.ProductPending, "API", &connection
	for _, p := range []*models.Product{shirt, app} {
		require.NoError(t, s.Catalog.CreateProduct(t.Context(), scope, storetest.Actor, p))
	}
	for name, c := range map[string]struct {
		filter models.ProductFilter
		order  []models.Order
		want   []string
	}{
		"newest first": {
			order: []models.Order{{Column: "created_at", Desc: true}}, want: []string{"APP", "SHIRT", "P-1"},
		},
		"by external id": {
			order: []models.Order{{Column: "external_id"}}, want: []string{"APP", "P-1", "SHIRT"},
		},
		"text in the name":             {filter: models.ProductFilter{Text: "COTTON"}, want: []string{"SHIRT"}},
		"text in the external id":      {filter: models.ProductFilter{Text: "p-"}, want: []string{"P-1"}},
		"text in a SKU, % a character": {filter: models.ProductFilter{Text: "100%"}, want: []string{"SHIRT"}},
		"a percent sign alone":         {filter: models.ProductFilter{Text: "%"}, want: []string{"SHIRT"}},
		"SQL is text":                  {filter: models.ProductFilter{Text: "' OR 1=1 --"}, want: []string{}},
		"status": {
			filter: models.ProductFilter{Statuses: []models.ProductStatus{models.ProductPending}},
			want:   []string{"APP"},
		},
		"category in another spelling": {
			filter: models.ProductFilter{Categories: []string{"physical"}},
			order:  []models.Order{{Column: "name"}}, want: []string{"SHIRT", "P-1"},
		},
		"subcategory": {
			filter: models.ProductFilter{Subcategories: []string{"GENERAL_CLOTHING"}}, want: []string{"SHIRT"},
		},
		"source": {
			filter: models.ProductFilter{Sources: []string{"API"}, Categories: []string{"DIGITAL", "FOOD"}},
			want:   []string{"APP"},
		},
		"connection": {
			filter: models.ProductFilter{ConnectionIDs: []string{"shop-1", "shop-2"}}, want: []string{"APP"},
		},
	} {
		list, err := s.Catalog.ListProducts(t.Context(), scope, c.filter, c.order, models.Page{Limit: 10})
		require.NoError(t, err, name)
		got := []string{}
		for _, p := range list.Items {
			got = append(got, p.ExternalID)
		}
		require.Equal(t, c.want, got, name)
		require.Equal(t, int64(len(c.want)), list.Total, name)
	}
}
