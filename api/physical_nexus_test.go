package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The jurisdiction of a presence never changes. Another one is refused. The same one may be repeated as it was read
// or submitted.
func TestTheJurisdictionOfAPresenceCannotChange(t *testing.T) {
	t.Parallel()
	in := install(t)
	made := in.do(in.root, "POST", "/v1/nexus/physical_nexus", `{"country_code":"US","state_code":"new york",
		"start_date":"2026-01-01","category":"PHYSICAL_BUSINESS_LOCATION"}`).expect(200)
	path := "/v1/nexus/physical_nexus/" + made.text("id")
	for body, want := range map[string][]string{
		`{"state_code":"CA"}`:                                {"not_allowed body.state_code"},
		`{"state_code":"Atlantis"}`:                          {"not_allowed body.state_code"},
		`{"country_code":"CA"}`:                              {"not_allowed body.country_code"},
		`{"country_code":"CA","state_code":"ON"}`:            {"not_allowed body.country_code", "not_allowed body.state_code"},
		`{"state_code":"CA","end_date":"2025-01-01"}`:        {"not_allowed body.state_code", "mismatch body.end_date"},
		`{"state_code":null,"category":"SHED"}`:              {"missing_field body.state_code", "invalid_enum body.category"},
		`{"country_code":"US","state_code":7,"city":"Troy"}`: {"invalid_type body.state_code"},
	} {
		require.Equal(t, want, in.do(in.root, "PUT", path, body).bodyFaults(), body)
	}
	read := in.do(in.root, "GET", path, "").expect(200).Body.String()
	for _, body := range []string{read, strings.Replace(read, `"NY"`, `"New York"`, 1), `{"state_code":"ny"}`, `{}`} {
		require.Equal(t, "NY", in.do(in.root, "PUT", path, body).expect(200).text("state_code"), body)
	}
}
