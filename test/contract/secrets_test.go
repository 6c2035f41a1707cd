package contract_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

// S6 and S7: after a run with planted values the log has none of them, and no key
// stands in the database.
func TestSecretsAreNeitherLoggedNorStoredInClear(t *testing.T) {
	t.Parallel()
	const canary = "kanari7f3a91"
	in := install(t)
	client := in.client()
	owner := in.parentOf(client)
	usedID, used := in.key(owner)
	_, kept := in.key(owner)
	in.plant(client, credentials{client.organization, used}, canary)
	in.call(owner, "DELETE", "/v1/api-keys/"+usedID, "", 204)
	in.plantTaxIDs(client, "taxid-"+canary)
	in.plantOnSockets(client, canary)

	var key string
	in.query(&key, "SELECT prefix || last4 FROM api_keys WHERE id = $1", usedID)
	require.Equal(t, used[:14]+used[len(used)-4:], key, "these two parts are all that can be read")
	keys := map[string]string{"the partner's": in.root.key, "the client's": client.key, "a revoked": used,
		"an unused": kept}
	for table, text := range storetest.Dump(t, in.database) {
		require.NotContains(t, text, "levy_live_", table)
		require.NotContains(t, text, "portal-"+canary, "a password of a portal in %s", table)
		require.NotContains(t, text, "taxid-"+canary, "a tax id in %s", table)
		for whose, key := range keys {
			require.NotContains(t, text, key, "%s key in %s", whose, table)
			require.NotContains(t, text, key[14:len(key)-4], "the inside of %s key in %s", whose, table)
		}
	}

	in.breakDatabase(client, canary)
	log := in.log.String()
	require.Contains(t, log, `"status":202`, "the run is in the log")
	require.Contains(t, log, `"status":500`)
	require.Contains(t, log, `"status":503`)
	require.NotContains(t, log, canary, "a value of a request is in the log")
	for whose, key := range keys {
		require.NotContains(t, log, key[10:], "%s key is in the log", whose)
		require.NotContains(t, log, key[:14], "the beginning of %s key is in the log", whose)
	}
}

// plant sends the canary value in every place of a request, in calls that succeed and in calls that fail, and checks
// that refusals do not repeat it.
func (in *installation) plant(client, other credentials, canary string) {
	in.t.Helper()
	sale := strings.Replace(saleBody("ORDER-"+canary, "P-1", 1), `{"external_id":"C-1"}`,
		fmt.Sprintf(`{"external_id":%q,"name":%[1]q,"email":"%[1]s@example.com","phone":%[1]q}`, canary), 1)
	in.call(client, "POST", "/v1/transactions?note="+canary, sale, 202)
	refuse := func(r request, status int) {
		in.t.Helper()
		a := in.send(in.t, r)
		require.Equal(in.t, status, a.status, "%s", a.body)
		p := a.problem(in.t)
		require.NotContains(in.t, fmt.Sprint(p.Title, p.Detail, p.Errors), canary, "a refusal repeats what was sent")
	}
	portal := in.registrationBody(fmt.Sprintf(`,"password_plain_text":%q,"password_metadata_plain_text":%[1]q`,
		"portal-"+canary))
	registration := "/v1/registrations/" + in.call(client, "POST", "/v1/registrations", portal, 200).text(in.t, "id")
	refuse(request{as: client, method: "POST", target: "/v1/registrations", body: portal}, 409)
	in.call(client, "PUT", registration, `{"password_plain_text":"portal-`+canary+`"}`, 200)
	post := func(body string, status int) {
		in.t.Helper()
		refuse(request{as: client, method: "POST", target: "/v1/transactions", body: body}, status)
	}
	post(sale, 409)
	post(strings.Replace(sale, `"type":"SALE"`, `"type":"`+canary+`"`, 1), 400)
	post(strings.Replace(sale, canary+"@example.com", canary, 1), 400)
	post(strings.Replace(sale, "2026-05-15T10:00:00Z", canary, 1), 400)
	post(strings.Replace(sale, `"100.00"`, `"`+canary+`"`, 1), 400)
	post(strings.Replace(sale, `"external_product_id":"P-1"`, `"external_product_id":"`+canary+`"`, 1), 404)
	post(strings.Replace(sale, "{", `{"filing_id":"`+canary+`",`, 1), 404)
	post(sale[:len(sale)/2], 400)
	post(sale+canary, 400)
	post(strings.Replace(sale, "{", `{"`+canary+`":1,"`+canary+`":2,`, 1), 400)
	refuse(request{as: client, method: "POST", target: "/v1/products", body: `{"external_id":"` + canary +
		`","name":"x","product_category":"` + canary + `"}`}, 400)
	for target, status := range map[string]int{
		"/v1/products?status__in=" + canary: 400, "/v1/transactions?order_by=" + canary: 400,
		"/v1/products?page=" + canary: 400,
		"/v1/transactions/" + canary:  404, "/v1/transactions/external/x" + canary: 404, "/v1/" + canary: 404,
		"/" + canary + "?" + canary: 404,
	} {
		refuse(request{as: client, method: "GET", target: target}, status)
	}
	refuse(request{as: credentials{canary, client.key}, method: "GET", target: "/v1/products"}, 404)
	refuse(request{as: credentials{client.organization, canary}, method: "GET", target: "/v1/products"}, 401)
	refuse(request{as: client, method: canary, target: "/v1/products"}, 405)
	refuse(request{as: client, method: "GET", target: "/v1/products?api_key=" + client.key,
		header: http.Header{"X-Api-Key": nil, "Authorization": {"Bearer " + client.key}}}, 401)
	in.send(in.t, request{as: other, method: "GET", target: "/v1/products?query=" + canary, header: http.Header{
		"User-Agent": {canary}, "Referer": {canary}, "Cookie": {canary}, "Traceparent": {canary},
		"X-Forwarded-For": {canary}, "X-Request-Id": {canary + " "},
	}})
}

