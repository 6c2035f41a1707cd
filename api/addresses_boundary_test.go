package api_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
	"levy/tax/content"
	"levy/tax/postal"
)

// minnesota imports a boundary file and brings it into force. It has the ZIP 55401 with a part outside Minneapolis,
// one street of that part inside it, and a new ZIP.
func (in *installation) minnesota() {
	in.t.Helper()
	const county = "45:27|00:053|63:80004|63:80008|63:80009"
	ctx := in.t.Context()
	load, err := in.store.Content.OpenBoundaryLoad(ctx, "MN", "MNB2026Q3AUG01.csv", make([]byte, 32))
	require.NoError(in.t, err)
	zip := func(kind byte, zip string, low, high int16, set int32) models.BoundaryZIP {
		return models.BoundaryZIP{Kind: kind, ZIP: zip, Low: low, High: high, From: 20200101, Set: set}
	}
	require.NoError(in.t, in.store.Content.AppendBoundaries(ctx, &load, models.BoundaryChunk{
		Records: 4, Sets: []models.BoundarySet{{No: 1, Codes: county + "|01:43000"}, {No: 2, Codes: county}},
		ZIPs: []models.BoundaryZIP{
			zip('Z', "55401", 0, 9999, 1), zip('4', "55401", 2000, 2999, 2), zip('Z', "55499", 0, 9999, 2),
		},
		Streets: []models.BoundaryStreet{{
			ZIP: "55401", Street: postal.ParseStreet("Washington Ave N"), Low: 1, High: 99, Side: 'O', From: 20200101, Set: 1,
		}},
	}))
	require.NoError(in.t, in.store.Content.FinishBoundaryLoad(ctx, &load))
	tables, err := content.Unpack(content.Packed())
	require.NoError(in.t, err)
	require.NoError(in.t, tables.SetBoundaries("MN", load.ID, "MNB2026Q3AUG01.csv", "00"))
	own, version := in.contentCache.Current().Version(), tables.Name()
	pack, err := tables.Pack()
	require.NoError(in.t, err)
	require.NoError(in.t, in.store.Content.InstallContent(ctx, own, content.Packed()))
	_, err = in.store.Content.RecordContent(ctx, models.ContentVersion{Version: version, Base: own}, pack)
	require.NoError(in.t, err)
	require.NoError(in.t, in.store.Content.ActivateContent(ctx, version, "test"))
	require.NoError(in.t, in.contentCache.Refresh(ctx))
}

// A boundary file in force decides wherever an address is resolved.
func TestBoundaryFilesDecideAboutAddresses(t *testing.T) {
	t.Parallel()
	in := install(t)
	const mill, washington,
		unknown = `"street_1":"10 2nd St","city":"Minneapolis","state":"MN","postal_code":"55401-2500","country":"US"`,
		`"street_1":"11 Washington Avenue North","city":"Minneapolis","state":"MN","postal_code":"55401-2500","country":"US"`,
		`"city":"Minneapolis","state":"MN","postal_code":"55499","country":"US"`
	search := func(address string) (resolution, status any, city bool) {
		a := in.do(in.root, "POST", "/v1/address_validation/search", "{"+address+"}").expect(200)
		require.Len(t, a.list("resolution"), 1)
		for _, j := range a.list("jurisdictions")[0].([]any) {
			city = city || j.(map[string]any)["jurisdiction_name"] == "Minneapolis"
		}
		return a.list("resolution")[0], a.list("verification_status")[0], city
	}
	customer := func(externalID, address string) answer {
		return in.do(
			in.root, "POST", "/v1/customers", `{"external_id":"`+externalID+`","name":"Ada",`+address+`}`,
		).expect(200)
	}
	_, before, _ := search(unknown)
	require.Equal(t, "INVALID", before)
	require.Equal(t, "INVALID", customer("C-1", unknown).text("address_status"))
	business := in.client("Mill & Sons")
	in.do(
		business, "PUT", "/v1/organization_details/business_details",
		`{"entity_type":"LLC","incorporation_country":"US","company_country_code":"US"}`,
	).expect(200)
	seat := func() string {
		return in.do(
			business, "PUT", "/v1/organization_details/business_address",
			`{"company_city":"Minneapolis","company_state":"MN","company_postal_code":"55499"}`,
		).
			expect(200).text("address_status")
	}
	require.Equal(t, "INVALID", seat())
	in.minnesota()

	for name, c := range map[string]struct {
		address, resolution string
		city                bool
	}{
		"a ZIP+4 outside the city":        {mill, "ZIP9", false},
		"a street inside it all the same": {washington, "ADDRESS", true},
	} {
		resolution, status, city := search(c.address)
		require.Equal(t, []any{c.resolution, "VERIFIED", c.city}, []any{resolution, status, city}, name)
	}
	_, after, _ := search(unknown)
	require.Equal(t, "PARTIALLY_VERIFIED", after)
	require.Equal(t, after, seat())
	created := customer("C-2", unknown)
	require.Equal(t, after, created.text("address_status"))
	require.Equal(
		t, "VERIFIED",
		in.do(in.root, "PUT", "/v1/customers/"+created.text("id"), "{"+mill+"}").expect(200).text("address_status"),
	)
	require.Equal(
		t, after,
		in.do(
			in.root, "PUT", "/v1/customers/"+created.text("id"), `{"street_1":null,"postal_code":"55499"}`,
		).expect(200).text("address_status"),
	)
}

// hurried are customers. Another process changes one of them after it was read.
type hurried struct {
	service.Customers
	meanwhile func()
}

func (h *hurried) Customer(ctx context.Context, scope models.Scope, id string) (models.Customer, error) {
	c, err := h.Customers.Customer(ctx, scope, id)
	if meanwhile := h.meanwhile; meanwhile != nil {
		h.meanwhile = nil
		meanwhile()
	}
	return c, err
}

func TestTheStatusIsThatOfTheStoredAddress(t *testing.T) {
	t.Parallel()
	customers := &hurried{}
	in := install(t, func(deps *service.Deps, _ *api.Options) {
		customers.Customers = deps.Customers
		deps.Customers = customers
	})
	created := in.do(in.root, "POST", "/v1/customers",
		`{"external_id":"C-1","name":"Ada","city":"New York","state":"NY","postal_code":"10118","country":"US"}`).expect(200)
	path := "/v1/customers/" + created.text("id")
	customers.meanwhile = func() { // in another process: in this one it would wait for the first
		scope := models.Scope{OrganizationID: in.root.organizationID}
		state := "CA"
		_, err := in.store.Catalog.UpdateCustomer(t.Context(), scope, models.Actor{}, created.text("id"),
			func(c *models.Customer) error {
				c.State = &state
				return nil
			})
		require.NoError(t, err)
	}
	updated := in.do(in.root, "PUT", path, `{"name":"Ada L."}`).expect(200)
	require.Equal(t, []any{"Ada L.", "CA", "INVALID"}, []any{
		updated.member("name"), updated.member("state"), updated.member("address_status"),
	})
}
