package pg

import "levy/internal/secret"

// Rewrapping is the wrapping of keys that is replaced, as arrays for one statement.
type Rewrapping struct {
	OrganizationIDs, RecordIDs, MasterKeyIDs []string
	Before, After                            [][]byte
}

// RewrappingOf replaces from[i] by to[i].
func RewrappingOf(from, to []secret.RecordKey) (r Rewrapping) {
	for i, k := range to {
		r.OrganizationIDs, r.RecordIDs = append(r.OrganizationIDs, k.OrganizationID), append(r.RecordIDs, k.RecordID)
		r.MasterKeyIDs = append(r.MasterKeyIDs, k.MasterKeyID)
		r.Before, r.After = append(r.Before, from[i].Wrapped), append(r.After, k.Wrapped)
	}
	return r
}