// plantTaxIDs sends it wherever a tax id may stand, and changes the records, so that events and revisions have it too.
func (in *installation) plantTaxIDs(client credentials, canary string) {
	in.t.Helper()
	of := fmt.Sprintf(`"FEIN":%q,"sales_tax_id":%[1]q`, canary)
	registered := fmt.Sprintf(`"customer_tax_registrations":[{"country_code":"DE","tax_type":"vat","tax_id":%q}]`, canary)
	sale := strings.Replace(saleBody("TAXED", "P-1", 1), `{"external_id":"C-1"}`,
		`{"external_id":"TAXED",`+registered+`}`, 1)
	sale = strings.Replace(sale, "{", `{"tax_id":"`+canary+`","requires_exemption":{"exemption_type":"wholesale",`+of+`},`+
		`"exemptions":[{"exemption_type":"customer",`+of+`}],`, 1)
	var sold []struct{ ID string }
	in.call(client, "POST", "/v1/transactions", sale, 202).decode(in.t, &sold)
	in.call(client, "PUT", "/v1/transactions/"+sold[0].ID, versionBody("TAXED", "P-1", 2), 200)
	customer := in.call(client, "POST", "/v1/customers", `{"external_id":"TAXED-2","name":"Ada",`+registered+`}`,
		200).text(in.t, "id")
	in.call(client, "PUT", "/v1/customers/"+customer, `{"customer_tax_registrations":[]}`, 200)
	exemption := in.call(client, "POST", "/v1/exemptions",
		`{"exemption_type":"customer","start_date":"2026-01-01","customer_id":"`+customer+`",`+of+`}`, 200)
	in.call(client, "PUT", "/v1/exemptions/"+exemption.text(in.t, "id"), `{"FEIN":null}`, 200)
	registration := in.call(client, "POST", "/v1/registrations",
		in.registrationBody(fmt.Sprintf(`,"sales_tax_id":%q,"tax_id":%[1]q`, canary)), 200)
	in.call(client, "PUT", "/v1/registrations/"+registration.text(in.t, "id"), `{"tax_id":null}`, 200)
}

// plantOnSockets sends requests that net/http refuses by itself.
func (in *installation) plantOnSockets(as credentials, canary string) {
	in.t.Helper()
	address := in.listen()
	for _, bytes := range []string{
		canary + "\r\n\r\n",
		"GET /" + canary + " HTTP/1.1\r\nX-API-KEY: " + as.key + "\r\nX-API-KEY : " + as.key + "\r\n\r\n",
		"GET /" + canary + " HTTP/1.1\r\nHost: " + canary + " " + canary + "\r\n\r\n",
		"POST /v1/products HTTP/1.1\r\nHost: x\r\nX-API-KEY: " + as.key + "\r\nTransfer-Encoding: " + canary + "\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", address)
		require.NoError(in.t, err)
		require.NoError(in.t, conn.SetDeadline(time.Now().Add(10*time.Second)))
		_, err = io.WriteString(conn, bytes)
		require.NoError(in.t, err)
		answer, _ := io.ReadAll(conn)
		require.NotContains(in.t, string(answer), canary)
		require.NoError(in.t, conn.Close())
	}
}

// breakDatabase makes statements fail with errors in which PostgreSQL quotes the values of the row, and then breaks
// the connections.
func (in *installation) breakDatabase(client credentials, canary string) {
	in.t.Helper()
	product := func() string {
		return fmt.Sprintf(`{"external_id":"%[1]s-%[2]s","name":%[1]q,"product_category":"PHYSICAL","sku":[%[1]q]}`,
			canary, in.next("P"))
	}
	fail := func(path, body string) {
		in.t.Helper()
		a := in.send(in.t, request{as: client, method: "POST", target: path, body: body})
		require.GreaterOrEqual(in.t, a.status, 400)
		require.NotContains(in.t, string(a.body), canary)
	}
	sale := func() string {
		return strings.Replace(saleBody(in.next("ORDER-"+canary), "P-1", 1), "{", `{"description":"`+canary+`",`, 1)
	}
	in.execute(`ALTER TABLE products ADD CONSTRAINT no_birds CHECK (name NOT LIKE 'kanari%')`)
	in.execute(`ALTER TABLE transactions ADD CONSTRAINT no_birds CHECK (description NOT LIKE 'kanari%')`)
	fail("/v1/products", product())
	fail("/v1/transactions", sale())
	in.execute(`ALTER TABLE products DROP CONSTRAINT no_birds, ALTER name TYPE integer USING 1`)
	in.execute(`ALTER TABLE transactions DROP CONSTRAINT no_birds, ALTER description TYPE integer USING 1`)
	fail("/v1/products", product())
	fail("/v1/transactions", sale())
	in.execute(`ALTER TABLE products RENAME TO elsewhere`)
	fail("/v1/products", product())
	in.served.Close()
	fail("/v1/products", product())
	fail("/v1/transactions", sale())
}
