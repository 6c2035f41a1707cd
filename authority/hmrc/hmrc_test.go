package hmrc

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority"
	"levy/models"
	"levy/returns/vat"
)

func TestAReturnIsTakenOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	s := o.submission(t, 1, toPay, "")
	_, err := o.Check(t.Context(), s.Key)
	require.ErrorIs(t, err, models.ErrNotFound, "the authority has nothing of it")
	a, err := o.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, a.Outcome)
	require.Regexp(t, `^[0-9]{12}$`, a.Confirmation)
	require.Regexp(t, `^[0-9A-F]{8}$`, a.PaymentConfirmation)
	require.Empty(t, a.Reason)
	require.Contains(t, a.Message, "Receipt ")
	require.NotContains(t, a.Message, "123456789")
	again, err := o.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, again.Outcome, "it has the same figures")
	checked, err := o.Check(t.Context(), s.Key)
	require.NoError(t, err)
	require.Equal(t, again, checked)
	later, err := o.Submit(t.Context(), o.submission(t, 2, toClaim, ""))
	require.NoError(t, err)
	require.Equal(t, rejected(ReasonOtherFigures), later)
	posts, _ := o.posts()
	require.Equal(t, 1, posts, "what the authority has is not sent again")
}

// The answer that a lost receipt hides is read from what the authority has.
func TestALostAnswerIsNotSentAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	s := o.submission(t, 1, toPay, "SIMULATE_TIMEOUT")
	_, err := o.Submit(t.Context(), s)
	require.ErrorIs(t, err, models.ErrOutcomeUnknown)
	require.NotContains(t, err.Error(), "123456789")
	a, err := o.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, a.Outcome)
	require.True(t, a.Unpaid(), "whether an account is debited is not known")
	posts, _ := o.posts()
	require.Equal(t, 1, posts)
}

// Two workers submit at once: the authority takes one, and the other learns that from what it has.
func TestTwoWorkersFileOneReturn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	s := o.submission(t, 1, toPay, "")
	_, err := o.token(t.Context(), "org_1", "")
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			a, err := o.Submit(t.Context(), s)
			if err == nil && a.Outcome != models.AuthorityAccepted {
				err = errors.New(a.Reason)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	_, signs := o.posts()
	require.Equal(t, 1, signs)
}

// The decisions about the answers of the authority: those of the sandbox by the words of notes.
func TestDecisionsAboutAnswers(t *testing.T) {
	t.Parallel()
	for notes, want := range map[string]struct {
		outcome models.AuthorityOutcome
		reason  string
		err     error
		posts   int
	}{
		"":                         {models.AuthorityAccepted, "", nil, 1},
		"SIMULATE_NO_DEBIT":        {models.AuthorityAccepted, models.PaymentNotTaken, nil, 1},
		"SIMULATE_DUPLICATE":       {models.AuthorityAccepted, models.PaymentNotTaken, nil, 1},
		"SIMULATE_REJECT":          {models.AuthorityRejected, vat.CodeInsolvent, nil, 1},
		"SIMULATE_WRONG_TOTALS":    {models.AuthorityRejected, vat.CodeTotal, nil, 1},
		"SIMULATE_NO_OBLIGATION":   {models.AuthorityRejected, ReasonNoObligation, nil, 0},
		"SIMULATE_TOKEN_EXPIRED":   {models.AuthorityAccepted, "", nil, 1},
		"SIMULATE_TOKEN_REVOKED":   {models.AuthorityRejected, ReasonNotConnected, nil, 0},
		"x SIMULATE_DOWN, please.": {"", "", models.ErrUnavailable, 0},
	} {
		o := newOffice(t)
		a, err := o.Submit(t.Context(), o.submission(t, 1, toPay, notes))
		require.ErrorIs(t, err, want.err, notes)
		require.Equal(t, want.outcome, a.Outcome, notes)
		require.Equal(t, want.reason, a.Reason, notes)
		if want.outcome == models.AuthorityRejected {
			require.NotEmpty(t, a.Message)
			require.NotEqual(t, unknownCode, a.Message)
		}
		posts, _ := o.posts()
		require.Equal(t, want.posts, posts, notes)
	}
}

