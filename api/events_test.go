package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// happened is an event as a client receives it.
type happened struct {
	ID             string `json:"id"`
	Type           string `json:"type"`
	OrganizationID string `json:"organization_id"`
	Sequence       int64  `json:"sequence"`
	RequestID      string `json:"request_id"`
	Data           struct {
		Object   json.RawMessage `json:"object"`
		Previous json.RawMessage `json:"previous_attributes"`
	} `json:"data"`
}

// events reads the feed after a cursor to its end.
func (in *installation) events(as credentials, after string, filter string) (all []happened, cursor string) {
	in.t.Helper()
	for {
		var page struct {
			Items      []happened `json:"items"`
			NextCursor *string    `json:"next_cursor"`
			HasMore    bool       `json:"has_more"`
		}
		body := in.do(as, "GET", "/v1/events?limit=3&after="+after+filter, "").expect(200).Body.Bytes()
		require.NoError(in.t, json.Unmarshal(body, &page), string(body))
		all = append(all, page.Items...)
		if page.NextCursor != nil {
			after = *page.NextCursor
		}
		if !page.HasMore {
			return all, after
		}
	}
}

func types(all []happened) []string {
	types := []string{}
	for _, e := range all {
		types = append(types, e.Type)
	}
	return types
}

// Every change through the API has its events once. Each has the object of the answer, the former values
// of the changed members and the request.
func TestEventsHoldTheObjectsThatAnswersShowed(t *testing.T) {
	t.Parallel()
	in := install(t)
	_, cursor := in.events(in.root, "", "")
	ids := map[string]string{}
	for _, c := range []struct{ name, method, path, body, types, previous string }{
		{"product", "POST", "/v1/products",
			`{"external_id":"P-1","name":"Chair","product_category":"PHYSICAL","product_subcategory":"GENERAL_CLOTHING"}`,
			"product.created", "{}"},
		{"product", "PUT", "/v1/products/{product}", `{"name":"Table"}`, "product.updated", `{"name":"Chair"}`},
		{"product", "PUT", "/v1/products/{product}", `{"name":"Table"}`, "", ""},
		{"customer", "POST", "/v1/customers", `{"external_id":"C-1","name":"Ada"}`, "customer.created", "{}"},
		{"customer", "PUT", "/v1/customers/{customer}", `{"name":"Eve"}`, "customer.updated", `{"name":"Ada"}`},
		{"exemption", "POST", "/v1/exemptions",
			`{"exemption_type":"customer","customer_id":"{customer}","country_code":"US","start_date":"2026-01-01"}`,
			"exemption.created", "{}"},
		{"exemption", "PUT", "/v1/exemptions/{exemption}", `{"reseller":true}`, "exemption.updated",
			`{"reseller":false,"exemption_category":null}`},
		{"presence", "POST", "/v1/nexus/physical_nexus",
			`{"country_code":"US","state_code":"TX","start_date":"2026-01-01","category":"INVENTORY"}`,
			"physical_nexus.created", "{}"},
		{"presence", "PUT", "/v1/nexus/physical_nexus/{presence}", `{"city":"Austin"}`, "physical_nexus.updated",
			`{"city":null}`},
		{"", "DELETE", "/v1/nexus/physical_nexus/{presence}", "", "physical_nexus.deleted", "{}"},
		{"registration", "POST", "/v1/registrations",
			`{"country_code":"US","state_code":"TX","filing_frequency":"MONTHLY","status":"REGISTERED",` +
				`"registration_date":"2026-01-01","registration_import_type":"REGULAR","username":"u","password":"hidden-word"}`,
			"registration.created", "{}"},
		{"registration", "PUT", "/v1/registrations/{registration}", `{"comment":"ours"}`, "registration.updated",
			`{"comment":null}`},
		{"notice", "POST", "/v1/notices", `{"registration_id":"{registration}","kind":"OTHER","authority":"A","received_date":"2026-06-02"}`,
			"notice.created", "{}"},
		{"notice", "PUT", "/v1/notices/{notice}", `{"status":"CLOSED","answer":"Nothing to do"}`, "notice.updated",
			`{"answer":null,"answered_at":null,"revision":1,"status":"OPEN"}`},
		{"sale", "POST", "/v1/transactions", sale("ORDER-1", ""), "transaction.created", "{}"},
		{"sale", "PUT", "/v1/transactions/{sale}", strings.Replace(sale("ORDER-1", ""), "100.00", "90.00", 1),
			"transaction.updated", ""},
	} {
		for name, id := range ids {
			c.path, c.body = strings.ReplaceAll(c.path, "{"+name+"}", id), strings.ReplaceAll(c.body, "{"+name+"}", id)
		}
		a := in.do(in.root, c.method, c.path, c.body)
		require.Less(t, a.Code, 300, "%s %s: %s", c.method, c.path, a.Body)
		answered := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(a.Body.String()), "["), "]")
		var object struct {
			ID string `json:"id"`
		}
		require.NoError(t, json.Unmarshal([]byte(answered), &object))
		if c.name != "" {
			ids[c.name] = object.ID
		}
		all, next := in.events(in.root, cursor, "")
		require.Equal(t, c.types, strings.Join(types(all), " "), "%s %s", c.method, c.path)
		cursor = next
		if len(all) == 0 {
			continue
		}
		last := all[len(all)-1]
		require.JSONEq(t, answered, string(last.Data.Object), "%s %s", c.method, c.path)
		if c.previous != "" {
			require.JSONEq(t, c.previous, string(last.Data.Previous), "%s %s", c.method, c.path)
		}
		require.Equal(t, a.Header().Get("X-Request-Id"), last.RequestID, c.types)
		require.NotContains(t, string(last.Data.Object), "hidden")
		one := in.do(in.root, "GET", "/v1/events/"+last.ID, "").expect(200)
		require.Equal(t, last.Type, one.text("type"))
	}
}

