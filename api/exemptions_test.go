package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
)

// customer creates a customer and returns its id.
func (in *installation) customer(as credentials, externalID string) string {
	in.t.Helper()
	return in.do(
		as, "POST", "/v1/customers", `{"external_id":"`+externalID+`","name":"Name of `+externalID+`"}`,
	).expect(200).text("id")
}

func TestCreateExemption(t *testing.T) {
	t.Parallel()
	in := install(t)
	customer := in.customer(in.root, "C-1")
	a := in.do(in.root, "POST", "/v1/exemptions", `{"exemption_type":"wholesale","customer_id":"`+customer+
		`","start_date":"2026-01-01","end_date":"2026-12-31",
		"jurisdiction":"NY","FEIN":"12-3456789","id":"exmp_x","customer_name":"Nobody"}`).expect(200)
	for name, want := range map[string]any{
		"organization_id": in.root.organizationID, "exemption_type": "wholesale", "start_date": "2026-01-01",
		"end_date": "2026-12-31", "customer_id": customer,
		"transaction_id": nil, "country_code": "US", "jurisdiction": "NY", "reseller": true, "FEIN": "12-3456789",
		"sales_tax_id": nil, "status": "ACTIVE",
		"customer_name": "Name of C-1", "attachments": []any{}, "updated_at": nil,
	} {
		require.Equal(t, want, a.member(name), name)
	}
	require.NotContains(t, a.Body.String(), "null", "fields without a value are left out")
	require.JSONEq(
		t, a.Body.String(), in.do(in.root, "GET", "/v1/exemptions/"+a.text("id"), "").expect(200).Body.String(),
	)

	minimal := in.do(
		in.root, "POST", "/v1/exemptions",
		`{"exemption_type":"customer","customer_id":"`+customer+
			`","start_date":"2026-01-01","reseller":null,"end_date":null}`,
	).expect(200)
	require.Equal(t, []any{false, nil, nil}, []any{
		minimal.member("reseller"), minimal.member("end_date"), minimal.member("jurisdiction"),
	})

	for body, location := range map[string]string{
		`{"exemption_type":"customer",` +
			`"start_date":"2026-01-01"}`: "body.customer_id",
		`{"exemption_type":"wholesale",` +
			`"start_date":"2026-01-01"}`: "body.customer_id",
		`{"exemption_type":"transaction",` +
			`"start_date":"2026-01-01"}`: "body.transaction_id",
		`{"exemption_type":"CUSTOMER","customer_id":"x",` +
			`"start_date":"2026-01-01"}`: "body.exemption_type",
		`{"exemption_type":"customer",` +
			`"customer_id":"x"}`: "body.start_date",
		`{"exemption_type":"customer","customer_id":"x","start_date":"2026-01-02","end_date":"2026-01-01"}`: "body.end_date",
		`{"exemption_type":"customer","customer_id":"x",` +
			`"start_date":"2026-01-02T00:00:00Z"}`: "body.start_date",
		`{"exemption_type":"customer","customer_id":"x","start_date":"2026-01-02","status":"EXPIRED"}`: "body.status",
		`{"exemption_type":"customer","customer_id":"x","start_date":"2026-01-02","end_date":"2100-01-01",` +
			`"status":"EXPIRED"}`: "body.status",
	} {
		require.Contains(
			t, in.do(in.root, "POST", "/v1/exemptions", body).expect(400, "validation_failed").Body.String(),
			`"location":"`+location+`"`, body,
		)
	}
	unknown := in.do(
		in.root, "POST", "/v1/exemptions",
		`{"exemption_type":"customer","customer_id":"`+models.NewID("cust")+`","transaction_id":"`+
			models.NewID("txn")+`","start_date":"2026-01-01"}`,
	).
		expect(404, "reference_not_found")
	require.Contains(t, unknown.Body.String(), "body.customer_id")
	require.Contains(t, unknown.Body.String(), "body.transaction_id", "all unknown references at once")
	stranger := in.client("Client")
	in.do(
		stranger, "POST", "/v1/exemptions",
		`{"exemption_type":"customer","customer_id":"`+customer+`","start_date":"2026-01-01"}`,
	).
		expect(404, "reference_not_found")
}

