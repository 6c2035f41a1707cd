package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// registeredThere is a registration about which letters come.
const registeredThere = `{"country_code":"US","state_code":"NY","filing_frequency":"MONTHLY","status":"REGISTERED",` +
	`"registration_date":"2026-01-01","registration_import_type":"REGULAR"}`

// A letter waits among the exceptions, with what is at stake and its due day, until it is answered.
func TestANoticeWaitsUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	registration := in.do(client, "POST", "/v1/registrations", registeredThere).expect(200).text("id")
	body := `{"registration_id":"` + registration + `","kind":"PENALTY","authority":"New York Tax","reference":"L-77",` +
		`"amount":"125.40","currency":"USD","received_date":"2026-06-02","due_date":"2026-07-01","assignee":"Ann",` +
		`"description":"Late return for May"}`
	once := header("Idempotency-Key", "one")
	made := in.do(client, "POST", "/v1/notices", body, once).expect(200)
	require.Equal(t, made.text("id"), in.do(client, "POST", "/v1/notices", body, once).expect(200).text("id"))
	for name, want := range map[string]any{"status": "OPEN", "filing_id": nil, "state_code": "NY", "amount": "125.40",
		"assignee": "Ann", "revision": 1.0, "answer": nil, "documents": []any{}} {
		require.Equal(t, want, made.member(name), name)
	}
	path := "/v1/notices/" + made.text("id")
	list := in.do(client, "GET", "/v1/notices?status__in=OPEN,IN_PROGRESS&assignee=Ann&search_query=l-7&state_code=NY", "").expect(200)
	require.InDelta(t, 1, list.member("total"), 0)
	require.Zero(t, in.do(client, "GET", "/v1/notices?assignee=Bob", "").expect(200).member("total"))

	waiting := func() []any {
		found, _ := in.do(client, "GET", "/v1/exceptions?type__in=NOTICE_OPEN", "").expect(200).member("items").([]any)
		return found
	}
	require.Len(t, waiting(), 1)
	e := waiting()[0].(map[string]any)
	require.Equal(t, []any{made.text("id"), "PENALTY", "125.40", "USD", "2026-07-01", "Ann", "Notice of New York Tax: penalty",
		[]any{"updateNotice"}},
		[]any{e["object_id"], e["reason_code"], e["amount"], e["currency"], e["due"], e["assignee"], e["title"], e["actions"]})
	group := in.do(client, "GET", "/v1/exceptions/groups?type__in=NOTICE_OPEN", "").expect(200).member("items").([]any)[0].(map[string]any)
	require.Equal(t, []any{"Notices of authorities to answer: penalty", "2026-07-01"}, []any{group["title"], group["due"]})
	require.Equal(t, "125.40", group["amounts"].([]any)[0].(map[string]any)["amount"])
	in.do(client, "PUT", "/v1/exceptions/NOTICE_OPEN/"+made.text("id"), `{"assignee":"Bob"}`).expect(200)
	in.do(client, "PUT", "/v1/exceptions/NOTICE_OPEN/"+made.text("id"), `{"assignee":"Bob","note":"Called."}`).expect(200)
	charged := in.do(client, "GET", path, "").expect(200)
	require.Equal(t, []any{"Bob", 2.0}, []any{charged.text("assignee"), charged.member("revision")}, "both name one person")

	calendar := in.do(client, "GET", "/v1/due_filings/export?format=ics&due_date__gte=2026-07-01&due_date__lte=2026-07-01", "").expect(200)
	require.Contains(t, calendar.Body.String(), "UID:"+made.text("id")+"@levy")

	in.do(client, "PUT", path, `{"status":"ANSWERED"}`).expect(400, "validation_failed")
	in.do(client, "PUT", path, `{"status":"IN_PROGRESS","revision":2}`).expect(200)
	stale := in.do(client, "PUT", path, `{"kind":"OTHER","revision":1}`).expect(409, "notice_changed")
	require.InDelta(t, 3, stale.member("revision"), 0)
	answered := in.do(client, "PUT", path, `{"status":"ANSWERED","answer":"Paid on 12 June."}`).expect(200)
	require.NotNil(t, answered.member("answered_at"))
	require.Empty(t, waiting())
	in.do(client, "PUT", path, `{"answer":null}`).expect(400, "validation_failed")
	in.do(client, "PUT", path, `{"status":"OPEN"}`).expect(409, "invalid_status_transition")
	same := in.do(client, "PUT", path, `{"answer":"Paid on 12 June."}`).expect(200)
	require.Equal(t, answered.member("revision"), same.member("revision"), "nothing has changed")
	in.do(client, "PUT", path, `{"status":"IN_PROGRESS"}`).expect(200)
	require.Len(t, waiting(), 1, "the authority has written again")

	all, _ := in.events(client, "", "&type__in=notice.created,notice.updated")
	require.Equal(t, []string{"notice.created", "notice.updated", "notice.updated", "notice.updated", "notice.updated"}, types(all))
	in.do(client, "PUT", path, `{"amount":"130.00","assignee":"Eve"}`).expect(200)
	require.Equal(t, 1, in.count(`SELECT count(*) FROM audit WHERE entity_type = 'notice' AND detail = '{"fields": ["amount", "assignee"],
		"amount": {"from": "125.40", "to": "130.00"}}'`), "it has the values, also with another person in charge")
	in.do(client, "PUT", path, `{"amount":"125.40","assignee":"Bob"}`).expect(200)
	require.Zero(t, in.count("SELECT count(*) FROM audit WHERE entity_type = 'notice' AND detail::text LIKE '%Paid%'"))
	file := in.do(client, "GET", "/v1/notices/export?format=csv", "").expect(200).Body.String()
	require.Contains(t, file, ",PENALTY,New York Tax,L-77,125.40,USD,2026-06-02,2026-07-01,IN_PROGRESS,Bob,")
}

