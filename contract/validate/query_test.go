package validate

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuery(t *testing.T) {
	t.Parallel()
	const defaults = `"order_by":["-date"],"page":1,"size":50`
	for name, row := range map[string]struct {
		query string
		want  string // faults, comma-separated; "" = accepted
		bound string // members besides the defaults
	}{
		"nothing": {"", "", ""},
		"unknown parameters": {
			"x=1&x=2&page%5B%5D=3&stauts=",
			"unknown_parameter query.x,unknown_parameter query,unknown_parameter query.stauts", "",
		},
		"empty parameter":             {"status=&size=&marketplace=", "", ""},
		"list of statuses":            {"status=PENDING,COMMITTED", "", `"status":["PENDING","COMMITTED"]`},
		"A-31 SQL in a status":        {"status=PENDING%27%3BDROP", "invalid_enum query.status", ""},
		"A-21 empty member":           {"status=PENDING,", "invalid_enum query.status", ""},
		"A-21 wrong case":             {"transaction_type=sale", "invalid_enum query.transaction_type", ""},
		"country repeated and listed": {"country=US&country=CA,DE", "", `"country":["US","CA","DE"]`},
		"country unknown":             {"country=US&country=UK", "invalid_enum query.country", ""},
		"connection ids":              {"connection_id__in=a,%22b%22", "", `"connection_id__in":["a","\"b\""]`},
		"synonym":                     {"state=NY", "", `"state_code":"NY"`},
		"both synonyms of a state":    {"state=NY&state_code=CA", "", `"state_code":"CA"`},
		"the same, the other first":   {"state_code=CA&state=NY", "", `"state_code":"CA"`},
		"both, one without a value":   {"state=NY&state_code=", "", `"state_code":"NY"`},
		"A-33 page 0":                 {"page=0", "out_of_range query.page", ""},
		"A-33 page -1":                {"page=-1", "out_of_range query.page", ""},
		"A-33 page 10^18":             {"page=1000000000000000000", "out_of_range query.page", ""},
		"A-33 page abc":               {"page=abc", "invalid_format query.page", ""},
		"A-33 page with a point":      {"page=1.0", "invalid_format query.page", ""},
		"A-33 size 0":                 {"size=0", "out_of_range query.size", ""},
		"A-33 size 101":               {"size=101", "out_of_range query.size", ""},
		"A-33 limit -1":               {"limit=-1", "out_of_range query.limit", ""},
		"A-33 limit 10^9":             {"limit=1000000000", "out_of_range query.limit", ""},
		"A-33 offset 2^63":            {"offset=9223372036854775808", "out_of_range query.offset", ""},
		"A-33 offset beyond":          {"offset=1000001", "out_of_range query.offset", ""},
		"A-33 repeated":               {"size=5&size=6", "not_allowed query.size", ""},
		"A-33 repeated list":          {"status=PENDING&status=COMMITTED", "not_allowed query.status", ""},
		"A-33 limit with page":        {"limit=5&page=2", "not_allowed query.page", ""},
		"A-33 offset with size":       {"offset=5&size=2", "not_allowed query.size", ""},
		"boolean":                     {"marketplace=true", "", `"marketplace":true`},
		"boolean in words":            {"marketplace=1", "invalid_format query.marketplace", ""},
		"A-32 search is text":         {"search_query=100%25_%5C", "", `"search_query":"100%_\\"`},
		"search of 201 characters":    {"search_query=" + strings.Repeat("x", 201), "too_long query.search_query", ""},
		"A-31 order by an expression": {"order_by=date;drop", "unknown_order_field query.order_by", ""},
		"A-31 order by unknown":       {"order_by=date,secret", "unknown_order_field query.order_by", ""},
		"a day as end": {
			"startDate=2026-05-01&endDate=2026-05-31", "",
			`"startDate":"2026-05-01T00:00:00Z","endDate":"2026-05-31T23:59:59.999999Z"`,
		},
		"the same day": {
			"startDate=2026-05-01&endDate=2026-05-01", "",
			`"startDate":"2026-05-01T00:00:00Z","endDate":"2026-05-01T23:59:59.999999Z"`,
		},
		"A-34 backwards":          {"startDate=2026-05-02&endDate=2026-05-01", "mismatch query.endDate", ""},
		"A-34 days backwards":     {"date__gte=2026-05-02&date__lte=2026-05-01", "mismatch query.date__lte", ""},
		"A-34 no date":            {"startDate=May", "invalid_format query.startDate", ""},
		"A-34 plus read as space": {"startDate=2026-05-01T00:00:00+02:00", "invalid_format query.startDate", ""},
		"plus encoded": {
			"startDate=2026-05-01T00:00:00%2B02:00", "", `"startDate":"2026-04-30T22:00:00Z"`,
		},
		"broken escape":       {"state=%zz", "invalid_format query.state", ""},
		"invalid UTF-8":       {"state=%ff", "invalid_format query.state", ""},
		"NUL":                 {"state=%00", "invalid_format query.state", ""},
		"A-35 101 parameters": {strings.Repeat("country=&", 101), "too_many query", ""},
		"100 parameters":      {strings.Repeat("country=&", 100), "", ""},
		"all together": {
			"page=0&size=0&status=x",
			"out_of_range query.page,out_of_range query.size,invalid_enum query.status", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			code, faults := answerOf(t, b.send("GET", "/v1/transactions?"+row.query, ""))
			if row.want != "" {
				require.Equal(t, "validation_failed", code)
				require.Equal(t, row.want, strings.Join(faults, ","))
				return
			}
			require.Empty(t, code, "%v", faults)
			want := "{" + defaults + "}"
			if row.bound != "" {
				want = "{" + defaults + "," + row.bound + "}"
			}
			require.JSONEq(t, want, string(b.bound.params))
		})
	}
	t.Run("limit and offset replace page and size", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.send("GET", "/v1/transactions?offset=20&order_by=status,-date", "")
		require.JSONEq(t, `{"order_by":["status","-date"],"limit":50,"offset":20}`, string(b.bound.params))
	})
	t.Run("a synonym replaces the default of its parameter", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.send("GET", "/v1/organizations?status=ARCHIVED", "")
		require.JSONEq(
			t, `{"order_by":["created_at"],"page":1,"size":50,"status__in":["ARCHIVED"]}`,
			string(b.bound.params),
		)
	})
}