func TestUpdateExemption(t *testing.T) {
	t.Parallel()
	in := install(t)
	path := "/v1/exemptions/" + in.do(in.root, "POST", "/v1/exemptions",
		`{"exemption_type":"wholesale","customer_id":"`+in.customer(
			in.root, "C-1",
		)+`","start_date":"2026-01-01",
		"end_date":"2026-12-31","jurisdiction":"ON","FEIN":"1","country_code":"CA","reseller":false}`).expect(200).text("id")
	for _, c := range []struct {
		body string
		want map[string]any
	}{
		{
			`{}`,
			map[string]any{
				"start_date": "2026-01-01", "end_date": "2026-12-31", "jurisdiction": "ON", "reseller": false,
			},
		},
		{
			`{"exemption_type":"customer","customer_id":"cust_x"}`,
			map[string]any{"exemption_type": "wholesale", "customer_name": "Name of C-1"},
		},
		{
			`{"end_date":"2027-12-31","FEIN":"2","sales_tax_id":"S"}`,
			map[string]any{"end_date": "2027-12-31", "FEIN": "2", "sales_tax_id": "S"},
		},
		{`{"end_date":null,"jurisdiction":null,"FEIN":null,"country_code":null,"reseller":null,"sales_tax_id":null}`,
			map[string]any{
				"end_date": nil, "jurisdiction": nil, "FEIN": nil, "country_code": "US", "reseller": true,
				"sales_tax_id": nil,
			}},
	} {
		a := in.do(in.root, "PUT", path, c.body).expect(200)
		for name, want := range c.want {
			require.Equal(t, want, a.member(name), "%s: %s", c.body, name)
		}
		require.NotNil(t, a.member("updated_at"))
		require.JSONEq(t, a.Body.String(), in.do(in.root, "GET", path, "").Body.String())
	}
	for body, location := range map[string]string{
		`{"end_date":"2025-12-31"}`: "body.end_date", `{"start_date":null}`: "body.start_date",
		`{"status":"EXPIRED"}`:                                "body.status",
		`{"jurisdiction":"Texas"}`:                            "body.jurisdiction",
		`{"jurisdiction":"ZZ"}`:                               "body.jurisdiction",
		`{"start_date":"2026-02-02","end_date":"2026-02-01"}`: "body.end_date",
	} {
		require.Contains(
			t, in.do(in.root, "PUT", path, body).expect(400, "validation_failed").Body.String(),
			`"location":"`+location+`"`, body,
		)
	}
	in.do(in.root, "PUT", path, `{"end_date":"2026-03-01"}`).expect(200)
	require.Contains(
		t, in.do(in.root, "PUT", path, `{"start_date":"2026-03-02"}`).expect(400).Body.String(),
		`"location":"body.start_date"`,
	)
}

// An exemption whose jurisdiction is no code of a state would never apply, without an error.
func TestAnExemptionIsOfAJurisdictionThatTaxes(t *testing.T) {
	t.Parallel()
	in := install(t)
	customer := in.customer(in.root, "C-1")
	for place, known := range map[string]bool{
		`"jurisdiction":"NY"`: true, `"jurisdiction":"ny"`: true, `"jurisdiction":"US"`: true,
		`"country_code":"PR","jurisdiction":"PR"`: true, `"country_code":"CA","jurisdiction":"ON"`: true,
		`"country_code":"DE"`: true, `"country_code":"DE","jurisdiction":"DE"`: true,
		`"jurisdiction":"Texas"`: false, `"jurisdiction":"ZZ"`: false, `"jurisdiction":"ON"`: false,
		`"country_code":null,"jurisdiction":"Texas"`: false, `"country_code":"","jurisdiction":"ZZ"`: false,
		`"country_code":"CA","jurisdiction":"NY"`: false, `"country_code":"DE","jurisdiction":"BY"`: false,
	} {
		exemption := `"exemption_type":"customer","customer_id":"` + customer + `","start_date":"2026-01-01",` + place
		answer := in.do(in.root, "POST", "/v1/exemptions", "{"+exemption+"}")
		sale := in.do(in.root, "POST", "/v1/transactions", sale(
			"O-1", `,"requires_exemption":{"status":"INACTIVE",`+exemption+"}"))
		if known {
			answer.expect(200)
			require.NotContains(t, sale.Body.String(), "requires_exemption.jurisdiction", place)
			continue
		}
		require.Contains(t, answer.expect(400, "validation_failed").Body.String(), `"location":"body.jurisdiction"`, place)
		require.Contains(t, sale.expect(400, "validation_failed").Body.String(),
			`"location":"body.requires_exemption.jurisdiction"`, place)
	}
}

