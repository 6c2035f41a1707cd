package models

import "time"

// MasterKey is a master key of the installation, without the key itself.
type MasterKey struct {
	ID          string
	FirstSeenAt time.Time
	// CurrentSince is when a process first had it in front; nil for never. The key with the latest one is the newest.
	CurrentSince *time.Time
	// InFrontAt is when a process last said that it has it in front.
	InFrontAt *time.Time
	RetiredAt *time.Time
	Lost      bool // retired although something needs it
	Newest    bool
}

// MasterKeyNeed is a kind of things that need a master key.
type MasterKeyNeed struct {
	Kind  MasterKeyNeedKind
	Count int64
	Until *time.Time // when the last of them ends by itself; nil if they do not
}

// MasterKeyNeedKind says what needs a master key.
type MasterKeyNeedKind string

// Kinds of things that need a master key.
const (
	NeedProcess         MasterKeyNeedKind = "process"          // has it in front, and so makes more
	NeedAPIKey          MasterKeyNeedKind = "api_key"          // active, its hash
	NeedOperatorKey     MasterKeyNeedKind = "operator_key"     // active, its hash
	NeedDataKey         MasterKeyNeedKind = "data_key"         // of an organization, its wrapping
	NeedDocument        MasterKeyNeedKind = "document"         // of an exemption, the wrapping of its key
	NeedSecondFactor    MasterKeyNeedKind = "second_factor"    // the wrapping of its key
	NeedInstallationKey MasterKeyNeedKind = "installation_key" // its wrapping
	NeedRecoveryCode    MasterKeyNeedKind = "recovery_code"    // not used yet, its hash
	NeedSession         MasterKeyNeedKind = "session"          // of the console, its hash
	NeedSignInLink      MasterKeyNeedKind = "sign_in_link"     // not opened yet, its hash
	NeedOnboardingLink  MasterKeyNeedKind = "onboarding_link"  // its hash
	NeedCalendarFeed    MasterKeyNeedKind = "calendar_feed"    // its hash
	NeedAuditSeal       MasterKeyNeedKind = "audit_seal"       // that no other key has sealed again
	NeedRun             MasterKeyNeedKind = "run"              // open in Temporal, its payloads
	NeedRunsUnknown     MasterKeyNeedKind = "runs_unknown"     // Temporal does not tell the open runs
	NeedSavedKeys       MasterKeyNeedKind = "saved_keys"       // the file with the wrapped keys
)

// MasterKeyHolder is a key or a code that only its holder can move to another master key, by using or replacing it.
type MasterKeyHolder struct {
	MasterKeyID      string // empty if it is not known: a release before wrote it
	Kind             MasterKeyNeedKind
	OrganizationID   string // empty for the operator
	OrganizationName string
	ID               string // of the key, or of the person with codes
	Name             string
	LastUsedAt       *time.Time
	ExpiresAt        *time.Time
}

// EventKeyReplacementDue asks an organization to use or rotate an API key whose master key is to be retired.
const EventKeyReplacementDue = "api_key.replacement_due"

// MasterKeyRun is how far the newest master key has taken over what older ones wrapped or sealed.
type MasterKeyRun struct {
	Newest      string     `json:"newest,omitempty"` // empty without any key
	Older       int        `json:"older"`            // keys that preceded it and are not retired
	SealedAgain int64      `json:"taken_over"`
	Left        int64      `json:"left"`
	FinishedAt  *time.Time `json:"finished_at"` // nil while something is left, or before the first count
}

// MasterKeys are the master keys of the installation with what needs them, in words.
type MasterKeys struct {
	Keys    []NeededMasterKey
	Holders []MasterKeyHolder
}

// NeededMasterKey is a master key with what needs it.
type NeededMasterKey struct {
	MasterKey

	Needs  []MasterKeyNeedInWords
	Behind bool // it was put behind the newest one, and nothing that is held needs it
}

// MasterKeyNeedInWords says what needs a master key, how many of them there are, and how that ends.
type MasterKeyNeedInWords struct {
	MasterKeyNeed

	What, Remedy string
}
