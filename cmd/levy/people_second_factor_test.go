package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
)

// secondStep checks that a person with a second step also needs the code of an app to sign in. Each code counts once,
// until an admin resets the step.
func (p *apiProcess) secondStep(t *testing.T, db *pgx.Conn, admin, viewer *visitor, organization string) {
	t.Helper()
	invited := admin.send("POST", "/v1/users", organization, `{"email":"zo@example.com","name":"Zo","role":"viewer"}`)
	var made struct {
		ID   string `json:"id"`
		Path string `json:"sign_in_path"`
	}
	require.NoError(t, json.Unmarshal(invited.Body.Bytes(), &made))
	id, people := made.ID, "/o/"+organization+"/people"
	v := p.visitor(t)
	v.use(made.Path)
	enter := func() *httptest.ResponseRecorder {
		return v.send("POST", "/sign-in", "", "email=zo%40example.com&password="+url.QueryEscape(password))
	}
	require.Equal(t, http.StatusSeeOther, enter().Code)
	begun := v.send("POST", "/account", "", "action=begin")
	require.Equal(t, http.StatusOK, begun.Code, begun.Body)
	valueOf := func(page, before string) string {
		_, value, found := strings.Cut(page, before+` value="`)
		require.True(t, found, page)
		value, _, _ = strings.Cut(value, `"`)
		return value
	}
	plain := valueOf(begun.Body.String(), `id="secret" readonly`)
	at := time.Now()
	code := func(steps int) string {
		made, err := totp.GenerateCode(plain, at.Add(time.Duration(steps)*30*time.Second))
		require.NoError(t, err)
		return made
	}
	require.Equal(t, http.StatusSeeOther, enter().Code, "an unconfirmed second step is not required")
	require.Equal(t, http.StatusBadRequest, v.send("POST", "/account", "", "action=confirm&code=1").Code)
	require.NotContains(t, admin.send("GET", people, "", "").Body.String(), "Reset second step")
	confirmed := v.send("POST", "/account", "", "action=confirm&code="+code(0))
	require.Equal(t, http.StatusOK, confirmed.Code, confirmed.Body)
	recovery := recoveryCodes(confirmed.Body.String())
	require.Len(t, recovery, models.RecoveryCodes)
	require.Empty(t, recoveryCodes(v.send("GET", "/account", "", "").Body.String()), "they are shown once")
	require.Contains(t, admin.send("GET", people, "", "").Body.String(), "Reset second step")
	require.Equal(t, http.StatusForbidden, v.send("POST", "/account", "", "action=begin").Code,
		"an existing one is not replaced")
	var readable int
	require.NoError(t, db.QueryRow(t.Context(),
		"SELECT count(*) FROM second_factors WHERE position(convert_to($1, 'UTF8') IN sealed) > 0", plain).Scan(&readable))
	require.Zero(t, readable)

	v.cookie = nil
	asked := enter()
	require.Equal(t, http.StatusOK, asked.Code, asked.Body)
	require.Nil(t, v.cookie, "the password alone does not sign in")
	challenge := url.QueryEscape(valueOf(asked.Body.String(), `name="challenge"`))
	answer := func(challenge, code string) int {
		return v.send("POST", "/sign-in", "", "challenge="+challenge+"&code="+code).Code
	}
	require.Equal(t, http.StatusUnauthorized, answer(challenge, code(0)), "it was used to confirm")
	require.Equal(t, http.StatusUnauthorized, answer(challenge[1:], code(1)))
	require.Equal(t, http.StatusSeeOther, answer(challenge, code(1)))
	require.Equal(t, http.StatusUnauthorized, answer(challenge, code(1)), "a code works once")
	v.recovers(t, db, id, recovery, func(code string) int { return answer(challenge, url.QueryEscape(code)) })
	for range 10 { // the password in between does not reset the number of guesses
		enter()
		answer(challenge, "000000")
	}
	require.Equal(t, http.StatusTooManyRequests, answer(challenge, "000000"))

	ring, err := secret.ParseRing(secret.NewMasterKey("next") + "," + p.parts.cfg.MasterKeys.Reveal())
	require.NoError(t, err)
	for _, expected := range []int{1, 0} {
		stored := p.parts.store
		rotated, err := secret.NewVault(ring, stored.Organizations).Rotate(t.Context(), stored.People.SecondFactorKeys())
		require.NoError(t, err)
		require.Equal(t, expected, rotated)
	}

	require.Equal(t, http.StatusForbidden, viewer.send("POST", people, "", "action=reset_second_factor&id="+id).Code)
	require.Equal(t, http.StatusSeeOther, admin.send("POST", people, "", "action=reset_second_factor&id="+id).Code)
	require.Equal(t, http.StatusUnauthorized, v.send("GET", "/v1/session", "", "").Code, "a reset ends the sessions")
	require.Equal(t, http.StatusSeeOther, enter().Code, "the password is enough again")
	require.Contains(t, v.send("GET", "/v1/session", "", "").Body.String(), `"second_factor":false`)
	var noted int
	require.NoError(t, db.QueryRow(t.Context(),
		"SELECT count(*) FROM audit WHERE entity_id = $1 AND detail -> 'fields' ? 'second_factor'", id).Scan(&noted))
	require.Equal(t, 2, noted, "set up, and reset")
	require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM recovery_codes").Scan(&noted))
	require.Zero(t, noted, "they end with the second step")
}