// The transitions of contract 23.8, for every pair of statuses.
func TestTransitionsOfExemptions(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Now = func() time.Time { return now } })
	customer := in.customer(in.root, "C-1")
	statuses := []string{"ACTIVE", "INACTIVE", "EXPIRED", "DEACTIVATED", "ARCHIVED"}
	may := map[string]string{
		"ACTIVE": "INACTIVE DEACTIVATED ARCHIVED", "INACTIVE": "ACTIVE DEACTIVATED ARCHIVED",
		"EXPIRED": "ARCHIVED", "DEACTIVATED": "ACTIVE ARCHIVED", "ARCHIVED": "",
	}
	exemption := func(status string) string {
		id := in.do(
			in.root, "POST", "/v1/exemptions",
			`{"exemption_type":"customer","customer_id":"`+customer+
				`","start_date":"2026-01-01","end_date":"2026-06-14"}`,
		).expect(200).text("id")
		in.execute("ALTER TABLE exemptions DISABLE TRIGGER exemptions_status_move")
		in.execute("UPDATE exemptions SET status = $1 WHERE id = $2", status, id)
		in.execute("ALTER TABLE exemptions ENABLE TRIGGER exemptions_status_move")
		return "/v1/exemptions/" + id
	}
	for _, from := range statuses {
		allowed := map[string]bool{from: true}
		for _, to := range statuses {
			for _, word := range strings.Fields(may[from]) {
				allowed[to] = allowed[to] || word == to
			}
			if to == "EXPIRED" {
				continue // cannot be sent
			}
			path := exemption(from)
			a := in.do(in.root, "PUT", path, `{"status":"`+to+`"}`)
			if allowed[to] {
				require.Equal(t, to, a.expect(200).text("status"), "%s to %s", from, to)
				continue
			}
			a.expect(409, "invalid_status_transition")
			require.Equal(t, []any{from, to}, []any{a.member("from"), a.member("to")})
			require.Len(t, a.member("allowed"), len(strings.Fields(may[from])))
			require.Equal(t, from, in.do(in.root, "GET", path, "").text("status"))
		}
	}
	t.Run("an exemption whose last day is past may be sent as expired", func(t *testing.T) {
		require.Equal(t, "EXPIRED",
			in.do(in.root, "PUT", exemption("ACTIVE"), `{"status":"EXPIRED"}`).expect(200).text("status"))
		require.Equal(t, "EXPIRED", in.do(in.root, "PUT", exemption("ACTIVE"),
			`{"status":"EXPIRED","end_date":"2026-06-13"}`).expect(200).text("status"))
		in.do(in.root, "PUT", exemption("ACTIVE"), `{"status":"EXPIRED","end_date":"2026-06-15"}`).
			expect(400, "validation_failed")
		in.do(in.root, "PUT", exemption("INACTIVE"), `{"status":"EXPIRED"}`).expect(409, "invalid_status_transition")
		body := `{"exemption_type":"customer","customer_id":"` + customer + `","start_date":"2026-01-01","status":"EXPIRED"`
		require.Equal(t, "EXPIRED", in.do(in.root, "POST", "/v1/exemptions", body+`,"end_date":"2026-06-14"}`).
			expect(200).text("status"))
		in.do(in.root, "POST", "/v1/exemptions", body+`,"end_date":"2026-06-15"}`).expect(400, "validation_failed")
	})
	t.Run("a later last day brings an expired exemption back", func(t *testing.T) {
		for body, want := range map[string]string{
			`{"end_date":"2026-06-15"}`:                     "ACTIVE",
			`{"end_date":null}`:                             "ACTIVE",
			`{"end_date":"2026-06-15","status":"ACTIVE"}`:   "ACTIVE",
			`{"end_date":"2026-06-13"}`:                     "EXPIRED",
			`{"FEIN":"1"}`:                                  "EXPIRED",
			`{"end_date":"2027-01-01","status":"ARCHIVED"}`: "ARCHIVED",
		} {
			require.Equal(t, want, in.do(in.root, "PUT", exemption("EXPIRED"), body).expect(200).text("status"), body)
		}
		in.do(in.root, "PUT", exemption("EXPIRED"), `{"end_date":"2027-01-01","status":"INACTIVE"}`).
			expect(409, "invalid_status_transition")
	})
}

