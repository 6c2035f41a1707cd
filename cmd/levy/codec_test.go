package main

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/local/temporal"
	"levy/internal/secret"
)

// codecBySession checks that signed-in staff read payloads in the UI and that operators also send them. Other callers
// and requests from other pages are refused.
func (p *apiProcess) codecBySession(t *testing.T, operator caller) {
	t.Helper()
	partner := p.callers[slices.IndexFunc(p.callers, func(c caller) bool { return c.name == "the partner" })]
	for name, c := range map[string]struct {
		who            userInviteCmd
		decode, encode int
	}{
		"an operator": {userInviteCmd{Email: "operates@example.com", Staff: "operator"}, http.StatusOK,
			http.StatusOK},
		"an auditor": {userInviteCmd{Email: "audits@example.com", Staff: "auditor"}, http.StatusOK,
			http.StatusForbidden},
		"an admin of a partner": {userInviteCmd{Email: "admin@example.com", Organization: partner.organization,
			Role: "admin"}, http.StatusUnauthorized, http.StatusUnauthorized},
	} {
		v := p.invite(t, c.who)
		cookie := v.cookie.Name + "=" + v.cookie.Value
		ask := func(path string, header ...string) *httptest.ResponseRecorder {
			return p.ask(caller{from: elsewhere}, http.MethodPost, path, append([]string{"Cookie", cookie}, header...)...)
		}
		answer := ask("/codec/decode", "Origin", itsUI)
		require.Equal(t, c.decode, answer.Code, name)
		require.Equal(t, "true", answer.Header().Get("Access-Control-Allow-Credentials"), "else no browser shows the answer")
		require.Equal(t, c.encode, ask("/codec/encode", "Origin", itsUI).Code, name)
		require.Equal(t, http.StatusForbidden, ask("/codec/decode", "Origin", "https://evil.example").Code, name)
		require.Equal(t, http.StatusUnauthorized, ask("/codec/decode").Code, "without the page that sent it")
		require.Equal(t, http.StatusNoContent, v.send("DELETE", "/v1/session", "", "").Code)
		require.Equal(t, http.StatusUnauthorized, ask("/codec/decode", "Origin", itsUI).Code, "signed out")
	}
	p.codecProves(t, operator)
	sealed := p.ask(operator, http.MethodPost, "/codec/encode")
	require.Equal(t, http.StatusOK, sealed.Code)
	require.NotContains(t, sealed.Body.String(), base64.StdEncoding.EncodeToString([]byte(history)))
}

// codecProves checks that the codec attaches a proof to the data that an operator enters in the UI. Data of other
// pages, of other people, or of a caller on this machine who is not signed in gets none.
func (p *apiProcess) codecProves(t *testing.T, operator caller) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), p.parts.cfg.DatabaseURL.Reveal())
	require.NoError(t, err)
	defer func() { _ = db.Close(t.Context()) }()
	defer func(sealed string) { p.sealed = sealed }(p.sealed)
	text := base64.StdEncoding.EncodeToString
	p.sealed = `{"payloads":[{"metadata":{"encoding":"` + text([]byte("json/plain")) + `"},"data":"` +
		text([]byte(`{"reason":"END"}`)) + `"}]}`
	person := p.invite(t, userInviteCmd{Email: "proves@example.com", Staff: "operator"})
	auditor := p.invite(t, userInviteCmd{Email: "reads@example.com", Staff: "auditor"})
	own, cookie := caller{from: "127.0.0.1:9", knowsToken: true}, person.cookie.Name+"="+person.cookie.Value
	for name, c := range map[string]struct {
		who    caller
		path   string
		header []string
		status int
		proofs string // the author of the proof
	}{
		"a person": {caller{from: elsewhere}, "/codec/encode",
			[]string{"Cookie", cookie, "Origin", itsUI}, http.StatusOK, "proves@example.com"},
		"a person at this machine": {own, "/codec/encode", []string{"Cookie", cookie, "Origin", itsUI},
			http.StatusOK, "proves@example.com"},
		"an operator key":          {operator, "/codec/encode", nil, http.StatusOK, "operator"},
		"a caller on this machine": {own, "/codec/encode", []string{"Origin", itsUI}, http.StatusUnauthorized, ""},
		"another page": {caller{from: elsewhere}, "/codec/encode",
			[]string{"Cookie", cookie, "Origin", "https://evil.example"}, http.StatusForbidden, ""},
		"a page of the console": {caller{from: elsewhere}, "/codec/encode",
			[]string{"Cookie", cookie, "Origin", "http://example.com"}, http.StatusForbidden, ""},
		"a form of another page": {caller{from: elsewhere}, "/codec/encode",
			[]string{"Cookie", cookie, "Origin", itsUI, "X-Namespace", ""}, http.StatusForbidden, ""},
		"no page": {caller{from: elsewhere}, "/codec/encode", []string{"Cookie", cookie},
			http.StatusUnauthorized, ""},
		"an auditor": {
			caller{from: elsewhere}, "/codec/encode", []string{"Cookie", auditor.cookie.Name + "=" + auditor.cookie.Value,
				"Origin", itsUI}, http.StatusForbidden, "",
		},
	} {
		answer := p.ask(c.who, http.MethodPost, c.path, c.header...)
		require.Equal(t, c.status, answer.Code, "%s: %s", name, answer.Body)
		var whose string
		require.NoError(t, db.QueryRow(t.Context(), `SELECT coalesce(string_agg(coalesce(u.name, 'operator'), ' '), '')
			FROM attached_proofs p LEFT JOIN users u ON u.id = p.user_id`).Scan(&whose))
		require.Equal(t, c.proofs, whose, name)
		_, err := db.Exec(t.Context(), "DELETE FROM attached_proofs")
		require.NoError(t, err)
	}
}

