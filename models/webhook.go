package models

import (
	"time"
)

// WebhookStatus tells whether events are sent to an endpoint.
type WebhookStatus string

// States of an endpoint.
const (
	WebhookEnabled  WebhookStatus = "ENABLED"
	WebhookDisabled WebhookStatus = "DISABLED"
)

// Reasons why an endpoint is disabled.
const (
	WebhookManual  = "MANUAL"  // by the client
	WebhookFailing = "FAILING" // five days without a success
	WebhookGone    = "GONE"    // it answered 410
)

// MaxWebhookEndpoints is the most endpoints of an organization.
const MaxWebhookEndpoints = 10

// WebhookOverlap is how long a replaced secret still signs.
const WebhookOverlap = 24 * time.Hour

// WebhookEndpoint is an address for the events of an organization. Secrets are sealed under the data key of the
// organization.
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
	FormerSecret    []byte // also signs until FormerUntil; nil for none
	FormerUntil     *time.Time
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// WebhookSecretField returns the field that the sealed secret of an endpoint is bound to.
func WebhookSecretField(endpointID string) string { return "webhook_secret_" + endpointID }

// SetStatus sets the status, and the reason of a disabled endpoint. An endpoint with that status keeps its reason.
func (w *WebhookEndpoint) SetStatus(to WebhookStatus, reason string) {
	switch {
	case to == WebhookEnabled:
		w.Status, w.DisabledReason = to, nil
	case w.Status != to:
		w.Status, w.DisabledReason = to, &reason
	}
}

// WebhookPing is the type of test events, which are sent to one endpoint alone.
const WebhookPing = "test.ping"

// WebhookTypes are the types of events of this release.
var WebhookTypes = []string{
	"organization.created", "organization.updated", "organization.archived",
	"onboarding.step_completed", "onboarding.updated", "onboarding.completed", "onboarding.cancelled",
	"onboarding.expired", "onboarding.failed", "onboarding.reminder",
	"api_key.created", "api_key.rotated", "api_key.revoked", EventKeyReplacementDue,
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
	"notice.created", "notice.updated",
	"content.activated", "webhook_endpoint.disabled", WebhookPing,
}

// WebhookSummary is the state of all endpoints, without reading events.
type WebhookSummary struct {
	Newest  int64 // the number of the newest event
	Enabled bool  // there is an endpoint that gets events
	Due     bool  // the run of an endpoint must be checked
}

// WebhookPoll selects the endpoints to poll: those with events after a number of the feed, and those whose run was open
// at the last poll.
type WebhookPoll struct {
	Full    bool // every endpoint
	After   int64
	Running []WebhookRef
}

// WebhookPolled is the result of a poll: endpoints with something to do, and those whose run is open and may have
// missed events. It read the feed up to a number.
type WebhookPolled struct {
	Leased  []WebhookEndpoint
	Running []WebhookRef
	UpTo    int64
}

// WebhookDeliveryStatus is the status of an event for an endpoint.
type WebhookDeliveryStatus string

// States of a delivery.
const (
	WebhookPending   WebhookDeliveryStatus = "PENDING"
	WebhookDelivered WebhookDeliveryStatus = "DELIVERED"
	WebhookFailed    WebhookDeliveryStatus = "FAILED"
)

// WebhookDelivery is an event for an endpoint, with its attempts.
type WebhookDelivery struct {
	OrganizationID string `gorm:"primaryKey"` // of the endpoint
	EndpointID     string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	// The event: its organization, which differs if an endpoint includes clients, and its position.
	EventOrganizationID string
	Sequence            int64
	EventAt             time.Time
	Type                string
	ReplayID            *string // of the replay that created it; nil for the first time
	Status              WebhookDeliveryStatus
	Tries               int              // the number of attempts since it was last requested
	Attempts            []WebhookAttempt `gorm:"serializer:json"` // the last ones, oldest first
	NextAttemptAt       *time.Time       // of a pending one
	CreatedAt           time.Time
}

// EventID returns the identifier of the event.
func (d WebhookDelivery) EventID() string { return EventID(d.EventAt, d.Sequence) }

