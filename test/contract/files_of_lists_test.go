package contract_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file of a list has the rows of the list with the same filter, in its order.
func TestFilesHaveTheRowsOfTheirLists(t *testing.T) {
	t.Parallel()
	in := install(t)
	_, key := in.key(in.root)
	shop := credentials{in.root.organization, key}
	made := func(path, body string) string { return in.call(shop, "POST", path, body, 200).text(t, "id") }
	for _, name := range []string{"A", "B"} {
		customer := made("/v1/customers", `{"external_id":"C-`+name+`","name":"=`+name+`"}`)
		for _, state := range []string{"NY", "TX"} {
			made("/v1/exemptions", `{"exemption_type":"wholesale","customer_id":"`+customer+`","start_date":"2026-01-01",
				"country_code":"US","jurisdiction":"`+state+`"}`)
			made("/v1/nexus/physical_nexus", `{"country_code":"US","state_code":"`+state+`","start_date":"2026-01-01",
				"category":"INVENTORY","external_id":"P-`+name+state+`"}`)
		}
	}
	made("/v1/rate_overrides", overrideBody)
	made("/v1/notices", in.noticeBody(shop))
	in.anotherWebhook(shop, "https://example.com/hook")
	for list, rows := range map[string]int{
		"/v1/exemptions?jurisdiction=NY&order_by=-created_at": 2, "/v1/exemptions?search_query=A": 2,
		"/v1/nexus/physical_nexus?state_code=TX&order_by=-created_at": 2,
		"/v1/nexus?order_by=-state_code":                              -1, "/v1/organizations/api_keys?active=false": -1,
		"/v1/rate_overrides?country_code=US": 1, "/v1/rate_overrides?country_code=CA": 0, "/v1/webhook_endpoints?": 1,
		"/v1/notices?": 1, "/v1/users?": 0, "/v1/transactions/imports?": 0,
	} {
		var page struct {
			Items []struct {
				ID string `json:"id"`
			} `json:"items"`
		}
		in.call(shop, "GET", list+"&size=100", "", 200).decode(t, &page)
		listed := []string{}
		for _, item := range page.Items {
			listed = append(listed, item.ID)
		}
		if rows >= 0 {
			require.Len(t, listed, rows, list)
		} else {
			require.NotEmpty(t, listed, list)
		}
		file := in.call(shop, "GET", strings.Replace(list, "?", "/export?format=csv&", 1), "", 200)
		table, err := csv.NewReader(strings.NewReader(string(file.body))).ReadAll()
		require.NoError(t, err)
		require.Equal(t, "id", table[0][0], list)
		exported := []string{}
		for _, row := range table[1:] {
			exported = append(exported, row[0])
		}
		require.Equal(t, listed, exported, list)
	}
	require.Contains(t, string(in.call(shop, "GET", "/v1/exemptions/export?format=csv", "", 200).body), "'=A", "no formula")
}