// guessesAtTheCodec checks that an address with too many failed attempts has to wait, and that a caller with a valid
// key there continues.
func (p *apiProcess) guessesAtTheCodec(t *testing.T, operator caller) {
	t.Helper()
	const address = "198.51.100.77:1"
	operator.from = address
	require.Equal(t, http.StatusOK, p.ask(operator, http.MethodPost, "/codec/decode").Code)
	guess := []string{"Origin", itsUI, "Cookie", "__Host-levy_session=" + rand.Text() + rand.Text()}
	for range 50 {
		wrong := caller{key: secret.NewAPIKey(secret.KindOperator), from: address}
		require.Equal(t, http.StatusUnauthorized, p.ask(wrong, http.MethodPost, "/codec/decode").Code)
		require.Equal(t, http.StatusUnauthorized,
			p.ask(caller{from: address}, http.MethodPost, "/codec/decode", guess...).Code)
	}
	refused := p.ask(caller{from: address}, http.MethodPost, "/codec/decode", guess...)
	require.Equal(t, http.StatusTooManyRequests, refused.Code)
	require.NotEmpty(t, refused.Header().Get("Retry-After"))
	require.Equal(t, http.StatusTooManyRequests,
		p.ask(caller{key: secret.NewAPIKey(secret.KindOperator), from: address}, http.MethodPost, "/codec/decode").Code)
	require.Equal(t, http.StatusOK, p.ask(operator, http.MethodPost, "/codec/decode").Code)
}

// The codec decrypts only for the namespace and the pages of the installation.
func TestTheCodecOfTheProcess(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	p := newAPIProcess(t)
	operator := p.callers[slices.IndexFunc(p.callers, func(c caller) bool { return c.name == "the operator" })]
	for name, c := range map[string]struct {
		header []string
		status int
	}{
		"its UI":            {[]string{"Origin", itsUI}, http.StatusOK},
		"another page":      {[]string{"Origin", "https://evil.example"}, http.StatusForbidden},
		"a page of a file":  {[]string{"Origin", "null"}, http.StatusForbidden},
		"a similar page":    {[]string{"Origin", itsUI + ".evil.example"}, http.StatusForbidden},
		"another namespace": {[]string{"X-Namespace", "default"}, http.StatusForbidden},
		"no bearer token":   {[]string{"Authorization", operator.key}, http.StatusUnauthorized},
		"another scheme":    {[]string{"Authorization", "Basic " + operator.key}, http.StatusUnauthorized},
	} {
		a := p.ask(operator, http.MethodPost, "/codec/decode", c.header...)
		require.Equal(t, c.status, a.Code, "%s: %s", name, a.Body)
		require.Equal(t, name == "its UI", a.Header().Get("Access-Control-Allow-Origin") == itsUI, name)
	}
	require.Equal(t, http.StatusNotFound, p.ask(operator, http.MethodPost, "/codec/decode/x").Code)
	p.codecBySession(t, operator)
	here := caller{from: "127.0.0.1:999"}
	for _, sent := range []string{"", ownUI[1:], ownUI + "x", "Bearer " + ownUI} {
		require.Equal(t, http.StatusUnauthorized,
			p.ask(here, http.MethodPost, "/codec/decode", temporal.CodecTokenHeader, sent).Code, sent)
	}
	require.Equal(t, http.StatusUnauthorized, p.ask(here, http.MethodPost, "/codec/"+ownUI+"/decode").Code,
		"by its address")
	p.parts.cfg.CodecToken = ""
	for _, sent := range []string{"", ownUI} {
		require.Equal(t, http.StatusUnauthorized,
			p.ask(here, http.MethodPost, "/codec/decode", temporal.CodecTokenHeader, sent).Code, "without a token")
	}
	require.Equal(t, http.StatusOK, p.ask(operator, http.MethodPost, "/codec/decode").Code)
	p.guessesAtTheCodec(t, operator)
	conn, err := pgx.Connect(t.Context(), p.parts.cfg.DatabaseURL.Reveal())
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	var readers []string
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT array_agg(DISTINCT entity_type || ' ' || (staff IS NOT NULL))
		FROM audit
		WHERE organization_id = 'installation' AND action = 'decode'`).Scan(&readers))
	require.Equal(t, []string{"history false", "history true"}, readers, "readers are recorded: keys and people")
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT array_agg(DISTINCT user_name || ' '
		  || action ORDER BY user_name || ' ' || action)
		FROM audit WHERE entity_type = 'history' AND user_id IS NOT NULL`).Scan(&readers))
	require.Equal(t, []string{"audits@example.com decode", "operates@example.com decode", "operates@example.com encode",
		"proves@example.com encode"}, readers)
	_, err = conn.Exec(t.Context(), "UPDATE operator_keys SET revoked_at = now()")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, p.ask(operator, http.MethodPost, "/codec/decode").Code, "revoked")
}
