package models

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"
)

// AnswersKept is how long the answer to a request with an idempotency key is stored.
const AnswersKept = 24 * time.Hour

// Refusals of a request with an idempotency key.
var (
	// ErrKeyReused: the key was used for another request.
	ErrKeyReused = errors.New("idempotency key stands for another request")
	// ErrKeyInUse: the first request with the key is still running.
	ErrKeyInUse = errors.New("idempotency key in use")
	// ErrAnswerErased: the request took effect, and its answer was erased with a person whom it named.
	ErrAnswerErased = errors.New("answer to the idempotency key was erased")
)

// Claim identifies a request that must take effect once.
type Claim struct {
	OrganizationID string // of the records of the request
	KeyHash        []byte // see NewClaim
	Fingerprint    []byte // SHA-256 of all parts of the request
}

// NewClaim returns the claim for the idempotency key of a client. Keys of different clients are distinct:
// a key counts for one organization of the header and one owner of the API key. Only its hash is stored.
func NewClaim(organizationID, keyOwnerID, key string, fingerprint [sha256.Size]byte) Claim {
	hash := sha256.Sum256([]byte(keyOwnerID + "\x00" + key))
	return Claim{OrganizationID: organizationID, KeyHash: hash[:], Fingerprint: fingerprint[:]}
}

// ID returns the identifier of the record that the request creates. Every repetition has the same one,
// and no other request.
func (c Claim) ID(prefix string) string {
	var all []byte
	for _, part := range [][]byte{[]byte(c.OrganizationID), {0}, c.KeyHash, c.Fingerprint} {
		all = append(all, part...)
	}
	sum := sha256.Sum256(all)
	return prefix + "_" + digitsOf(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))
}

// Answer is the answer to a request without secrets, so that it can be repeated.
type Answer struct {
	Status int    // HTTP status, 2xx
	Body   []byte // empty for an answer without a body
}
