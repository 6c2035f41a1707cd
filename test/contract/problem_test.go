package contract_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// problemCode has the properties that the contract defines for a code.
type problemCode struct {
	status    int
	retryable bool
	members   []string // further members, always present
}

// problemCodes are the codes that the operations so far can answer.
var problemCodes = map[string]problemCode{
	"invalid_json":                {status: 400},
	"validation_failed":           {status: 400},
	"organization_header_missing": {status: 400},
	"invalid_header":              {status: 400},
	"unauthenticated":             {status: 401},
	"forbidden_for_key":           {status: 403},
	"route_not_found":             {status: 404},
	"organization_not_found":      {status: 404},
	"resource_not_found":          {status: 404},
	"product_not_found":           {status: 404},
	"reference_not_found":         {status: 404},
	"method_not_allowed":          {status: 405},
	"request_timeout":             {status: 408, retryable: true},
	"duplicate_external_id":       {status: 409, members: []string{"existing_id"}},
	"duplicate_name":              {status: 409, members: []string{"existing_id"}},
	"duplicate_registration":      {status: 409, members: []string{"existing_id"}},
	"duplicate_filing":            {status: 409, members: []string{"existing_id"}},
	"second_factor_required":      {status: 401, members: []string{"challenge"}},
	"step_up_required":            {status: 403},
	"last_admin":                  {status: 409},
	"duplicate_email":             {status: 409, members: []string{"existing_id"}},
	"registration_not_active":     {status: 409, members: []string{"current_status"}},
	"filing_immutable":            {status: 409},
	"filing_without_document":     {status: 409, members: []string{"findings"}},
	"filing_entry_limit_reached":  {status: 409, members: []string{"limit"}},
	"comment_limit_reached":       {status: 409, members: []string{"limit"}},
	"notice_limit_reached":        {status: 409, members: []string{"limit"}},
	"notice_changed":              {status: 409, members: []string{"revision"}},
	"no_sales_tax":                {status: 409},
	"filing_period_open":          {status: 409, retryable: true, members: []string{"available_at"}},
	"filing_approval_blocked":     {status: 409},
	"filing_needs_review":         {status: 409},
	"filing_has_unresolved_transactions": {status: 409,
		members: []string{"unresolved_transaction_count", "unresolved_amount"}},
	"amount_changed":            {status: 409, members: []string{"amount", "expected_amount"}},
	"filing_not_ready":          {status: 409, retryable: true, members: []string{"pending_transactions"}},
	"filing_has_liability":      {status: 409, members: []string{"total_tax_liability"}},
	"transaction_locked":        {status: 409, members: []string{"filing_id"}},
	"original_not_committed":    {status: 409, members: []string{"current_status"}},
	"original_is_credit_note":   {status: 409},
	"credit_exceeds_original":   {status: 409, members: []string{"remaining_amount", "currency"}},
	"has_credit_notes":          {status: 409},
	"api_key_limit_reached":     {status: 409, members: []string{"limit"}},
	"storage_limit_reached":     {status: 409, members: []string{"limit"}},
	"organization_archived":     {status: 409},
	"invalid_status_transition": {status: 409, members: []string{"from", "to", "allowed"}},
	"not_processed":             {status: 409, retryable: true, members: []string{"processing_status"}},
	"payload_too_large":         {status: 413, members: []string{"limit_bytes"}},
	"uri_too_long":              {status: 414},
	"unsupported_media_type":    {status: 415},
	"rate_limited":              {status: 429, retryable: true, members: []string{"limit_type"}},
	"headers_too_large":         {status: 431},
	"internal_error":            {status: 500},
	"idempotency_key_reused":    {status: 409},
	"service_unavailable":       {status: 503, retryable: true, members: []string{"outcome"}},
	"outcome_unknown":           {status: 503, retryable: true, members: []string{"outcome"}},
	"onboarding_step_out_of_order": {status: 409,
		members: []string{"next_step", "next_step_name", "next_step_path"}},
	"onboarding_not_active": {status: 409, members: []string{"onboarding_status"}},
}

var (
	problemMembers = []string{"type", "title", "status", "detail", "instance", "code", "request_id", "retryable", "errors"}
	faultCodes     = []string{
		"missing_field", "invalid_type", "invalid_format", "invalid_enum", "invalid_category", "out_of_range",
		"too_precise", "too_long", "too_short",
		"too_many", "too_few", "duplicate_key", "duplicate_value", "not_allowed", "mismatch", "currency_mismatch",
		"item_not_in_original", "total_mismatch", "no_net_price", "unknown_order_field", "unknown_parameter", "url_not_allowed", "not_found",
	}
	located   = map[string]bool{"validation_failed": true, "product_not_found": true, "reference_not_found": true}
	requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	timing    = regexp.MustCompile(`^app;dur=\d+(\.\d+)?$`)
	place     = regexp.MustCompile(`^(body|query|header|path)(\.[A-Za-z0-9_-]+|\[\d+\])*$`)
	// internals are words that only a defect would show.
	internals = regexp.MustCompile(`(?i)\b(sqlstate|pgx|gorm|panic|goroutine)\b|\.go:\d|select .* from|levy_(test|live)_`)
)

