package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The id of the Streamlined registration is one of the settings.
func TestTheStreamlinedIDOfAnOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	path := "/v1/organizations/" + client.organizationID + "/settings"
	for body, want := range map[string]string{
		`{"sst_id":"S1234567"}`: "invalid_format body.sst_id", `{"sst_id":7}`: "invalid_type body.sst_id",
	} {
		require.Equal(t, []string{want}, in.do(client, http.MethodPost, path, body).bodyFaults())
	}
	require.Contains(t, in.do(client, http.MethodPost, path, `{"sst_id":"S12345678"}`).expect(200).Body.String(), `"sst_id":"S12345678"`)
	require.Equal(t, "S12345678", in.do(client, http.MethodGet, path, "").expect(200).text("sst_id"))
	in.do(client, http.MethodPost, path, `{"sst_id":null}`).expect(200)
	require.Nil(t, in.do(client, http.MethodGet, path, "").expect(200).member("sst_id"))
}

// A number that is not as its authority writes it is a warning in each answer, and is stored.
func TestFieldsOfRegistrationsAreWarnedOf(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	made := in.registration(client, `{"country_code":"US","state_code":"TX","filing_frequency":"MONTHLY","sales_tax_id":"123",
		"jurisdiction_specific_fields":{"filing_method":"LIST","outlets":2}}`)
	path := "/v1/registrations/" + made.text("id")
	for _, body := range []string{made.Body.String(), in.do(client, http.MethodGet, path, "").expect(200).Body.String()} {
		require.Contains(t, body, `{"code":"MALFORMED","confidence":"MED","field":"sales_tax_id",`+
			`"message":"Expected is the taxpayer number of 11 digits.","source":"Texas Comptroller, form 01-114, item c"}`)
		require.Contains(t, body, `"field":"jurisdiction_specific_fields.outlets"`)
		require.NotContains(t, body, `"field":"jurisdiction_specific_fields.filing_method"`)
	}
	changed := in.do(client, http.MethodPut, path, `{"sales_tax_id":"1-23456-7890-1","jurisdiction_specific_fields":null}`).expect(200)
	require.Nil(t, changed.member("field_warnings"))
}

// The category of an exemption is as sent, RESALE of a reseller, and found by it.
func TestCategoriesOfExemptions(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	customer := in.customer(client, "C-1")
	create := func(more string) answer {
		return in.do(client, http.MethodPost, "/v1/exemptions", `{"start_date":"2026-01-01","customer_id":"`+customer+`",`+more+`}`).expect(200)
	}
	school := create(`"exemption_type":"customer","exemption_category":"EDUCATION"`)
	require.Equal(t, "EDUCATION", school.text("exemption_category"))
	reseller := create(`"exemption_type":"wholesale"`)
	require.Equal(t, "RESALE", reseller.text("exemption_category"))
	unknown := create(`"exemption_type":"customer"`)
	require.Nil(t, unknown.member("exemption_category"))
	found := func(category string) []any {
		return in.do(client, http.MethodGet, "/v1/exemptions?exemption_category__in="+category, "").expect(200).list("id")
	}
	require.Equal(t, []any{school.text("id")}, found("EDUCATION"))
	require.Equal(t, []any{reseller.text("id")}, found("RESALE"))
	require.Equal(t, []any{unknown.text("id")}, found("NONE"))
	require.Len(t, found("NONE,RESALE"), 2)
	path := "/v1/exemptions/" + reseller.text("id")
	require.Equal(t, "OTHER", in.do(client, http.MethodPut, path, `{"exemption_category":"OTHER"}`).expect(200).text("exemption_category"))
	require.Equal(t, "RESALE", in.do(client, http.MethodPut, path, `{"exemption_category":null}`).expect(200).text("exemption_category"))
	in.do(client, http.MethodPut, path, `{"exemption_category":"CHARITY"}`).expect(400, "validation_failed")
}

// An exempt line may say why. A line that is not exempt has no category.
func TestCategoriesOfLines(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	in.product(client, "P-1")
	sale := record(t, in, client, saleOf(lines(`"amount":10,"external_id":"A","exempt":true,"exemption_category":"AGRICULTURE"`)))
	path := "/v1/transactions/" + sale.text("id")
	require.Contains(t, sale.Body.String(), `"exemption_category":"AGRICULTURE"`)
	require.Contains(t, in.do(client, http.MethodGet, path, "").expect(200).Body.String(), `"exemption_category":"AGRICULTURE"`)
	require.Contains(t, in.do(client, http.MethodGet, "/v1/transactions/export?format=csv", "").expect(200).Body.String(), ",AGRICULTURE\r\n")
	refused := in.do(client, http.MethodPost, "/v1/transactions", saleOf(lines(`"amount":10,"external_id":"A","exemption_category":"OTHER"`)))
	require.Equal(t, []string{"not_allowed body.transaction_items[0].exemption_category"}, refused.bodyFaults())
}