func TestAPeriodThatEndsBeforeItStartsIsRefused(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"start_date=2026-05-02&end_date=2026-05-01": "mismatch query.end_date",
		"start_date=2026-05-02&end_date=2026-05-02": "",
		"end_date=2026-05-01":                       "",
	} {
		_, faults := answerOf(t, setup(t).send("GET", "/v1/exemptions?"+query, ""))
		require.Equal(t, want, strings.Join(faults, ","), query)
	}
}

// A misspelt parameter is refused by the name of the one that was meant.
func TestUnknownParametersNameTheNearest(t *testing.T) {
	t.Parallel()
	for target, nearest := range map[string]string{
		"/v1/transactions?stauts=COMMITTED":                              "the nearest is status.",
		"/v1/filings?status_in=FILED":                                    "the nearest is status__in.",
		"/v1/transactions?StartDate=2026-1-1":                            "the nearest is startDate.",
		"/v1/products/external/P-1?page=1":                               "no such parameter here.",
		"/v1/transactions?" + strings.Repeat("%F0%9F%98%80", 500) + "=1": "no such parameter here.",
	} {
		r := setup(t).send("GET", target, "")
		_, faults := answerOf(t, r)
		require.Len(t, faults, 1, target)
		require.True(t, strings.HasPrefix(faults[0], "unknown_parameter query"), faults[0])
		require.Contains(t, r.Body.String(), nearest, target)
	}
	code, _ := answerOf(t, setup(t).send("DELETE", "/v1/products/prod_01jx4m0q5tb7cyd2f6g8h9j1k3?trace=7", ""))
	require.Empty(t, code, "a write without parameters filters nothing")
	code, _ = answerOf(t, setup(t).send("GET", "/healthz?probe=7", ""))
	require.Empty(t, code, "health checks accept any parameter")
}

func TestInvalidPathsAreRefused(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/v1/transactions/-1", "/v1/transactions/prod_01jx4m0q5tb7cyd2f6g8h9j1k3",
		"/v1/transactions/TXN_01jx4m9a2bfqv8m1x0c5t7hkde",
		"/v1/transactions/txn_81jx4m9a2bfqv8m1x0c5t7hkde", "/v1/transactions/txn_01jx4m9a2bfqv8m1x0c5t7hkdu",
		"/v1/transactions/%00",
		"/v1/transactions/%F0%9F%98%80", "/v1/transactions/" + strings.Repeat("x", 10_000),
		"/v1/transactions/;/history",
		"/v1/products/external/" + strings.Repeat("x", 256), "/v1/products/external/a%00", "/v1/products/external/%ff",
	} {
		r := setup(t).send("GET", path, "")
		code, _ := answerOf(t, r)
		require.Equal(t, "resource_not_found", code, path)
	}
	for _, path := range []string{
		"/v1/transactions/txn_01jx4m9a2bfqv8m1x0c5t7hkde", "/v1/products/external/a%2Fb", "/v1/products/external/%25_%27",
	} {
		require.Equal(t, http.StatusOK, setup(t).send("GET", path, "").Code, path)
	}
	t.Run("a fault in the query comes first", func(t *testing.T) {
		t.Parallel()
		code, _ := answerOf(t, setup(t).send("GET", "/v1/transactions/nonsense/history?page=0", ""))
		require.Equal(t, "validation_failed", code)
	})
}

// A sentence about a parameter names it, as it is also shown without its place, such as on a page.
func TestSentencesAboutParametersNameThem(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"page=abc":             "page must be a whole number.",
		"page=0":               "page must be between 1 and 1000000000.",
		"size=1.0":             "size must be a whole number.",
		"marketplace=1":        "marketplace must be true or false.",
		"date__gte=May":        "date__gte must be a calendar day in the form 2026-05-15.",
		"date__gte=1800-01-01": "date__gte: The year must be between 1900 and 2100.",
		"status=x":             "status must be one of PENDING, COMMITTED, ",
		"order_by=secret":      "order_by must be one of ",
		"state=%ff":            "state: The value is not properly percent-encoded text.",
		"size=5&size=6":        "size may be sent only once.",
		"limit=5&page=2":       "page cannot be combined with limit or offset.",
		"stauts=x":             "stauts: There is no such parameter; the nearest is status.",
		"xyzzy=x":              "xyzzy: There is no such parameter here.",
		"page%5B%5D=3":         "There is no such parameter; the nearest is page.",
		"startDate=2026-05-02&endDate=2026-05-01":  "endDate must not be before startDate.",
		"search_query=" + strings.Repeat("x", 201): "search_query: At most 200 characters are allowed.",
	} {
		require.Contains(t, messageOf(t, "GET", "/v1/transactions?"+query, ""), want, query)
	}
	require.Equal(t, "format is required.", messageOf(t, "GET", "/v1/transactions/export", ""))
	require.Equal(t, "status__in: A parameter with the same meaning is present already.",
		messageOf(t, "GET", "/v1/nexus?status=EXPOSED&status__in=REGISTERED", ""))
}
