package rules

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/models"
)

// webhookPauses are the times between the attempts of a delivery. After the last one it has failed.
var webhookPauses = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

// mostDefectPauses is how many of these pauses follow a defect of Levy. The last one, of two hours, is repeated until
// the defect is gone.
const mostDefectPauses = 4

// longestRetryAfter is the longest pause that a receiver may ask for.
const longestRetryAfter = 24 * time.Hour

// WebhookDisableAfter is the time without a success after which an endpoint is disabled.
const WebhookDisableAfter = 5 * 24 * time.Hour

// statusGone is the answer of a receiver that wants no more events.
const statusGone = 410

// webhookSucceeded reports whether an attempt delivered its event: an answer of the class 2xx that arrived.
func webhookSucceeded(a models.WebhookAttempt) bool {
	return a.Error == "" && a.HTTPStatus >= 200 && a.HTTPStatus <= 299
}

// WebhookDefect reports whether an attempt failed because of a defect of Levy.
func WebhookDefect(a models.WebhookAttempt) bool {
	return a.Error == models.WebhookUnreadable || a.Error == models.WebhookNotSigned ||
		a.Error == models.WebhookNotCompleted
}

// WebhookConcernsReceiver reports whether the result of an attempt is due to its receiver. A defect of Levy is not, nor
// an event that is no longer stored.
func WebhookConcernsReceiver(a models.WebhookAttempt) bool {
	return a.Error != models.WebhookEventGone && !WebhookDefect(a)
}

// NextWebhookAttempt returns the outcome of a delivery after its latest attempt. Only attempts of the receiver count,
// so a delivery never fails because of a defect of Levy.
func NextWebhookAttempt(d *models.WebhookDelivery, a models.WebhookAttempt) models.WebhookOutcome {
	tries := d.Tries + 1
	switch {
	case webhookSucceeded(a):
		return models.WebhookOutcome{Status: models.WebhookDelivered}
	case a.HTTPStatus == statusGone:
		return models.WebhookOutcome{Status: models.WebhookFailed, Gone: true}
	case WebhookDefect(a):
		tries = min(defects(d.Attempts)+1, mostDefectPauses)
	case a.Error == models.WebhookEventGone, tries > len(webhookPauses):
		return models.WebhookOutcome{Status: models.WebhookFailed}
	}
	pause := webhookPauses[tries-1]
	pause += pause / 1000 * time.Duration(webhookShift(d.ID, tries))
	return models.WebhookOutcome{Status: models.WebhookPending, Pause: max(pause, requestedPause(a))}
}

// defects counts the last attempts in a row that failed because of a defect of Levy.
func defects(attempts []models.WebhookAttempt) (n int) {
	for _, a := range slices.Backward(attempts) {
		if !WebhookDefect(a) {
			break
		}
		n++
	}
	return n
}

// webhookShift returns a shift of the pause of up to 100 thousandths to either side, so that attempts that failed
// together do not repeat together. The same attempt always gets the same shift.
func webhookShift(deliveryID string, tries int) int {
	hash := fnv.New64a()
	hash.Write([]byte(deliveryID + "/" + strconv.Itoa(tries)))
	return int(hash.Sum64()%201) - 100
}

// requestedPause returns the pause that a busy receiver requested.
func requestedPause(a models.WebhookAttempt) time.Duration {
	if a.HTTPStatus != 429 && a.HTTPStatus != 503 {
		return 0
	}
	return min(a.RetryAfter, longestRetryAfter)
}

const (
	// mostWebhooks are under way to one endpoint at once, and FirstWebhooks to a new one.
	mostWebhooks, FirstWebhooks = 32, 8
	// longestSetback is the longest pause without a request of the endpoint, if it cannot keep up.
	longestSetback = time.Minute
)

// ThrottleWebhook returns how fast an endpoint is served after a batch of attempts. It is half as fast if the endpoint
// could not keep up, and a little faster if all succeeded. There is a pause if it requested one, or cannot keep up with
// one request at a time.
func ThrottleWebhook(p models.WebhookThrottle, batch []models.WebhookAttempt) models.WebhookThrottle {
	next := models.WebhookThrottle{Concurrency: min(max(p.Concurrency, 1), mostWebhooks)}
	busy, well, asked := false, true, 0
	for _, a := range batch {
		if !WebhookConcernsReceiver(a) {
			continue
		}
		asked++
		busy = busy || isBusy(a)
		well = well && webhookSucceeded(a)
		next.Pause = max(next.Pause, requestedPause(a))
	}
	switch {
	case busy && next.Concurrency == 1:
		next.Setbacks = min(p.Setbacks+1, 16)
		next.Pause = max(next.Pause, min(longestSetback, time.Second<<(next.Setbacks-1)))
	case busy:
		next.Concurrency /= 2
	case well && asked >= next.Concurrency:
		next.Concurrency = min(next.Concurrency+max(1, next.Concurrency/4), mostWebhooks)
	}
	return next
}

// isBusy reports whether the receiver is overloaded, by the result of an attempt.
func isBusy(a models.WebhookAttempt) bool {
	return a.Error == models.WebhookTimeout || slices.Contains([]int{429, 502, 503, 504}, a.HTTPStatus)
}

// WebhookSelection returns the types of events that an endpoint selects. all is true for every type, including those of
// later releases.
func WebhookSelection(enabled []string) (types []string, all bool) {
	for _, t := range models.WebhookTypes {
		if slices.ContainsFunc(enabled, func(asked string) bool {
			return asked == t || strings.HasSuffix(asked, ".*") && strings.HasPrefix(t, asked[:len(asked)-1])
		}) {
			types = append(types, t)
		}
	}
	return types, slices.Contains(enabled, "*")
}