func TestListExemptions(t *testing.T) {
	t.Parallel()
	in := install(t)
	ada, bob := in.customer(in.root, "Ada"), in.customer(in.root, "Bob")
	for _, body := range []string{
		`"customer_id":"` + ada + `","start_date":"2026-01-01","end_date":"2026-03-31","jurisdiction":"NY","FEIN":"A"`,
		`"customer_id":"` + bob + `","start_date":"2026-02-01","FEIN":"B","sales_tax_id":"S_1"`,
		`"customer_id":"` + bob +
			`","start_date":"2026-03-01","end_date":"2026-04-30","country_code":"CA","jurisdiction":"ON","FEIN":"C","status":"INACTIVE"`,
		`"customer_id":"` + bob + `","start_date":"2026-04-01","FEIN":"D","status":"DEACTIVATED"`,
	} {
		in.do(in.root, "POST", "/v1/exemptions", `{"exemption_type":"customer",`+body+`}`).expect(200)
	}
	for query, want := range map[string][]any{
		"":                             {"A", "C", "B"},
		"?order_by=-end_date":          {"C", "A", "B"}, // open ones stay last
		"?order_by=FEIN":               {"A", "B", "C"},
		"?order_by=-start_date":        {"C", "B", "A"},
		"?order_by=status,FEIN":        {"A", "B", "C"},
		"?order_by=sales_tax_id,-FEIN": {"B", "C", "A"},
		"?status=DEACTIVATED":          {"D"},
		"?status__in=INACTIVE,DEACTIVATED&order_by=FEIN": {"C", "D"},
		"?search_query=s_":                               {"B"},
		"?search_query=of%20ada":                         {"A"},
		"?country_code=CA":                               {"C"},
		"?country_code=CA&country_code=US&order_by=FEIN": {"A", "B", "C"},
		"?jurisdiction=ny":                               {"A"},
		"?start_date=2026-02-01&order_by=FEIN":           {"B", "C"},
		"?end_date=2026-03-31":                           {"A"},
		"?customer_id=" + ada:                            {"A"},
		"?customer_id=x":                                 {},
		"?transaction_id=" + models.NewID("txn"):         {},
		"?size=1&page=2":                                 {"C"},
	} {
		require.Equal(t, want, in.do(in.root, "GET", "/v1/exemptions"+query, "").expect(200).list("FEIN"), query)
	}
	require.Equal(t, []any{
		"Name of Ada", "Name of Bob", "Name of Bob",
	}, in.do(in.root, "GET", "/v1/exemptions", "").list("customer_name"))
	for _, bad := range []string{"?order_by=fein", "?status=GONE", "?start_date=2026-02-30", "?country_code=us"} {
		in.do(in.root, "GET", "/v1/exemptions"+bad, "").expect(400, "validation_failed")
	}
}

// A stored value that a later rule would refuse may be sent again, and no other invalid value.
func TestAStoredJurisdictionThatIsInvalidMayBeSentAgain(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	exemption := "/v1/exemptions/" + in.do(in.root, "POST", "/v1/exemptions", `{"exemption_type":"customer",
		"start_date":"2026-01-01","customer_id":"`+in.customer(in.root, "C-1")+`"}`).expect(200).text("id")
	in.execute("UPDATE exemptions SET jurisdiction = 'Texas'")
	stored := in.do(in.root, "GET", exemption, "").expect(200).Body.String()
	require.Equal(t, "Texas", in.do(in.root, "PUT", exemption, stored).expect(200).text("jurisdiction"))
	require.Equal(t, []string{"invalid_enum body.jurisdiction"},
		in.do(in.root, "PUT", exemption, strings.Replace(stored, "Texas", "Ohio", 1)).bodyFaults())

	sale := record(t, in, in.root, sale("O-1", `,"requires_exemption":{"exemption_type":"wholesale"}`))
	path := "/v1/transactions/" + sale.text("id")
	in.execute(`UPDATE transactions SET requires_exemption = requires_exemption || '{"jurisdiction":"Texas"}'`)
	shown := in.do(in.root, "GET", path, "").expect(200).Body.String()
	repeated := in.do(in.root, "PUT", path, shown).expect(200)
	require.Contains(t, repeated.Body.String(), `"jurisdiction":"Texas"`)
	for _, other := range []string{
		strings.Replace(shown, "Texas", "Ohio", 1), strings.Replace(shown, `"country_code":"US"`, `"country_code":"CA"`, 1),
	} {
		require.Equal(t, []string{"invalid_enum body.requires_exemption.jurisdiction"},
			in.do(in.root, "PUT", path, other).bodyFaults(), other)
	}
}
