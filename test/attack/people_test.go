package attack_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
	"levy/test/testbed"
)

// visitor is somebody with a browser, who has no key.
type visitor struct {
	*attackRun
	cookies []*http.Cookie
}

// send sends a request as a page of the service does. The cookies of the answer stay.
func (v *visitor) send(method, target string, body any) testbed.Answer {
	v.Helper()
	request, err := http.NewRequestWithContext(v.Context(), method, v.attacker.url+target, strings.NewReader(encoded(body)))
	require.NoError(v, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, cookie := range v.cookies {
		request.AddCookie(cookie)
	}
	response, err := v.attacker.http.Do(request)
	require.NoError(v, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(v, err)
	v.cookies = append(v.cookies, response.Cookies()...)
	answer := testbed.Answer{Status: response.StatusCode, Body: content}
	v.ended(answer, nil)
	return answer
}

// secretOf is a password that may be set.
func secretOf(who string) string { return "the long secret of " + who }

// opens opens a link, whose token ends a text.
func (b *attackRun) opens(link, who string) *visitor {
	b.Helper()
	v := &visitor{attackRun: b}
	token := strings.TrimSpace(link[strings.LastIndexByte(link, '/')+1:])
	answer := v.send(http.MethodPost, "/v1/session", map[string]string{"token": token, "password": secretOf(who)})
	require.Equal(b, http.StatusOK, answer.Status, "%s", answer.Body)
	return v
}

// me is what a session may do; empty for one that has ended.
func (v *visitor) me() string {
	v.Helper()
	answer := v.send(http.MethodGet, "/v1/session", nil)
	var who struct {
		StaffRole     string `json:"staff_role"`
		Organizations []struct {
			ID   string `json:"organization_id"`
			Role string `json:"role"`
		} `json:"organizations"`
	}
	require.NoError(v, json.Unmarshal(answer.Body, &who))
	if answer.Status == http.StatusUnauthorized {
		return ""
	}
	roles := []string{who.StaffRole}
	for _, of := range who.Organizations {
		name := map[string]string{v.attacker.organization: "attacker", v.victim.organization: "victim"}[of.ID]
		roles = append(roles, of.Role+" of "+name)
	}
	return strings.Join(roles, ", ")
}

// accountsBeforehand: who invites the address of another gets nothing that others give to that address, whether
// before or after.
func accountsBeforehand(b *attackRun) {
	invites := func(of *tenant, email string) testbed.Answer {
		answer, err := of.send(b.Context(), http.MethodPost, "/v1/users",
			encoded(map[string]string{"email": email, "name": "Sam", "role": "admin"}))
		require.NoError(b, err)
		return answer
	}
	for i, given := range [][]string{
		{"--staff", "operator"}, {"--organization", b.victim.organization, "--role", "admin"},
	} {
		email := fmt.Sprintf("beforehand-%d@example.com", i)
		has := []string{"operator, admin of attacker", ", admin of attacker, admin of victim"}[i]
		before := b.opens(invites(b.attacker, email).Field("sign_in_path"), "the attacker")
		said := string(b.bed.Run(append([]string{"user", "invite", strings.ToUpper(email)}, given...)...))
		require.Contains(b, said, "known already")
		require.Equal(b, ", admin of attacker", before.me(), "the role waits for its link")
		require.ElementsMatch(b, strings.Split(has, ", "), strings.Split(b.opens(said, "Sam").me(), ", "))
		require.Empty(b, before.me())
		require.Equal(b, http.StatusUnauthorized, before.send(http.MethodPost, "/v1/session",
			map[string]string{"email": email, "password": secretOf("the attacker")}).Status)
	}
	// The address of somebody with a role is invited like one that nobody has, and opens nothing of that person.
	said := string(b.bed.Run("user", "invite", "staff@example.com", "--name", "Sam", "--staff", "operator"))
	sam := b.opens(said, "Sam")
	known, unknown := invites(b.attacker, "staff@example.com"), invites(b.attacker, "nobody@example.com")
	require.Equal(b, http.StatusOK, known.Status)
	require.Equal(b, known.Status, unknown.Status)
	require.Equal(b, namesOf(b, unknown), namesOf(b, known))
	require.Equal(b, ", admin of attacker", b.opens(known.Field("sign_in_path"), "the attacker").me())
	require.Equal(b, "operator", sam.me())
	b.only("200", "401 unauthenticated")
}

// guessedPasswords: many guesses at once are no more than the limit, and keep nobody out who comes by a device that
// signed in before.
func guessedPasswords(b *attackRun) {
	const email = "guessed@example.com"
	said := string(b.bed.Run("user", "invite", email, "--name", "Zoe", "--organization", b.victim.organization,
		"--role", "viewer"))
	zoe := b.opens(said, "Zoe")
	const factor, session = "/v1/session/second_factor", "/v1/session"
	plain := zoe.send(http.MethodPut, factor, struct{}{}).Field("secret")
	code := func(later time.Duration) string {
		text, err := totp.GenerateCode(plain, time.Now().Add(later))
		require.NoError(b, err)
		return text
	}
	require.Equal(b, http.StatusOK, zoe.send(http.MethodPut, factor, map[string]string{"code": code(0)}).Status)

	stranger := func(body map[string]string) { (&visitor{attackRun: b}).send(http.MethodPost, session, body) }
	b.parallel(60, func(i int) {
		stranger(map[string]string{"email": email, "password": fmt.Sprintf("wrong password %d", i)})
	})
	require.Equal(b, 10, b.count("401 unauthenticated"))
	right := map[string]string{"email": email, "password": secretOf("Zoe")}
	stranger(right)
	require.Equal(b, 51, b.count("429 rate_limited"))
	challenge := zoe.send(http.MethodPost, session, right).Field("challenge")
	require.NotEmpty(b, challenge, "her device is not locked out")
	b.parallel(90, func(i int) {
		stranger(map[string]string{"challenge": challenge, "password": fmt.Sprintf("wrong %d", i)})
	})
	require.Equal(b, 20, b.count("401 unauthenticated"))
	answer := zoe.send(http.MethodPost, session, map[string]string{"challenge": challenge, "password": code(30 * time.Second)})
	require.Equal(b, http.StatusOK, answer.Status, "%s", answer.Body)
	b.only("200", "401 unauthenticated", "401 second_factor_required", "429 rate_limited")
}

// openSessions: whoever finds a session that somebody has left open gives himself nothing that lasts, and guesses the
// password no more often than anybody.
func openSessions(b *attackRun) {
	said := string(b.bed.Run("user", "invite", "open@example.com", "--name", "Zoe", "--organization", b.victim.organization,
		"--role", "admin"))
	zoe := b.opens(said, "Zoe")
	storetest.Execute(b.T, b.bed.DatabaseURL, "UPDATE sessions SET proven_at = now() - interval '5 minutes'")
	given := func() int {
		return b.bed.Count("SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM sign_in_links) + " +
			"(SELECT count(*) FROM second_factors) + (SELECT count(*) FROM api_keys) + (SELECT count(*) FROM webhook_endpoints)")
	}
	before := given()
	var me struct{ User struct{ ID string } }
	require.NoError(b, json.Unmarshal(zoe.send(http.MethodGet, "/v1/session", nil).Body, &me))
	for _, try := range []struct {
		method, path string
		body         any
	}{
		{http.MethodPost, "/v1/users", map[string]string{"email": "evil@example.com", "name": "Eve", "role": "admin"}},
		{http.MethodPut, "/v1/users/" + me.User.ID, map[string]bool{"new_link": true}},
		{http.MethodPut, "/v1/users/" + me.User.ID, map[string]string{"role": "admin"}},
		{http.MethodPut, "/v1/session/second_factor", struct{}{}},
	} {
		require.Equal(b, http.StatusForbidden, zoe.send(try.method, try.path, try.body).Status, try.path)
	}
	b.parallel(60, func(i int) {
		guesser := &visitor{attackRun: b, cookies: zoe.cookies}
		guesser.send(http.MethodPost, "/v1/session/proof", map[string]string{"password": fmt.Sprintf("wrong password %d", i)})
	})
	require.Equal(b, before, given())
	b.only("200", "403 step_up_required", "400 validation_failed", "429 rate_limited")
	require.LessOrEqual(b, b.count("400 validation_failed"), 20, "10 of the address, and 10 of her device")
}

// namesOf is an answer without what differs between two people: each value is replaced by its type.
func namesOf(b *attackRun, answer testbed.Answer) map[string]string {
	var fields map[string]any
	require.NoError(b, json.Unmarshal(answer.Body, &fields))
	names := map[string]string{}
	for name, value := range fields {
		names[name] = fmt.Sprintf("%T", value)
	}
	names["status"] = fmt.Sprint(fields["status"])
	return names
}
