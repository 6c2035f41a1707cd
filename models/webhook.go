package models

import (
	"time"
)

// WebhookStatus says whether events are sent to an endpoint.
type WebhookStatus string

// States of an endpoint.
const (
	WebhookEnabled  WebhookStatus = "ENABLED"
	WebhookDisabled WebhookStatus = "DISABLED"
)

// Why an endpoint is disabled.
const (
	WebhookManual  = "MANUAL"  // the client said so
	WebhookFailing = "FAILING" // five days without a success
	WebhookGone    = "GONE"    // it answered 410
)

// MaxWebhookEndpoints is the number of endpoints an organization may have.
const MaxWebhookEndpoints = 10

// WebhookOverlap is for how long a replaced secret still signs.
const WebhookOverlap = 24 * time.Hour

// WebhookEndpoint is an address to which the events of an organization are sent. Secrets are sealed under the data
// key of the organization.
type WebhookEndpoint struct {
	OrganizationID  string `gorm:"primaryKey"`
	ID              string `gorm:"primaryKey"`
	URL             string `gorm:"column:url"`
	Description     *string
	EnabledEvents   []string `gorm:"serializer:json"` // names of types, prefixes such as filing.*, or *
	Status          WebhookStatus
	DisabledReason  *string
	IncludeClients  bool
	SignatureScheme string // v1 or v1a
	PublicKey       *string
	Secret          []byte
	FormerSecret    []byte // signs beside Secret until FormerUntil; nil for none
	FormerUntil     *time.Time
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// WebhookSecretField is what the sealed secret of an endpoint is bound to.
func WebhookSecretField(endpointID string) string { return "webhook_secret_" + endpointID }

// SetStatus moves the endpoint; the reason counts for one that is disabled. One that has the status already keeps
// its reason.
func (w *WebhookEndpoint) SetStatus(to WebhookStatus, reason string) {
	switch {
	case to == WebhookEnabled:
		w.Status, w.DisabledReason = to, nil
	case w.Status != to:
		w.Status, w.DisabledReason = to, &reason
	}
}

// WebhookPing is the type of events that are sent by a test, to one endpoint alone.
const WebhookPing = "test.ping"

// WebhookTypes are the types of events that there may be, those of later releases excepted.
var WebhookTypes = []string{
	"organization.created", "organization.updated", "organization.archived",
	"onboarding.step_completed", "onboarding.updated", "onboarding.completed", "onboarding.cancelled",
	"onboarding.expired", "onboarding.failed", "onboarding.reminder",
	"api_key.created", "api_key.rotated", "api_key.revoked",
	"product.created", "product.updated", "product.archived",
	"customer.created", "customer.updated",
	"exemption.created", "exemption.updated", "exemption.expiring", "exemption.expired",
	"transaction.created", "transaction.updated", "transaction.processed", "transaction.needs_attention",
	"transaction.locked", "transaction.archived",
	"credit_note.created", "credit_note.updated", "credit_note.processed",
	"physical_nexus.created", "physical_nexus.updated", "physical_nexus.deleted",
	"nexus.status_changed", "nexus.disregarded", "nexus.undisregarded",
	"registration.created", "registration.updated", "registration.registered", "registration.deregistered",
	"registration.cancelled",
	"filing.created", "filing.updated", "filing.ready_for_approval",
	"filing.approved", "filing.filed", "filing.paused", "filing.resumed",
	"filing.skipped", "filing.cancelled", "filing.issue", "filing.due_soon", "filing.overdue",
	"content.activated", "webhook_endpoint.disabled", WebhookPing,
}

// WebhookSummary is what is known of all endpoints without reading events.
type WebhookSummary struct {
	Newest  int64 // number that an event has drawn
	Enabled bool  // there is an endpoint that gets events
	Due     bool  // the run of one has to be checked
}

// WebhookPoll says which endpoints are polled: those for which something happened behind a number of the feed, and
// those whose run was open at the last poll.
type WebhookPoll struct {
	Full    bool // every endpoint, whatever happened
	After   int64
	Running []WebhookRef
}

// WebhookPolled is what a poll found: endpoints for which there is something to do, and those whose run is open and
// may have missed what happened. It saw the feed up to a number.
type WebhookPolled struct {
	Leased  []WebhookEndpoint
	Running []WebhookRef
	UpTo    int64
}

// WebhookDeliveryStatus says what became of an event for an endpoint.
type WebhookDeliveryStatus string

// States of a delivery.
const (
	WebhookPending   WebhookDeliveryStatus = "PENDING"
	WebhookDelivered WebhookDeliveryStatus = "DELIVERED"
	WebhookFailed    WebhookDeliveryStatus = "FAILED"
)

// WebhookDelivery is an event for an endpoint, and what its attempts found.
type WebhookDelivery struct {
	OrganizationID string `gorm:"primaryKey"` // of the endpoint
	EndpointID     string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	// Of the event: its organization, which is another one where an endpoint includes clients, and its place.
	EventOrganizationID string
	Sequence            int64
	EventAt             time.Time
	Type                string
	ReplayID            *string // of the replay that made it; nil for the first time
	Status              WebhookDeliveryStatus
	Tries               int              // that its receiver had since it was asked for last
	Attempts            []WebhookAttempt `gorm:"serializer:json"` // the last ones, oldest first
	NextAttemptAt       *time.Time       // of a pending one
	CreatedAt           time.Time
}

// EventID is the identifier of the event.
func (d WebhookDelivery) EventID() string { return EventID(d.EventAt, d.Sequence) }

// WebhookAttempt is one request to an endpoint.
type WebhookAttempt struct {
	At         time.Time     `json:"at"`
	HTTPStatus int           `json:"http_status,omitempty"` // 0 for no answer
	Duration   int64         `json:"duration_ms"`
	Error      string        `json:"error,omitempty"` // why there was no answer that counts, in one word
	RetryAfter time.Duration `json:"-"`               // that the answer asked for
}

// Why attempts fail, in the words of deliveries.
const (
	WebhookEventGone      = "event_expired"     // it is kept no longer
	WebhookEndpointClosed = "endpoint_disabled" // the endpoint was disabled meanwhile
	WebhookTimeout        = "timeout"
	// Defects of Levy, which say nothing about the receiver.
	WebhookUnreadable   = "event_unreadable" // the body cannot be written
	WebhookNotSigned    = "not_signed"       // the secret cannot be read
	WebhookNotCompleted = "not_completed"    // the attempt panicked
)

// MaxWebhookAttempts is how many of its attempts a delivery shows.
const MaxWebhookAttempts = 20

// WebhookOutcome is what an attempt means for its delivery.
type WebhookOutcome struct {
	Status WebhookDeliveryStatus
	Pause  time.Duration // until the next attempt of one that stays pending
	Gone   bool          // the receiver wants nothing any more
}

// WebhookThrottle is how fast an endpoint is served.
type WebhookThrottle struct {
	Concurrency int           // requests under way at once
	Setbacks    int           // batches in a row in which it could not keep up with a single one
	Pause       time.Duration // until anything is sent again; 0 for at once
}

// WebhookRef names an endpoint.
type WebhookRef struct {
	OrganizationID string `json:"organization_id"`
	ID             string `json:"id"`
}

// WebhookBatch is what is to be sent to an endpoint now.
type WebhookBatch struct {
	Endpoint   WebhookEndpoint
	Over       bool // disabled, deleted, or of an organization that ended
	Throttle   WebhookThrottle
	Deliveries []WebhookSending
}

// WebhookSending is a delivery with its event; nil when the event is kept no longer.
type WebhookSending struct {
	WebhookDelivery

	Event *Event
}

// WebhookResult is what an attempt found, and what it means.
type WebhookResult struct {
	DeliveryID string
	Attempt    WebhookAttempt
	Outcome    WebhookOutcome
}

// WebhookState is what is left to do for an endpoint after a batch.
type WebhookState struct {
	Status      WebhookStatus  // empty: there is no such endpoint any more
	Reason      string         // why it is disabled
	Pending     int            // deliveries that wait for an attempt
	Wait        *time.Duration // until something is to be done; nil for never
	Replaying   bool           // a replay is not at its end: that goes on page by page
	LastAttempt *WebhookAttempt
}

// WebhookReplay is a span of the feed that is sent once more.
type WebhookReplay struct {
	ID     string
	Events int64 // of the span
}

// WebhookSecret is a new secret of an endpoint.
type WebhookSecret struct {
	Scheme    string // by which the endpoint signs
	Shown     string // in clear, for the one answer that shows it; empty where nobody else needs it
	Sealed    []byte
	PublicKey *string // by which receivers verify; nil for a shared secret
}

// WebhookSpan is what a replay sends once more.
type WebhookSpan struct {
	Since time.Time
	Until time.Time // zero: now
	Types []string  // as in EnabledEvents; none: what the endpoint gets
}

// WebhookBacklog is what waits to be sent.
type WebhookBacklog struct {
	Pending  int64            // deliveries that wait for an attempt
	Oldest   time.Duration    // age of the oldest event that an enabled endpoint has not got
	Disabled map[string]int64 // endpoints by the reason
}

// LimitWebhookEndpoints is what a *LimitError says of endpoints.
const LimitWebhookEndpoints = "webhook endpoints"