func TestReturnsOfPeriodsThatTheAuthorityDoesNotWant(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	s := o.submission(t, 1, toPay, "")
	part := vat.Return{VRN: "123456789", Start: 20260415, End: 20260630, Boxes: boxes(t, toPay)}
	s.Document.Content = part.Document()
	a, err := o.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, rejected(ReasonNoObligation), a, "a part of a quarter")

	o.answers(func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, map[string]any{"obligations": []Obligation{{Start: 20260401, End: 20260531, PeriodKey: "#001"}}})
	})
	a, err = o.Submit(t.Context(), o.submission(t, 1, toPay, ""))
	require.NoError(t, err)
	require.Equal(t, rejected(ReasonNoObligation), a, "obligations of other periods")
	o.answers(nil)

	o.later(-24 * 20 * time.Hour)
	a, err = o.Submit(t.Context(), o.submission(t, 2, toPay, ""))
	require.NoError(t, err)
	require.Equal(t, rejected(vat.CodeNotEnded), a)

	s = o.submission(t, 3, toPay, "")
	s.Return.Category = string(models.FilingAmendment)
	a, err = o.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityManual, a.Outcome, "people carry the difference")

	s = o.submission(t, 4, toPay, "")
	s.Document = nil
	a, err = o.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, authority.Incomplete, a)
	s.Document = &models.FilingDocument{Layout: vat.Layout, Content: []byte("{}")}
	a, err = o.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, authority.Incomplete, a)
}

// Answers that the sandbox does not give. The obligation is open, and the authority has no return.
func TestAnswersThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct {
		status  int
		outcome models.AuthorityOutcome
		reason  string
		err     error
	}{
		`{"formBundleNumber":"12345678901"}`:               {201, "", "", models.ErrOutcomeUnknown},
		`{"formBundleNumber":"12345678901x"}`:              {201, "", "", models.ErrOutcomeUnknown},
		`{"formBundleNumber":"123456789012"}`:              {201, models.AuthorityAccepted, models.PaymentNotTaken, nil},
		`<html>`:                                           {200, "", "", models.ErrOutcomeUnknown},
		`gone`:                                             {302, "", "", models.ErrOutcomeUnknown},
		`no`:                                               {500, "", "", models.ErrOutcomeUnknown},
		`{"code":"MESSAGE_THROTTLED_OUT"}`:                 {429, "", "", models.ErrUnavailable},
		`{"code":"SOMETHING_NEW","message":"1"}`:           {403, models.AuthorityRejected, "SOMETHING_NEW", nil},
		`{"code":"a bank account 12-34-56"}`:               {400, models.AuthorityRejected, reasonUnknownRefusal, nil},
		`{"code":"DUPLICATE_SUBMISSION"}`:                  {403, "", "", models.ErrOutcomeUnknown},
		`{"code":"CLIENT_OR_AGENT_NOT_AUTHORISED"}`:        {403, models.AuthorityRejected, vat.CodeUnauthorised, nil},
		`{"code":"` + strings.Repeat("A", 51) + `"}`:       {400, models.AuthorityRejected, reasonUnknownRefusal, nil},
		`{"code":"INVALID_CREDENTIALS","message":"wrong"}`: {401, models.AuthorityRejected, ReasonNotConnected, nil},
	} {
		o := newOffice(t)
		o.answers(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodPost:
				w.WriteHeader(want.status)
				_, _ = w.Write([]byte(body))
			case strings.HasSuffix(r.URL.Path, "/obligations"):
				write(w, http.StatusOK, map[string]any{"obligations": []Obligation{
					{Start: 20260101, End: 20260331, Status: fulfilled, PeriodKey: "18A1"},
					{Start: 20260401, End: 20260630, Due: 20260807, Status: "O", PeriodKey: "#001"},
				}})
			default:
				refuse(w, vat.CodeNotFound)
			}
		})
		a, err := o.Submit(t.Context(), o.submission(t, 1, toPay, ""))
		require.ErrorIs(t, err, want.err, body)
		require.Equal(t, want.outcome, a.Outcome, body)
		require.Equal(t, want.reason, a.Reason, body)
		if err != nil {
			require.NotContains(t, err.Error(), "123456789")
		}
		require.Contains(t, o.calls, "GET /returns/%23001", "a key is escaped in a path")
	}
}

func TestAClosedPortHasTakenNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	_, err := o.token(t.Context(), "org_1", "")
	require.NoError(t, err)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	_, err = NewClient(closed.URL, Application{}).do(t.Context(), call{method: http.MethodPost, path: "/x", token: "t"})
	require.ErrorIs(t, err, models.ErrUnavailable)
}