// problem is the body of an error.
type problem struct {
	Type, Title, Detail, Instance, Code string
	RequestID                           string `json:"request_id"`
	Status                              int
	Retryable                           bool
	Errors                              []fault
	ErrorsTruncated                     bool `json:"errors_truncated"`
}

type fault struct{ Code, Location, Message string }

func (a answer) problem(t tester) problem {
	t.Helper()
	var p problem
	a.decode(t, &p)
	return p
}

// checkHeaders checks what every answer has.
func checkHeaders(t tester, r *http.Request, a answer) {
	t.Helper()
	h := a.header
	require.Regexp(t, requestID, h.Get("X-Request-Id"))
	require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
	require.Regexp(t, timing, h.Get("Server-Timing"))
	if strings.HasPrefix(r.URL.Path, "/v1/") || a.status >= 400 {
		require.Equal(t, "no-store", h.Get("Cache-Control"))
	}
	if strings.HasPrefix(r.URL.Path, "/v1/") && a.status < 400 && a.status != http.StatusNoContent {
		media := "application/json; charset=utf-8"
		if isStream(r.URL.Path) {
			media = "text/event-stream"
		} else if strings.HasSuffix(r.URL.Path, "/export") || strings.HasSuffix(r.URL.Path, "/rejected_rows") {
			media = "text/csv; charset=utf-8"
		} else if strings.Contains(r.URL.Path, "/attachments/") || strings.Contains(r.URL.Path, "/documents/") {
			media = "application/pdf"
		} else if strings.HasSuffix(r.URL.Path, "/report") {
			media = map[string]string{"csv": "text/csv; charset=utf-8", "json": media,
				"pdf": "application/pdf"}[r.URL.Query().Get("format")]
		}
		require.Equal(t, media, h.Get("Content-Type"))
	}
	signs := r.URL.Path == "/v1/session" && a.status < 300 // only who signs in or out gets a cookie
	for name := range h {
		if name == "Set-Cookie" && signs {
			continue
		}
		require.False(t, strings.HasPrefix(name, "Access-Control-") || name == "Set-Cookie" || name == "Location" ||
			name == "X-Powered-By", name)
	}
}

// checkProblem checks the form of an error beyond what a schema can say.
func checkProblem(t tester, r *http.Request, a answer) {
	t.Helper()
	require.Equal(t, "application/problem+json; charset=utf-8", a.header.Get("Content-Type"), "%s", a.body)
	var all map[string]json.RawMessage
	a.decode(t, &all)
	p := a.problem(t)
	entry, known := problemCodes[p.Code]
	require.True(t, known, "unknown code in %s", a.body)
	require.Equal(t, entry.status, a.status, "%s", a.body)
	require.Equal(t, entry.status, p.Status)
	require.Equal(t, entry.retryable, p.Retryable)
	require.Equal(t, "/docs/problems/"+p.Code, p.Type)
	require.Equal(t, a.header.Get("X-Request-Id"), p.RequestID)
	require.Equal(t, escapedPath(r), p.Instance)
	require.True(t, strings.HasSuffix(p.Detail, "."), "detail is a sentence: %q", p.Detail)
	require.NotRegexp(t, internals, fmt.Sprint(p.Title, p.Detail, p.Errors))

	allowed := slices.Concat(problemMembers, entry.members)
	for _, name := range allowed {
		require.Contains(t, all, name, "%s lacks %s", p.Code, name)
	}
	for name := range all {
		extra := name == "errors_truncated" || name == "checks" && r.URL.Path == "/readyz" ||
			name == "processing_reason" && p.Code == "not_processed" ||
			(name == "grant" || name == "needed_grant") && p.Code == "forbidden_for_key"
		require.True(t, extra || slices.Contains(allowed, name), "%s has a member %s", p.Code, name)
	}
	checkFaults(t, p)

	require.Equal(t, a.status == 401, a.header.Get("WWW-Authenticate") == `ApiKey realm="levy"`)
	require.Equal(t, a.status == 405, a.header.Get("Allow") != "")
	require.Equal(t, a.status == 429 || a.status == 503 || p.Code == "not_processed" ||
		p.Code == "filing_not_ready", a.header.Get("Retry-After") != "")
	require.Equal(t, a.status == 413 || a.status == 408, a.header.Get("Connection") == "close")
}

func checkFaults(t tester, p problem) {
	t.Helper()
	require.NotNil(t, p.Errors, "errors is never null")
	require.LessOrEqual(t, len(p.Errors), 100)
	require.False(t, p.ErrorsTruncated && len(p.Errors) < 100)
	if located[p.Code] {
		require.NotEmpty(t, p.Errors, "%s names what is wrong", p.Code)
	}
	for _, f := range p.Errors {
		require.Contains(t, faultCodes, f.Code)
		require.Regexp(t, place, f.Location)
		require.NotEmpty(t, f.Message)
	}
}
