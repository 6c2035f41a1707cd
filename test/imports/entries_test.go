package imports_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// filings creates a registration in Texas and its returns of April and May.
func (s *merchant) filings() (april, may string) {
	s.t.Helper()
	registration := s.call(http.MethodPost, "/v1/registrations", "application/json", `{"country_code":"US","state_code":"TX",
		"registration_date":"2026-01-01","filing_frequency":"MONTHLY","imported":true,"do_not_file":true}`, 200).Field("id")
	of := func(first, last string) string {
		return s.call(http.MethodPost, "/v1/filings", "application/json", `{"registration_id":"`+registration+`","country_code":"US",
			"state_code":"TX","state_name":"Texas","start_date":"`+first+`","end_date":"`+last+`","status":"UNFILED"}`,
			200).Field("id")
	}
	return of("2026-04-01", "2026-04-30"), of("2026-05-01", "2026-05-31")
}

const entryHeader = "external_id,filing_id,country,state,start_date,end_date,kind,amount,taxable,note\n"

func ofApril(id, rest string) string { return id + ",,US,TX,2026-04-01,2026-04-30," + rest + "\n" }

// Entries of a file move the amounts of their return once, whatever is sent again. A return that is claimed refuses.
func TestEntriesOfReturnsAreImported(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	id, may := s.filings()
	file := entryHeader + ofApril("A", "PURCHASE,62.50,1000.00,Chairs") + "B," + id + ",,,,,INTEREST,12.40,,Notice\n" +
		ofApril("C", "PURCHASE,1.00,,no base") + ofApril("A", "PURCHASE,62.50,1000.00,Chairs") +
		"D,,US,TX,2026-06-01,2026-06-30,CREDIT,1.00,,no return\n" + ofApril("E", "GIFT,1.00,,no kind")
	results := func(p progress) []int {
		return []int{p.Rows, p.Accepted, p.AlreadyPresent, p.Conflicting, p.Rejected}
	}
	amounts := func() string {
		f := s.call(http.MethodGet, "/v1/filings/"+id, "", "", 200)
		return f.Field("amount_adjusted") + " " + f.Field("amount_penalties")
	}
	first := s.finished(s.upload(file).ID, "COMPLETED")
	require.Equal(t, []int{6, 2, 0, 1, 3}, results(first), "%+v", first.Problems)
	require.Equal(t, "62.50 12.40", amounts())
	told := map[int]string{}
	for _, p := range first.Problems {
		told[p.Line] += p.Column + ":" + p.Code + " "
	}
	require.Equal(t, map[int]string{4: "taxable:missing_field ", 5: "external_id:duplicate_external_id ",
		6: "start_date:not_found ", 7: "kind:invalid_enum "}, told)

	again := s.finished(s.upload(file).ID, "COMPLETED")
	require.Equal(t, []int{6, 0, 3, 0, 3}, results(again), "%+v", again.Problems)
	rejected := string(s.call(http.MethodGet, imports+"/"+first.ID+"/rejected_rows", "", "", 200).Body)
	corrected := strings.Replace(rejected, "PURCHASE,1.00,,no base", "PURCHASE,1.00,20.00,with a base", 1)
	require.NotEqual(t, rejected, corrected)
	mended := s.finished(s.upload(corrected).ID, "COMPLETED")
	require.Equal(t, 1, mended.Accepted, "%+v", mended.Problems)
	require.Equal(t, "63.50 12.40", amounts())
	changed := s.finished(s.upload(entryHeader+ofApril("A", "PURCHASE,62.51,1000.00,Chairs")).ID, "COMPLETED")
	require.Equal(t, []int{1, 0, 0, 1, 0}, results(changed))
	require.Equal(t, "amount", changed.Problems[0].Column)
	for _, filing := range []string{id, may} {
		refused := s.call(http.MethodPost, "/v1/filings/"+filing+"/entries", "application/json",
			`{"kind":"CREDIT","amount":1,"note":"x","external_id":"A"}`, 409)
		require.Equal(t, "duplicate_external_id", refused.Field("code"))
		require.Contains(t, refused.Field("existing_id"), "fent_")
	}
	require.Equal(t, 3, s.bed.Count("SELECT count(*) FROM audit WHERE action = 'add_entry' AND entity_id = $1", id))

	// All faults of a row are told at once: of its fields, of the columns of its return, and of what the return shows.
	faulty := s.finished(s.upload(strings.Replace(entryHeader, ",note", ",note,jurisdiction_id", 1)+
		"G,"+id+",,,,,PURCHASE,1.001,,,US-NY\n,,US,TX,2026-06-01,,CREDIT,0.00,,x,\n").ID, "COMPLETED")
	columns := map[int][]string{}
	for _, p := range faulty.Problems {
		columns[p.Line] = append(columns[p.Line], p.Column)
	}
	require.ElementsMatch(t, []string{"amount", "note", "jurisdiction_id", "taxable"}, columns[2], "%+v", faulty.Problems)
	require.ElementsMatch(t, []string{"amount", "end_date", "external_id"}, columns[3], "%+v", faulty.Problems)
	refused := s.call(http.MethodPost, "/v1/filings/"+id+"/entries", "application/json",
		`{"kind":"PURCHASE","amount":"x","jurisdiction_id":"US-NY","note":""}`, 400)
	for _, field := range []string{"amount", "note", "jurisdiction_id", "taxable"} {
		require.Contains(t, string(refused.Body), `"body.`+field+`"`)
	}

	// Columns may have other names, and dates the form of spreadsheets: 4/30/2026 shows that the month comes first.
	assigned := read(t, s.call(http.MethodPost, imports+"?columns=external_id,,country,state,start_date,end_date,kind,amount,note",
		"text/csv", "No.,Clerk,Land,State,From,To,What,Sum,Text\nH,Ann,US,TX,4/1/2026,4/30/2026,CREDIT,1.00,Sheet\n", 202))
	require.Equal(t, 1, s.finished(assigned.ID, "COMPLETED").Accepted)

	s.bed.Exec(`DO $$ BEGIN
		SET LOCAL session_replication_role = replica;
		UPDATE filings SET status = 'CANCELLED' WHERE id = '` + id + `';
	END $$`) // at once, without the lock that a change takes
	over := s.finished(s.upload(entryHeader+ofApril("A", "PURCHASE,62.50,1000.00,Chairs")+ofApril("F", "CREDIT,1.00,,late")).ID, "COMPLETED")
	require.Equal(t, []int{2, 0, 1, 0, 1}, results(over), "%+v", over.Problems)
	require.Equal(t, "filing_immutable", over.Problems[0].Code)
}