// A token is renewed before it ends, by one caller. A refresh token is taken once.
func TestTokensAreRenewedByOneCaller(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, err := o.token(t.Context(), "org_1", "")
	require.NoError(t, err)
	o.later(hours*time.Hour - before)
	var group sync.WaitGroup
	tokens := make(chan string, 8)
	for range 8 {
		group.Go(func() {
			token, err := o.token(t.Context(), "org_1", "")
			if err != nil {
				t.Error(err)
			}
			tokens <- token
		})
	}
	group.Wait()
	close(tokens)
	second := <-tokens
	require.NotEqual(t, first, second)
	for token := range tokens {
		require.Equal(t, second, token)
	}
	_, signs := o.posts()
	require.Equal(t, 2, signs, "the consent and one renewal")

	stale := *o.grant
	_, err = o.token(t.Context(), "org_1", second)
	require.NoError(t, err, "a refused token is renewed")
	consent := o.consent
	o.grant, o.consent = &stale, nil
	_, err = o.token(t.Context(), "org_1", second)
	require.ErrorIs(t, err, errNotConnected, "its refresh token was used")
	require.Equal(t, stale, *o.grant, "a renewal that fails leaves the grant")
	o.consent = consent
	third, err := o.token(t.Context(), "org_1", second)
	require.NoError(t, err, "the sandbox consents again")
	require.NotEqual(t, second, third)
	require.Equal(t, third, o.grant.Access)
}

// A real authority asks a person first: without consent there is no grant.
func TestWithoutAGrantNothingIsSent(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.consent = nil
	a, err := o.Submit(t.Context(), o.submission(t, 1, toPay, ""))
	require.NoError(t, err)
	require.Equal(t, rejected(ReasonNotConnected), a)
	require.Empty(t, o.calls)
}

func TestTheSandboxRefusesWhatTheDescriptionRefuses(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	token, err := o.token(t.Context(), "org_1", "")
	require.NoError(t, err)
	good := string(boxes(t, toPay).Request("#Q25"))
	header, _ := headersOf("1.2", byPerson())
	require.Equal(t, "#Q25", keyOf(20260401, 20260630))
	for _, test := range []struct {
		path, token, body string
		status            int
		code              string
	}{
		{"/organisations/vat/12345678/returns", token, good, 400, vat.CodeVRN},
		{"/organisations/vat/123456789/returns", "refresh.org_1.0.99999999999", good, 401, reasonCredentials},
		{"/organisations/vat/123456789/returns", "access.org_1.0.1", good, 401, reasonCredentials},
		{"/organisations/vat/123456789/returns", token, strings.Replace(good, "true", "false", 1), 403, vat.CodeNotFinal},
		{
			"/organisations/vat/123456789/returns", token, strings.Replace(good, `"totalVatDue": 200.00`, `"totalVatDue": 200.01`, 1),
			400, vat.CodeTotal,
		},
		{"/organisations/vat/123456789/returns", token, strings.Replace(good, `150.00`, `-150.00`, 1), 400, vat.CodeAmount},
		{"/organisations/vat/123456789/returns", token, strings.Replace(good, "#Q25", "18A1", 1), 400, vat.CodePeriodKey},
		{"/organisations/vat/123456789/returns", token, strings.Replace(good, "#Q25", "#QZZ", 1), 403, vat.CodeNotEnded},
		{"/organisations/vat/123456789/returns", token, "{", 400, vat.CodeRequest},
		{"/organisations/vat/123456789/returns", token, good, 201, ""},
		{"/organisations/vat/123456789/returns", token, good, 403, vat.CodeDuplicate},
	} {
		answer, err := o.client.do(t.Context(), call{
			method: http.MethodPost, path: test.path, token: test.token, body: []byte(test.body), header: header,
		})
		require.NoError(t, err)
		require.Equal(t, test.status, answer.status, test.code)
		require.Equal(t, test.code, answer.code())
	}
	for _, query := range []string{"?from=x&to=2026-06-30", "?from=2026-04-01&to=x", "?from=2026-06-30&to=2026-04-01"} {
		path := organisation("123456789") + "/obligations" + query
		answer, err := o.client.do(t.Context(), call{method: http.MethodGet, path: path, token: token, header: header})
		require.NoError(t, err)
		require.Equal(t, 400, answer.status)
	}
}
