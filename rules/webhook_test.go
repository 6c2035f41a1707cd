package rules_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
)

func TestNextWebhookAttempt(t *testing.T) {
	t.Parallel()
	failed := models.WebhookAttempt{HTTPStatus: 500}
	for i, pause := range []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
		20 * time.Hour, 24 * time.Hour,
	} {
		var all []time.Duration
		for n := range 200 {
			d := models.WebhookDelivery{ID: fmt.Sprintf("wdel_%d", n), Tries: i}
			next := rules.NextWebhookAttempt(&d, failed)
			require.Equal(t, models.WebhookPending, next.Status)
			require.InDelta(t, pause, next.Pause, float64(pause)/10)
			require.Equal(t, next, rules.NextWebhookAttempt(&d, failed), "the same each time")
			all = append(all, next.Pause)
		}
		require.NotEqual(t, all[0], all[1], "not all at the same time")
	}
	first, last := models.WebhookDelivery{ID: "wdel_1"}, models.WebhookDelivery{ID: "wdel_1", Tries: 9}
	require.Equal(t, models.WebhookOutcome{Status: models.WebhookFailed}, rules.NextWebhookAttempt(&last, failed))

	for name, test := range map[string]struct {
		attempt models.WebhookAttempt
		want    models.WebhookOutcome
	}{
		"success": {models.WebhookAttempt{HTTPStatus: 204},
			models.WebhookOutcome{Status: models.WebhookDelivered}},
		"gone": {models.WebhookAttempt{HTTPStatus: 410},
			models.WebhookOutcome{Status: models.WebhookFailed, Gone: true}},
		"asked for an hour": {models.WebhookAttempt{HTTPStatus: 429, RetryAfter: time.Hour},
			models.WebhookOutcome{Status: models.WebhookPending, Pause: time.Hour}},
		"asked for a year": {models.WebhookAttempt{HTTPStatus: 503, RetryAfter: 8760 * time.Hour},
			models.WebhookOutcome{Status: models.WebhookPending, Pause: 24 * time.Hour}},
		"event is forgotten": {models.WebhookAttempt{Error: models.WebhookEventGone},
			models.WebhookOutcome{Status: models.WebhookFailed}},
	} {
		require.Equal(t, test.want, rules.NextWebhookAttempt(&first, test.attempt), name)
	}
	for name, attempt := range map[string]models.WebhookAttempt{
		"reply cut off":          {HTTPStatus: 200, Error: "connection_lost"},
		"redirect":               {HTTPStatus: 301, Error: "redirect_not_followed"},
		"no answer":              {Error: models.WebhookTimeout},
		"pause of another error": {HTTPStatus: 500, RetryAfter: time.Hour},
	} {
		next := rules.NextWebhookAttempt(&first, attempt)
		require.Equal(t, models.WebhookPending, next.Status, name)
		require.Less(t, next.Pause, 6*time.Second, name)
	}
}

// A defect of Levy is waited for without end, at most two hours at a time, and counts as no try.
func TestADefectIsNeverTheLastAttempt(t *testing.T) {
	t.Parallel()
	d := models.WebhookDelivery{ID: "wdel_1", Tries: 9, Attempts: []models.WebhookAttempt{{HTTPStatus: 500}}}
	for _, pause := range []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 2 * time.Hour, 2 * time.Hour,
	} {
		defect := models.WebhookAttempt{Error: models.WebhookNotSigned}
		next := rules.NextWebhookAttempt(&d, defect)
		require.Equal(t, models.WebhookPending, next.Status)
		require.InDelta(t, pause, next.Pause, float64(pause)/10)
		d.Attempts = append(d.Attempts, defect)
	}
	require.Equal(t, models.WebhookFailed, rules.NextWebhookAttempt(&d, models.WebhookAttempt{HTTPStatus: 500}).Status)
}

func TestThrottleWebhook(t *testing.T) {
	t.Parallel()
	batch := func(n, status int) []models.WebhookAttempt {
		attempts := make([]models.WebhookAttempt, n)
		for i := range attempts {
			attempts[i].HTTPStatus = status
		}
		return attempts
	}
	throttle := func(concurrency, setbacks int, pause time.Duration) models.WebhookThrottle {
		return models.WebhookThrottle{Concurrency: concurrency, Setbacks: setbacks, Pause: pause}
	}
	slow := []models.WebhookAttempt{{Error: models.WebhookTimeout}}
	for name, test := range map[string]struct {
		before models.WebhookThrottle
		batch  []models.WebhookAttempt
		want   models.WebhookThrottle
	}{
		"grows":                         {throttle(8, 0, 0), batch(8, 200), throttle(10, 0, 0)},
		"grows from one":                {throttle(1, 3, time.Second), batch(1, 200), throttle(2, 0, 0)},
		"no further":                    {throttle(32, 0, 0), batch(64, 200), throttle(32, 0, 0)},
		"a few attempts decide nothing": {throttle(8, 0, 0), batch(3, 200), throttle(8, 0, 0)},
		"other errors do not reduce the concurrency": {throttle(8, 0, 0), batch(8, 500), throttle(8, 0, 0)},
		"halves after 502":                           {throttle(8, 0, 0), batch(1, 502), throttle(4, 0, 0)},
		"halves after 504":                           {throttle(9, 0, 0), append(batch(8, 200), batch(1, 504)...), throttle(4, 0, 0)},
		"halves after a time-out":                    {throttle(8, 0, 0), slow, throttle(4, 0, 0)},
		"pauses where asked": {throttle(8, 0, 0),
			[]models.WebhookAttempt{{HTTPStatus: 429, RetryAfter: time.Minute}}, throttle(4, 0, time.Minute)},
		"pauses when one at a time is too many": {throttle(1, 0, 0), slow, throttle(1, 1, time.Second)},
		"pauses longer":                         {throttle(1, 3, 0), batch(1, 503), throttle(1, 4, 8*time.Second)},
		"pauses a minute at the most":           {throttle(1, 16, 0), slow, throttle(1, 16, time.Minute)},
		"begins at one":                         {throttle(0, 0, 0), batch(1, 500), throttle(1, 0, 0)},
		"defects decide nothing": {throttle(2, 0, 0), append(batch(1, 200),
			models.WebhookAttempt{Error: models.WebhookNotSigned}), throttle(2, 0, 0)},
		"nor keep it from growing": {throttle(1, 0, 0), append(batch(1, 200),
			models.WebhookAttempt{Error: models.WebhookUnreadable}), throttle(2, 0, 0)},
		"Retry-After of a 500 is ignored": {throttle(8, 0, 0),
			[]models.WebhookAttempt{{HTTPStatus: 500, RetryAfter: time.Hour}}, throttle(8, 0, 0)},
	} {
		require.Equal(t, test.want, rules.ThrottleWebhook(test.before, test.batch), name)
	}
}

func TestWebhookSelection(t *testing.T) {
	t.Parallel()
	types, all := rules.WebhookSelection([]string{"customer.*", "filing.filed"})
	require.Equal(t, []string{"customer.created", "customer.updated", "filing.filed"}, types)
	require.False(t, all)
	_, all = rules.WebhookSelection([]string{"filing.filed", "*"})
	require.True(t, all)
	types, _ = rules.WebhookSelection([]string{"nexus.*"})
	require.Len(t, types, 3, "not those of physical_nexus")
}