// A faulty letter is refused with all of its faults, and other organizations have none of it.
func TestNoticesThatAreRefused(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	registered := in.do(client, "POST", "/v1/registrations", registeredThere).expect(200)
	filing := strings.TrimPrefix(in.filing(client, registered, "PAUSED"), "/v1/filings/")
	tomorrow := time.Now().AddDate(0, 0, 2).Format(time.DateOnly)
	base := `{"kind":"OTHER","authority":"A","received_date":"2026-06-02",`
	for body, location := range map[string]string{
		base + `"filing_id":"` + filing + `","registration_id":"` + registered.text("id") + `"}`: "body.registration_id",
		base + `"currency":"USD"}`:                                                                  "body.registration_id",
		base + `"registration_id":"x","amount":1}`:                                                  "body.currency",
		base + `"registration_id":"x","amount":-1,"currency":"USD"}`:                                "body.amount",
		`{"kind":"OTHER","authority":"A","registration_id":"x","received_date":"` + tomorrow + `"}`: "body.received_date",
		`{"kind":"FINE","authority":"A","registration_id":"x","received_date":"2026-06-02"}`:        "body.kind",
	} {
		require.Contains(t, in.do(client, "POST", "/v1/notices", body).expect(400, "validation_failed").Body.String(),
			`"location":"`+location+`"`, body)
	}
	in.do(client, "POST", "/v1/notices", base+`"filing_id":"file_x"}`).expect(404, "reference_not_found")
	made := in.do(client, "POST", "/v1/notices", base+`"filing_id":"`+filing+`"}`).expect(200)
	require.Equal(t, []any{filing, registered.text("id")}, []any{made.member("filing_id"), made.member("registration_id")})
	in.do(other, "POST", "/v1/notices", base+`"filing_id":"`+filing+`"}`).expect(404, "reference_not_found")
	path := "/v1/notices/" + made.text("id")
	in.do(other, "GET", path, "").expect(404, "resource_not_found")
	in.do(other, "PUT", path, `{"kind":"REFUND"}`).expect(404, "resource_not_found")
	in.do(client, "PUT", path, `{"amount":"5.00"}`).expect(400, "validation_failed")
	in.do(client, "PUT", path, `{"kind":null}`).expect(400, "validation_failed")
	in.execute(`INSERT INTO notices (organization_id, id, registration_id, country_code, state_code, kind, authority, received_date,
		  status, revision, created_at, updated_at)
		SELECT organization_id, 'n' || n, registration_id, country_code, state_code, kind, authority, received_date, status, revision,
		       created_at, updated_at FROM notices, generate_series(1, $1) n`, models.MaxNotices)
	in.do(client, "POST", "/v1/notices", base+`"filing_id":"`+filing+`"}`).expect(409, "notice_limit_reached")
}

// A letter is stored sealed, counts for the quota, and comes back byte for byte to the organization alone.
func TestLettersOfANotice(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	registration := in.do(client, "POST", "/v1/registrations", registeredThere).expect(200).text("id")
	notice := in.do(client, "POST", "/v1/notices", `{"registration_id":"`+registration+
		`","kind":"OTHER","authority":"A","received_date":"2026-06-02"}`).expect(200).text("id")
	path := "/v1/notices/" + notice + "/documents"
	large := pdf + strings.Repeat("0123456789abcdef", 3<<16) // more than one piece
	body, typed := form(t, "file", "letter.pdf", large)
	made := in.do(client, "POST", path, body, typed).expect(200)
	require.Equal(t, []any{"letter.pdf", "application/pdf", float64(len(large)), notice},
		[]any{made.member("filename"), made.member("content_type"), made.member("size"), made.member("notice_id")})
	require.Zero(t, in.count("SELECT count(*) FROM notice_document_pieces WHERE position('9abcdef0' IN content) > 0"))
	require.Positive(t, in.count("SELECT bytes FROM organization_storage WHERE organization_id = $1 AND bytes > $2",
		client.organizationID, len(large)))
	require.Equal(t, large, in.do(client, "GET", path+"/"+made.text("id"), "").expect(200).Body.String())
	require.Equal(t, 1, in.count("SELECT count(*) FROM audit WHERE entity_type = 'notice_document' AND action = 'read'"))
	require.Len(t, in.do(client, "GET", "/v1/notices/"+notice, "").expect(200).member("documents"), 1)
	in.do(other, "GET", path+"/"+made.text("id"), "").expect(404, "resource_not_found")
	in.do(other, "POST", path, body, typed).expect(404, "resource_not_found")
	page, typedPage := form(t, "file", "a.pdf", "<html>")
	in.do(client, "POST", path, page, typedPage).expect(400, "validation_failed")
	in.execute(`INSERT INTO notice_documents SELECT organization_id, 'd' || n, notice_id, filename, content_type, size, sha256, created_at
		FROM notice_documents, generate_series(1, $1) n`, models.MaxNoticeDocuments-1)
	small, typedSmall := form(t, "file", "a.pdf", pdf)
	in.do(client, "POST", path, small, typedSmall).expect(409, "notice_limit_reached")
	in.execute("UPDATE notice_document_pieces SET n = 5 - n WHERE n IN (0, 1)")
	require.NotEqual(t, large, in.do(client, "GET", path+"/"+made.text("id"), "").Body.String(), "a piece belongs to its place")
}
