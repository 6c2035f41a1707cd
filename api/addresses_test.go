package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestAddressSearch(t *testing.T) {
	t.Parallel()
	in := install(t)
	search := func(body string) answer {
		return in.do(in.root, "POST", "/v1/address_validation/search", body)
	}
	t.Run("what is filled or changed is named", func(t *testing.T) {
		a := search(`{"street_1":"350 5th Ave","city":"new york","state":"New York","postal_code":"10118","phone":"+1 212 ` +
			`555 0100"}`).expect(200)
		require.Equal(t, []any{"VERIFIED"}, a.list("verification_status"))
		require.Equal(t, []any{[]any{"city", "county", "state", "country", "full_address"}}, a.list("enrich_fields"))
		require.Equal(t, map[string]any{"street_1": "350 5th Ave", "street_2": nil, "city": "New York",
			"county": "New York County", "state": "NY",
			"postal_code": "10118", "country": "US",
			"full_address": "350 5th Ave, New York, NY 10118, US"}, a.list("response_address")[0])
		require.Equal(t, map[string]any{"street_1": "350 5th Ave", "city": "new york", "state": "New York",
			"postal_code": "10118",
			"phone":       "+1 212 555 0100"}, a.list("address_submitted")[0])
		require.Len(t, a.list("jurisdictions")[0], 4)
	})
	t.Run("every set of jurisdictions that fits, the best first", func(t *testing.T) {
		a := search(`{"state":"CO","postal_code":"80123"}`).expect(200)
		require.Greater(t, len(a.list("ambiguous")), 1)
		require.NotEqual(t, a.list("jurisdictions")[0], a.list("jurisdictions")[1])
		require.Nil(t, a.list("response_address")[1].(map[string]any)["city"])
	})
	t.Run("an address that is no place", func(t *testing.T) {
		for body, status := range map[string]string{
			`{"state":"NY","postal_code":"94016"}`: "INVALID",
			`{"city":"Paris","country":"FR"}`:      "UNVERIFIABLE",
			`{"phone":"+1 212 555 0100"}`:          "BLANK",
		} {
			require.Equal(t, []any{status}, search(body).expect(200).list("verification_status"), body)
		}
	})
	t.Run("the key alone is enough", func(t *testing.T) {
		for _, target := range []string{"search", "suggestions"} {
			ask := func(change func(*http.Request)) answer {
				return in.do(in.root, "POST", "/v1/address_validation/"+target, `{"city":"Aus","state":"TX"}`, change)
			}
			ask(func(r *http.Request) { r.Header.Del("x-organization-id") }).expect(200)
			ask(header("x-organization-id", "")).expect(400, "organization_header_missing")
			ask(header("x-organization-id", models.NewID(models.PrefixOrganization))).expect(404, "organization_not_found")
		}
		in.do(in.root, "GET", "/v1/products", "", func(r *http.Request) {
			r.Header.Del("x-organization-id")
		}).expect(400, "organization_header_missing")
	})
	t.Run("a plain list", func(t *testing.T) {
		require.True(t, strings.HasPrefix(search(`{"state":"CO","postal_code":"80123"}`).Body.String(), "[{"))
	})
	t.Run("at least one part", func(t *testing.T) {
		require.Contains(
			t, search(`{"city":"","state":null}`).expect(400, "validation_failed").Body.String(),
			`"missing_field"`,
		)
	})
}

func TestAddressSuggestions(t *testing.T) {
	t.Parallel()
	in := install(t)
	suggest := func(body string) answer {
		return in.do(in.root, "POST", "/v1/address_validation/suggestions", body)
	}
	a := suggest(`{"postalCode":"1011","postal_code":"9","line1":"350 5th Ave"}`).expect(200)
	require.Len(t, a.list("city"), 10)
	require.Equal(t, "10110", a.list("postal_code")[0])
	require.Equal(t, a.Body.String(), suggest(`{"postal_code":"1011","country":"US"}`).expect(200).Body.String())
	require.Equal(t, []any{}, suggest(`{"country":"US"}`).expect(200).list("city"))
	suggest(`{}`).expect(400, "validation_failed")
}
