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

// statusGone is the answer of a receiver that wants nothing any more.
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

// WebhookConcernsReceiver reports whether an attempt says something about its receiver, which a defect of Levy does not, nor an
// event that is kept no longer.
func WebhookConcernsReceiver(a models.WebhookAttempt) bool {
	return a.Error != models.WebhookEventGone && !WebhookDefect(a)
}

// NextWebhookAttempt says what the latest attempt means for its delivery. One that a defect of Levy holds up is never
// given up: its tries are those of its receiver.
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

// defects are how many of the last attempts in a row a defect of Levy made fail.
func defects(attempts []models.WebhookAttempt) (n int) {
	for _, a := range slices.Backward(attempts) {
		if !WebhookDefect(a) {
			break
		}
		n++
	}
	return n
}

// webhookShift moves an attempt by up to 100 thousandths to either side, so that what failed together does not come
// back together. The same attempt is always moved alike.
func webhookShift(deliveryID string, tries int) int {
	hash := fnv.New64a()
	hash.Write([]byte(deliveryID + "/" + strconv.Itoa(tries)))
	return int(hash.Sum64()%201) - 100
}

// requestedPause is the pause that a receiver asked for that is busy.
func requestedPause(a models.WebhookAttempt) time.Duration {
	if a.HTTPStatus != 429 && a.HTTPStatus != 503 {
		return 0
	}
	return min(a.RetryAfter, longestRetryAfter)
}

const (
	// mostWebhooks are under way to one endpoint at once, and FirstWebhooks to a new one.
	mostWebhooks, FirstWebhooks = 32, 8
	// longestSetback is the longest pause that Levy makes by itself for an endpoint that cannot keep up.
	longestSetback = time.Minute
)

// ThrottleWebhook is how fast an endpoint is served after a batch of attempts: half as fast when it could not keep up,
// a little faster when all went well, and after a pause when it asked for one or is too slow for a single request at a
// time.
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

// isBusy reports whether an attempt says that the receiver has too much to do.
func isBusy(a models.WebhookAttempt) bool {
	return a.Error == models.WebhookTimeout || slices.Contains([]int{429, 502, 503, 504}, a.HTTPStatus)
}

// WebhookSelection are the types of events that an endpoint asks for; all is true for every type, those of later
// releases included.
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