// Records whose answer has another form have events too, without secrets.
func TestEventsOfKeysCreditNotesAndArchives(t *testing.T) {
	t.Parallel()
	in := install(t)
	product := in.product(in.root, "P-1")
	bought := record(t, in, in.root, sale("ORDER-1", `,"status":"COMMITTED","currency":"USD"`)).text("id")
	archived := record(t, in, in.root, sale("ORDER-2", "")).text("id")
	_, cursor := in.events(in.root, "", "")
	note := func(status string) string {
		return `{"external_id":"NOTE-1","date":"2026-06-01T10:00:00Z","status":"` +
			status + `","total_amount":"-1.00","currency":"USD",
			"transaction_items":[{"external_id":"L1","external_product_id":"P-1","quantity":0,"amount":"-1.00"}]}`
	}
	var key, secret, noted string
	for _, c := range []struct{ method, path, body, types string }{
		{"POST", "/v1/api-keys", "", "api_key.created"},
		{"POST", "/v1/api-keys/{key}/rotate", "", "api_key.created api_key.rotated"},
		{"DELETE", "/v1/api-keys/{key}", "", "api_key.revoked"},
		{"DELETE", "/v1/api-keys/{key}", "", ""},
		{"DELETE", "/v1/products/" + product, "", "product.archived"},
		{"POST", "/v1/transactions/archive", `{"transaction_ids":["` + archived + `"]}`, "transaction.archived"},
		{"POST", "/v1/transactions/" + bought + "/credit_notes", note("PENDING"), "credit_note.created"},
		{"PUT", "/v1/transactions/" + bought + "/credit_notes/{note}", note("COMMITTED"),
			"credit_note.updated transaction.updated"},
	} {
		path := strings.NewReplacer("{key}", key, "{note}", noted).Replace(c.path)
		a := in.do(in.root, c.method, path, c.body)
		require.Less(t, a.Code, 300, "%s %s: %s", c.method, path, a.Body)
		if strings.Contains(path, "api-keys") && a.Code == http.StatusOK {
			key, secret = a.text("id"), a.text("api_key")
		} else if c.method == "POST" && strings.HasSuffix(path, "credit_notes") {
			noted = a.text("id")
		}
		all, next := in.events(in.root, cursor, "")
		told := types(all)
		slices.Sort(told)
		require.Equal(t, c.types, strings.Join(told, " "), "%s %s", c.method, path)
		for _, e := range all {
			require.False(t, secret != "" && strings.Contains(string(e.Data.Object), secret), "no secret of a key")
			require.NotEqual(t, "{}", string(e.Data.Object))
		}
		cursor = next
	}
	require.NotEmpty(t, secret)
}

