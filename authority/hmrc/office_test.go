package hmrc

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority/authoritytest"
	"levy/models"
	"levy/returns/vat"
	"levy/tax/money"
)

// office is the authority with an adapter before it, and all that both remember. Its clock stands still until a test sets it.
type office struct {
	*Adapter
	mu        sync.Mutex
	documents authoritytest.Documents
	grant     *models.AuthorityGrant
	renewing  sync.Mutex
	now       time.Time
	calls     []string // method and path of each, without the number
	last      http.Header
	answer    http.HandlerFunc // instead of the sandbox; nil for it
	base      string
	sandbox   *Server
	// connection is that of the call that began each attempt; nil for none.
	connection *models.ClientConnection
}

// ConnectionOfAttempt implements Records.
func (o *office) ConnectionOfAttempt(context.Context, models.Scope, models.Attempt) (models.ClientConnection, error) {
	if o.connection == nil {
		return models.ClientConnection{}, models.ErrNotFound
	}
	return *o.connection, nil
}

// DocumentOfAttempt implements Records.
func (o *office) DocumentOfAttempt(ctx context.Context, scope models.Scope, attempt models.Attempt) (models.FilingDocument, error) {
	return o.documents.DocumentOfAttempt(ctx, scope, attempt)
}

// byPerson is a call of a person at the console.
func byPerson() *models.ClientConnection {
	return &models.ClientConnection{
		At: time.Date(2026, 7, 10, 11, 59, 58, 7e6, time.UTC), Browser: true, UserID: "user_1", Address: "81.2.69.142", Port: 47138,
		Device: "beec798b-b366-47fa-b1f8-92cede14a1ce", UserAgent: "Mozilla/5.0 (X11; Linux x86_64) Ünï/1", Offset: new(60),
		Factor: models.ProofCode, FactorAt: time.Date(2026, 7, 10, 8, 5, 0, 0, time.UTC),
	}
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{documents: authoritytest.Documents{}, now: time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC), connection: byPerson()}
	clock := func() time.Time {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.now
	}
	o.sandbox = NewServer(authoritytest.NewLedger(), clock)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.calls = append(o.calls, r.Method+" "+strings.ReplaceAll(r.URL.EscapedPath(), "/organisations/vat/123456789", ""))
		o.last = r.Header.Clone()
		answer := o.answer
		o.mu.Unlock()
		if answer != nil && !strings.HasPrefix(r.URL.Path, "/oauth") {
			answer(w, r)
			return
		}
		o.sandbox.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	o.base = server.URL
	o.Adapter = NewSandboxAdapter(NewClient(server.URL, Application{ID: "levy", Version: "1.2"}), o, o, clock)
	return o
}

func (o *office) Grant(context.Context, string) (models.AuthorityGrant, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.grant == nil {
		return models.AuthorityGrant{}, models.ErrNotFound
	}
	return *o.grant, nil
}

func (o *office) RenewGrant(
	ctx context.Context, _ string, renew func(context.Context, models.AuthorityGrant) (models.AuthorityGrant, error),
) (models.AuthorityGrant, error) {
	o.renewing.Lock()
	defer o.renewing.Unlock()
	stored, _ := o.Grant(ctx, "")
	made, err := renew(ctx, stored)
	if err != nil {
		return stored, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.grant = &made
	return made, nil
}

func (o *office) later(by time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now = o.now.Add(by)
}

// answers has an own answer given to all but the sign-in; nil gives that of the sandbox.
func (o *office) answers(answer http.HandlerFunc) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answer = answer
}

// header returns a header of the last request. A call that timed out may still be under way at the server.
func (o *office) header(name string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last.Get(name)
}

// posts counts the submissions that were sent, and signs the calls of the sign-in.
func (o *office) posts() (returns, signs int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range o.calls {
		switch c {
		case "POST /returns":
			returns++
		case "POST /oauth/token":
			signs++
		}
	}
	return returns, signs
}

func boxes(t *testing.T, amounts string) (b vat.Boxes) {
	t.Helper()
	for i, text := range strings.Fields(amounts) {
		var err error
		b[i], err = money.ParseTotal(text)
		require.NoError(t, err)
	}
	return b
}

const (
	toPay   = "200.00 0 200.00 50.00 150.00 1000 250 0 0"
	toClaim = "105.50 -100.45 5.05 105.15 100.10 300 300 0 0"
)

// submission is an attempt at the return of the second quarter of 2026.
func (o *office) submission(t *testing.T, attempt int, amounts, notes string) models.AuthoritySubmission {
	t.Helper()
	r := vat.Return{VRN: "123456789", Start: 20260401, End: 20260630, Boxes: boxes(t, amounts)}
	d := models.FilingDocument{Attempt: attempt, Layout: vat.Layout, Content: r.Document()}
	o.documents[attempt] = d
	return models.AuthoritySubmission{
		Key:  models.AuthorityKey{OrganizationID: "org_1", Kind: models.AuthorityReturn, RecordID: "fili_1", Attempt: attempt},
		Test: true, Country: "GB", State: "GB", Document: &d, Notes: notes, Return: &models.TaxReturn{Category: "REGULAR"},
	}
}
