package secret

import "time"

// KeyKind says whose a stored key is.
type KeyKind string

// Kinds of keys.
const (
	KeyOfOrganization KeyKind = "organization"
	KeyOfDocument     KeyKind = "document"
	KeyOfSecondFactor KeyKind = "second_factor"
	KeyOfInstallation KeyKind = "installation"
)

// StoredKey is a wrapped key with its place. It is saved apart from the values that it seals.
type StoredKey struct {
	Kind KeyKind
	RecordKey
	// MadeAt distinguishes it from another key in the same place, such as of a second factor that replaced another
	// one.
	MadeAt time.Time
}

// Opens reports whether a key of a record can be opened. Errors: ErrUnreadable.
func (v *Vault) Opens(stored RecordKey) error {
	_, err := v.wrapper.unwrap(stored.OrganizationID, keyField(stored.RecordID), stored.WrappedKey)
	return err
}
