package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// preferencesAreSaved checks that a person sees the pages as chosen, and that a change keeps what it does not name. All
// faults are told at once. Other people see nothing of it.
func preferencesAreSaved(t *testing.T, v, other *visitor) {
	t.Helper()
	const path = "/v1/session/preferences"
	const first = `{"theme":"SYSTEM","date_format":"DAY_MONTH_YEAR","number_format":"COMMA","time_zone":"UTC",
		"time_zone_chosen":false,"page_size":null,"emails_off":[],"digest_day":"MONDAY"}`
	require.JSONEq(t, first, v.send("GET", path, "", "").Body.String())
	refused := v.send("PUT", path, "", `{"theme":"PINK","date_format":"02/01","number_format":"x","time_zone":"Mars","page_size":500}`)
	require.Equal(t, http.StatusBadRequest, refused.Code)
	for _, field := range []string{"theme", "date_format", "number_format", "time_zone", "page_size"} {
		require.Contains(t, refused.Body.String(), `"body.`+field+`"`)
	}
	require.JSONEq(t, first, v.send("GET", path, "", "").Body.String())

	saved := v.send("POST", "/preferences", "", url.Values{"action": {"save"}, "theme": {"LIGHT"}, "date_format": {"ISO"},
		"number_format": {"SPACE"}, "time_zone": {"America/Chicago"}, "page_size": {"10"}, "emails": {"shown"}, "digest_day": {"FRIDAY"},
		"emails_DIGEST": {"true"}, "emails_DUE_DATES": {"true"}, "emails_REJECTIONS": {"true"}, "emails_ASSIGNMENTS": {"true"}}.Encode())
	require.Equal(t, http.StatusSeeOther, saved.Code)
	const utc = `"time_zone":"UTC","time_zone_chosen":`
	require.Contains(t, v.send("PUT", path, "", `{"time_zone":null}`).Body.String(), utc+"false")
	require.Contains(t, v.send("PUT", path, "", `{"time_zone":"UTC"}`).Body.String(), utc+"true")
	require.Contains(t, v.send("PUT", path, "", `{"theme":"LIGHT"}`).Body.String(), utc+"true", "another change keeps the choice")
	require.Contains(t, v.send("GET", "/v1/session", "", "").Body.String(), utc+"true")
	v.send("PUT", path, "", `{"time_zone":"America/Chicago"}`)
	themed := v.send("POST", "/preferences", "", url.Values{"theme": {"DARK"}, "back": {"/filings?page=1"}}.Encode())
	require.Equal(t, "/filings?page=1", themed.Header().Get("Location"))
	const chosen = `{"theme":"DARK","date_format":"ISO","number_format":"SPACE","time_zone":"America/Chicago","time_zone_chosen":true,
		"page_size":10,"emails_off":["MENTIONS"],"digest_day":"FRIDAY"}`
	require.JSONEq(t, chosen, v.send("GET", path, "", "").Body.String())
	var session struct{ Preferences json.RawMessage }
	require.NoError(t, json.Unmarshal(v.send("GET", "/v1/session", "", "").Body.Bytes(), &session))
	require.JSONEq(t, chosen, string(session.Preferences))
	page := v.send("GET", "/filings", "", "").Body.String()
	require.Contains(t, page, `<meta name="color-scheme" content="dark">`)
	require.Contains(t, other.send("GET", "/filings", "", "").Body.String(), `<meta name="color-scheme" content="light dark">`)

	require.JSONEq(t, first, v.send("PUT", path, "",
		`{"theme":"SYSTEM","date_format":"DAY_MONTH_YEAR","number_format":"COMMA","time_zone":null,"page_size":null,
		"emails_off":[],"digest_day":"MONDAY"}`).Body.String())
}
