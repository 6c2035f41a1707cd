package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"
)

// codeIn is the code of a refusal; empty for another answer.
func codeIn(t *testing.T, answer *httptest.ResponseRecorder) string {
	t.Helper()
	var refused struct{ Code string }
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &refused))
	return refused.Code
}

// A session that has been open for more than five minutes gives nobody access, until its person proves who uses it.
// Keys are never asked.
func TestAnOpenSessionGivesNobodyAccess(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	p := newAPIProcess(t)
	partner := p.callers[slices.IndexFunc(p.callers, func(c caller) bool { return c.name == "the partner" })]
	db, err := pgx.Connect(t.Context(), p.parts.cfg.DatabaseURL.Reveal())
	require.NoError(t, err)
	defer func() { _ = db.Close(t.Context()) }()
	admin := p.invite(t, userInviteCmd{Email: "ada@example.com", Organization: partner.organization, Role: "admin"})
	session := admin.cookie.Value
	leave := func() {
		_, err := db.Exec(t.Context(), "UPDATE sessions SET proven_at = now() - interval '5 minutes'")
		require.NoError(t, err)
	}
	send := func(method, path, body string) string {
		answer := admin.send(method, path, partner.organization, body)
		return strconv.Itoa(answer.Code) + " " + codeIn(t, answer)
	}
	people := func() (n int) {
		require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM users").Scan(&n))
		return n
	}
	const viewer = `{"email":"vi@example.com","name":"Vi","role":"viewer"}`
	prove := func(field, value string) string {
		return send("POST", "/v1/session/proof", `{"`+field+`":"`+value+`"}`)
	}

	require.Equal(t, "200 ", send("PUT", "/v1/users/"+admin.self(), `{"name":"Ada"}`))
	leave()
	admin.once = "one-key-for-both"
	require.Equal(t, "403 step_up_required", send("POST", "/v1/users", viewer))
	admin.once = ""
	require.Equal(t, "200 ", send("PUT", "/v1/users/"+admin.self(), `{"name":"Ada"}`), "that gives nothing")
	require.Equal(t, "404 resource_not_found", send("POST", "/v1/organizations/api_keys/apik_01jx4m0q5tb7cyd2f6g8h9j1k3/rotate", `{}`),
		"what is not there is said first")
	require.Equal(t, "403 step_up_required", send("PUT", "/v1/session/second_factor", `{}`))
	require.Equal(t, "400 validation_failed", prove("password", "wrong"))
	require.Equal(t, "403 step_up_required", send("POST", "/v1/users", viewer))
	require.Equal(t, 1, people())
	require.Equal(t, "200 ", prove("password", password))
	require.Equal(t, session, admin.cookie.Value, "the session goes on")
	admin.once = "one-key-for-both"
	require.Equal(t, "200 ", send("POST", "/v1/users", viewer), "a refusal keeps no key")
	admin.once = ""
	require.Equal(t, 2, people())

	// With a second step, the password alone does not prove the session.
	begun := admin.send("PUT", "/v1/session/second_factor", "", "{}")
	var factor struct{ Secret string }
	require.NoError(t, json.Unmarshal(begun.Body.Bytes(), &factor))
	code, err := totp.GenerateCode(factor.Secret, time.Now())
	require.NoError(t, err)
	confirmed := admin.send("PUT", "/v1/session/second_factor", "", `{"code":"`+code+`"}`)
	require.Equal(t, http.StatusOK, confirmed.Code)
	var recovery struct {
		Codes []string `json:"recovery_codes"`
	}
	require.NoError(t, json.Unmarshal(confirmed.Body.Bytes(), &recovery))
	leave()
	require.Equal(t, "400 validation_failed", prove("password", password))
	require.Equal(t, "400 validation_failed", prove("code", code), "it was used")
	require.Equal(t, "200 ", prove("code", recovery.Codes[1]))
	require.Equal(t, "200 ", send("PUT", "/v1/users/"+admin.self(), `{"role":"admin"}`))
	leave()

	formWaitsForAProof(t, admin, partner.organization, recovery.Codes[0])
	key := p.ask(partner, "POST", "/v1/session/proof")
	require.Equal(t, http.StatusForbidden, key.Code)
}

// formWaitsForAProof checks that the console asks for a proof, and then carries out the form that was sent.
func formWaitsForAProof(t *testing.T, admin *visitor, organization, recovery string) {
	t.Helper()
	path := "/o/" + organization + "/people"
	asked := admin.send("POST", path, "", "action=invite&email=zo%40example.com&name=Zo+of+the+form&role=viewer&once=first")
	require.Equal(t, http.StatusForbidden, asked.Code)
	page := asked.Body.String()
	require.NotContains(t, page, "Zo of the form", "it may be secret")
	sealed := regexp.MustCompile(`name="step_up_form" value="([^"]+)"`).FindStringSubmatch(page)
	require.NotNil(t, sealed, page)
	require.Contains(t, page, "step_up_code")
	again := func(path, code string) *httptest.ResponseRecorder {
		return admin.send("POST", path, "", url.Values{"step_up_form": {sealed[1]}, "step_up_code": {code}}.Encode())
	}
	require.Equal(t, http.StatusForbidden, again(path, "000000").Code)
	require.Equal(t, http.StatusBadRequest, again("/o/"+organization+"/keys", "000000").Code, "of another page")
	require.NotContains(t, admin.send("GET", path, "", "").Body.String(), "zo@example.com")
	done := again(path, recovery)
	require.Equal(t, http.StatusOK, done.Code, done.Body)
	require.Contains(t, done.Body.String(), "The link for Zo of the form")
	require.Contains(t, admin.send("GET", path, "", "").Body.String(), "zo@example.com")
}