// A cursor is an event of the organization; one that is too old begins at the oldest.
func TestCursorsOfTheFeed(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	in.product(in.root, "P-1")
	in.product(client, "P-1")
	own, end := in.events(in.root, "", "")
	theirs, _ := in.events(credentials{client.organizationID, in.root.key}, "", "") // a partner reads its clients
	require.NotEmpty(t, theirs)
	for i, e := range own {
		require.Equal(t, in.root.organizationID, e.OrganizationID)
		require.True(t, i == 0 || own[i-1].Sequence < e.Sequence)
	}
	empty := in.do(in.root, "GET", "/v1/events?after="+end, "").expect(200)
	require.Equal(t, []any{[]any{}, end, false},
		[]any{empty.member("items"), empty.member("next_cursor"), empty.member("has_more")})
	old, _ := in.events(in.root, models.EventID(time.Now().Add(-91*24*time.Hour), 1<<40), "")
	require.Equal(t, types(own), types(old))
	products, _ := in.events(in.root, "", "&type__in=product.created,product.updated")
	require.Equal(t, []string{"product.created"}, types(products))
	for _, after := range []string{"nonsense", "evnt_", theirs[0].ID, models.NewID("evnt"),
		models.EventID(time.Now(), 1<<40)} {
		in.do(in.root, "GET", "/v1/events?after="+after, "").expect(404, "reference_not_found")
		in.do(in.root, "GET", "/v1/events/"+after, "").expect(404, "resource_not_found")
	}
	for _, query := range []string{"limit=0", "limit=101", "type__in=product.made", "page=1"} {
		require.Equal(t, http.StatusBadRequest, in.do(in.root, "GET", "/v1/events?"+query, "").Code, query)
	}
	for _, of := range []struct {
		as  credentials
		all []happened
	}{{in.root, own}, {credentials{client.organizationID, in.root.key}, theirs}} {
		now := in.do(of.as, "GET", "/v1/events?after=now&limit=1", "").expect(200)
		require.Equal(t, []any{[]any{}, of.all[len(of.all)-1].ID, false},
			[]any{now.member("items"), now.member("next_cursor"), now.member("has_more")})
	}
	in.product(in.root, "P-2")
	later, _ := in.events(in.root, end, "")
	require.Equal(t, []string{"product.created"}, types(later))
	in.execute(fmt.Sprintf("DELETE FROM events WHERE organization_id = '%s'", in.root.organizationID))
	for _, after := range []string{"", "?after=now"} {
		none := in.do(in.root, "GET", "/v1/events"+after, "").expect(200)
		require.Equal(t, []any{[]any{}, nil}, []any{none.member("items"), none.member("next_cursor")})
	}
}

// A stream has the events of the feed of the requested types. It begins now, or after the last event
// that the client received.
func TestEventsAreStreamed(t *testing.T) {
	t.Parallel()
	in := install(t)
	address, _, _ := in.serve()
	live := followPath(t, address, in.root, "/v1/events/stream?type__in=product.created", "", nil)
	require.Equal(t, http.StatusOK, live.status)
	in.product(in.root, "P-1")
	record(t, in, in.root, sale("ORDER-1", ""))
	in.product(in.root, "P-2")
	feed, _ := in.events(in.root, "", "")
	products, _ := in.events(in.root, "", "&type__in=product.created")
	require.Len(t, products, 2)
	for _, e := range products {
		require.Equal(t, e.ID, live.event().ID)
	}
	behind := followPath(t, address, in.root, "/v1/events/stream", feed[0].ID, nil)
	for _, e := range feed[1:] {
		got := behind.event()
		require.Equal(t, e.Type+" "+e.ID, got.Type+" "+got.ID)
		require.JSONEq(t, string(e.Data.Object), string(got.Data.Object))
	}
	unknown := followPath(t, address, in.root, "/v1/events/stream", models.NewID(models.PrefixProduct), nil)
	require.Equal(t, http.StatusNotFound, unknown.status)
}

// event returns the next event of a streamed feed.
func (e *eventStream) event() (m happened) {
	e.t.Helper()
	for {
		block, ok := e.block()
		require.True(e.t, ok, "the stream has ended")
		lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
		if len(lines) != 3 {
			continue
		}
		require.NoError(e.t, json.Unmarshal([]byte(strings.TrimPrefix(lines[2], "data: ")), &m), block)
		require.Equal(e.t, []string{"event: " + m.Type, "id: " + m.ID}, lines[:2])
		return m
	}
}