var recoveryCode = regexp.MustCompile(`<code>((?:[A-Z2-7]{4}-){3}[A-Z2-7]{4})</code>`)

func recoveryCodes(page string) (codes []string) {
	for _, found := range recoveryCode.FindAllStringSubmatch(page, -1) {
		codes = append(codes, found[1])
	}
	return codes
}

// recovers checks that each recovery code signs its person in once, however it is typed, also when it is used twice
// at the same time.
func (v *visitor) recovers(t *testing.T, db *pgx.Conn, id string, codes []string, answer func(code string) int) {
	t.Helper()
	require.Equal(t, http.StatusSeeOther, answer(codes[0]))
	require.Equal(t, http.StatusUnauthorized, answer(codes[0]), "it works once")
	require.Equal(t, http.StatusSeeOther, answer(strings.ToLower(strings.ReplaceAll(codes[1], "-", " "))))
	require.Equal(t, http.StatusUnauthorized, answer("AAAA-AAAA-AAAA-AAAA"))
	people, outcomes := v.p.parts.store.People, make(chan error, 2)
	hashes := secret.NewKeyHasher(v.p.parts.ring).Hashes("recovery code " + id + " " +
		strings.ReplaceAll(codes[2], "-", ""))
	for range 2 {
		go func() {
			outcomes <- people.UseRecoveryCode(t.Context(), models.Actor{UserID: id, UserName: "Zo"}, hashes)
		}()
	}
	require.ElementsMatch(t, []error{nil, models.ErrUnauthenticated}, []error{<-outcomes, <-outcomes})
	var readable, left int
	require.NoError(t, db.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE position(convert_to(c, 'UTF8') IN hash) > 0)
		FROM recovery_codes, unnest($1::text[]) c`, codes).Scan(&readable))
	require.Zero(t, readable)
	require.NoError(t, db.QueryRow(t.Context(), `SELECT min((detail ->> 'left')::int) FROM audit
		WHERE entity_id = $1 AND user_name = 'Zo' AND detail -> 'fields' ? 'recovery_codes'`, id).Scan(&left))
	require.Equal(t, models.RecoveryCodes-3, left, "each use is noted, by name")
	require.Contains(t, folded(v.send("GET", "/account", "", "").Body.String()), "<p> 7 of ten codes are left")
	for _, code := range codes[3:8] {
		require.Equal(t, http.StatusSeeOther, answer(code))
	}
	require.Contains(t, v.send("GET", "/v1/session", "", "").Body.String(), `"recovery_codes_left":2`)
	require.Regexp(t, `> 2 of ten codes are left.*Create new ones now`,
		folded(v.send("GET", "/account", "", "").Body.String()))
}

// folded is a page with single spaces, as a browser reads it.
func folded(page string) string { return strings.Join(strings.Fields(page), " ") }
