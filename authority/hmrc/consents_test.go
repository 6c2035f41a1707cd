package hmrc

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority/authoritytest"
	"levy/models"
)

// desk is the sandbox with its page, before which a person stands.
type desk struct {
	t        *testing.T
	sandbox  *Server
	page     http.Handler
	consents *Consents
	now      time.Time
	answer   http.HandlerFunc // of the token endpoint, instead of the sandbox
}

const back = "https://levy.example/connections/hmrc"

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, now: time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return d.now }
	d.sandbox = NewServer(authoritytest.NewLedger(), clock)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.answer != nil {
			d.answer(w, r)
			return
		}
		d.sandbox.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	d.page = d.sandbox.ConsentPage(back)
	d.consents = NewSandboxConsents(NewClient(server.URL, Application{ID: "levy"}), "/sandbox/hmrc", back, clock)
	return d
}

// answers opens the page of a consent and presses a button. It returns the query with which the person comes back.
func (d *desk) answers(address, button string) url.Values {
	d.t.Helper()
	asked, err := url.Parse(address)
	require.NoError(d.t, err)
	require.Equal(d.t, "/sandbox/hmrc", asked.Path)
	w := httptest.NewRecorder()
	d.page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	require.Equal(d.t, http.StatusOK, w.Code)
	require.Contains(d.t, w.Body.String(), "Grant authority")
	form := asked.Query()
	form.Set("answer", button)
	w = httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, address, nil)
	r.PostForm, r.Form = form, form
	d.page.ServeHTTP(w, r)
	require.Equal(d.t, http.StatusSeeOther, w.Code)
	to, err := url.Parse(w.Header().Get("Location"))
	require.NoError(d.t, err)
	require.Equal(d.t, back, "https://"+to.Host+to.Path)
	return to.Query()
}

// A person grants access once, and the code counts once, for the program that began, for ten minutes.
func TestAPersonGrantsAccess(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	exchange := func(organization, code, verifier string) bool {
		_, _, ok, err := d.consents.Exchange(t.Context(), organization, code, verifier)
		require.NoError(t, err)
		return ok
	}
	query := d.answers(d.consents.Address("org_1.STATE", "verifier"), "allow")
	require.Equal(t, "org_1.STATE", query.Get("state"))
	code := query.Get("code")
	require.False(t, exchange("org_2", code, "verifier"), "it is of another organization")
	require.False(t, exchange("org_1", code, "another"), "another program began")
	grant, ends, ok, err := d.consents.Exchange(t.Context(), "org_1", code, "verifier")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, time.Date(2028, 1, 10, 12, 0, 0, 0, time.UTC), ends)
	require.Equal(t, d.now.Add(hours*time.Hour), grant.Expires)
	require.Equal(t, "org_1", tokenPattern.FindStringSubmatch(grant.Access)[2])
	require.False(t, exchange("org_1", code, "verifier"), "a replayed code")

	code = d.answers(d.consents.Address("org_1.STATE", "verifier"), "allow").Get("code")
	d.now = d.now.Add(codeLasts)
	require.False(t, exchange("org_1", code, "verifier"), "an expired code")
	require.False(t, exchange("org_1", "made up", "verifier"))

	query = d.answers(d.consents.Address("org_1.STATE", "verifier"), "deny")
	require.Equal(t, "access_denied", query.Get("error"))
	require.Empty(t, query.Get("code"))

	d.answer = func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	_, _, ok, err = d.consents.Exchange(t.Context(), "org_1", d.answers(d.consents.Address("org_1.A", "v"), "allow").Get("code"), "v")
	require.ErrorIs(t, err, models.ErrUnavailable, "nothing came back")
	require.False(t, ok)
}

func TestTheSandboxSendsNobodyElsewhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	good, err := url.Parse(d.consents.Address("org_1.STATE", "verifier"))
	require.NoError(t, err)
	for name, value := range map[string]string{
		"redirect_uri": "https://elsewhere.example/", "state": "<b>", "response_type": "token", "client_id": "",
		"code_challenge": "short", "code_challenge_method": "plain",
	} {
		query := good.Query()
		query.Set(name, value)
		w := httptest.NewRecorder()
		d.page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/sandbox/hmrc?"+query.Encode(), nil))
		require.Equal(t, http.StatusBadRequest, w.Code, name)
	}
}

// The sandbox grants nothing again by itself that a person has granted or ended.
func TestWhatAPersonHasEndedStaysEnded(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.grant = &models.AuthorityGrant{Consented: true}
	_, err := o.token(t.Context(), "org_1", "")
	require.ErrorIs(t, err, errNotConnected)
	o.grant = &models.AuthorityGrant{Consented: true, Refresh: "refresh.org_1.0.1"}
	_, err = o.token(t.Context(), "org_1", "")
	require.NoError(t, err)
	require.True(t, o.grant.Consented, "a renewal is of the same grant")
	stale := *o.grant
	o.grant = &models.AuthorityGrant{Consented: true, Refresh: "refresh.org_1.0.1"}
	_, err = o.token(t.Context(), "org_1", stale.Access)
	require.ErrorIs(t, err, errNotConnected, "the refresh token was used")
	o.grant = &models.AuthorityGrant{Consented: true, Refresh: "refresh.org_1.0.2"}
	_, err = o.token(t.Context(), "org_1", stale.Access)
	require.NoError(t, err, "it is of a later grant")
}