// WebhookAttempt is one request to an endpoint.
type WebhookAttempt struct {
	At         time.Time     `json:"at"`
	HTTPStatus int           `json:"http_status,omitempty"` // 0 for no answer
	Duration   int64         `json:"duration_ms"`
	Error      string        `json:"error,omitempty"` // in one word, why there was no valid answer
	RetryAfter time.Duration `json:"-"`               // the pause that the answer requested
}

// Reasons why attempts fail, as in deliveries.
const (
	WebhookEventGone      = "event_expired"     // the event has expired
	WebhookEndpointClosed = "endpoint_disabled" // the endpoint was disabled meanwhile
	WebhookTimeout        = "timeout"
	// Defects of Levy, independent of the receiver.
	WebhookUnreadable   = "event_unreadable" // the body cannot be written
	WebhookNotSigned    = "not_signed"       // the secret cannot be read
	WebhookNotCompleted = "not_completed"    // the attempt panicked
)

// MaxWebhookAttempts is how many attempts of a delivery are stored.
const MaxWebhookAttempts = 20

// WebhookOutcome is the effect of an attempt on its delivery.
type WebhookOutcome struct {
	Status WebhookDeliveryStatus
	Pause  time.Duration // until the next attempt of one that stays pending
	Gone   bool          // the receiver refuses all further events
}

// WebhookThrottle is the speed of sending to an endpoint.
type WebhookThrottle struct {
	Concurrency int           // concurrent requests
	Setbacks    int           // successive batches in which it did not keep up with a single request
	Pause       time.Duration // until the next request; 0 for at once
}

// WebhookRef identifies an endpoint.
type WebhookRef struct {
	OrganizationID string `json:"organization_id"`
	ID             string `json:"id"`
}

// WebhookBatch are the deliveries to send to an endpoint now.
type WebhookBatch struct {
	Endpoint   WebhookEndpoint
	Over       bool // disabled, deleted, or of an organization that has ended
	Throttle   WebhookThrottle
	Deliveries []WebhookSending
}

// WebhookSending is a delivery with its event; nil if the event has expired.
type WebhookSending struct {
	WebhookDelivery

	Event *Event
}

// WebhookResult is the result of an attempt and its effect.
type WebhookResult struct {
	DeliveryID string
	Attempt    WebhookAttempt
	Outcome    WebhookOutcome
	Saved      bool // it was written before its batch ended
}

// WebhookState is the remaining work of an endpoint after a batch.
type WebhookState struct {
	Status      WebhookStatus  // "": the endpoint does not exist any more
	Reason      string         // why it is disabled
	Pending     int            // deliveries that wait for an attempt
	Wait        *time.Duration // until there is something to do; nil for never
	Replaying   bool           // a replay has not ended: it continues page by page
	LastAttempt *WebhookAttempt
}

// WebhookReplay is a span of the feed that is sent again.
type WebhookReplay struct {
	ID     string
	Events int64 // of the span
}

// WebhookSecret is a new secret of an endpoint.
type WebhookSecret struct {
	Scheme    string // the scheme of signatures
	Shown     string // in clear, for the one answer that has it; "" if no client needs it
	Sealed    []byte
	PublicKey *string // verifies signatures; nil for a shared secret
}

// WebhookDeliveryFilter selects deliveries of an endpoint.
type WebhookDeliveryFilter struct {
	Failed bool      // only those whose latest attempt failed
	Since  time.Time // only those created then or later; the zero time selects all
}

// WebhookDeliverySums are the numbers of deliveries of an endpoint.
type WebhookDeliverySums struct {
	Count, Failed int64 // all, and those whose latest attempt failed
}

// WebhookSpan selects the events of a replay.
type WebhookSpan struct {
	Since time.Time
	Until time.Time // zero: now
	Types []string  // as in EnabledEvents; none: the types of the endpoint
}

// WebhookBacklog are the deliveries that wait to be sent.
type WebhookBacklog struct {
	Pending  int64            // deliveries that wait for an attempt
	Oldest   time.Duration    // age of the oldest event that an enabled endpoint has not got
	Disabled map[string]int64 // endpoints by the reason
}

// LimitWebhookEndpoints is the subject of a *LimitError of endpoints.
const LimitWebhookEndpoints = "webhook endpoints"
