package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A form that needs a proof is asked for it on a page, and is sent once the person has given it.
func TestAFormGoesOnAfterAProof(t *testing.T) {
	t.Parallel()
	const refusal = `{"status":403,"code":"step_up_required","title":"No","detail":"No."}`
	asked := visitedWith(t, map[string]string{"GET /v1/session": anAdmin, "POST /v1/organizations/api_keys": refusal},
		"/o/org_1/keys", url.Values{"action": {"make"}, "name": {"Shop"}, "once": {"first"}})
	require.Equal(t, http.StatusForbidden, asked.Code)
	require.Contains(t, asked.Body.String(), `action="/o/org_1/keys"`)
	require.Contains(t, asked.Body.String(), `name="step_up_password"`)

	held := url.Values{"action": {"make"}, "name": {"Shop"}, "once": {"first"}}.Encode()
	sent := []string{}
	answer := func(proof string) *httptest.ResponseRecorder {
		answers := map[string]string{"GET /v1/session": anAdmin, "POST /v1/session/proof": proof,
			"POST /v1/organizations/api_keys": `{"id":"apik_1","api_key":"the new key","secret_available":true}`,
			"GET /v1/organizations/api_keys":  `{}`}
		request := httptest.NewRequest(http.MethodPost, "/o/org_1/keys", strings.NewReader(
			url.Values{"step_up_form": {held}, "step_up_password": {"secret of Ada"}}.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return answeredBy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				sent = append(sent, strings.TrimSpace(r.URL.Path+" "+r.Header.Get("Idempotency-Key")))
			}
			saying(answers).ServeHTTP(w, r)
		}), request)
	}
	wrong := answer(`{"status":400,"code":"validation_failed","title":"No","detail":"No.",` +
		`"errors":[{"code":"out_of_range","location":"body.password","message":"The password is wrong."}]}`)
	require.Equal(t, http.StatusForbidden, wrong.Code)
	require.NotContains(t, wrong.Body.String(), "secret of Ada")
	right := answer(anAdmin)
	require.Contains(t, right.Body.String(), "the new key")
	require.Len(t, sent, 3)
	require.Equal(t, "/v1/session/proof", sent[0])
	require.Equal(t, "/v1/session/proof", sent[1], "the key of the form is not that of the proof")
	require.Regexp(t, `^/v1/organizations/api_keys .+`, sent[2])
}
