package models

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"
)

// AnswersKept is how long the answer to a request with an idempotency key is
// remembered.
const AnswersKept = 24 * time.Hour

// Refusals of a request with an idempotency key.
var (
	// ErrKeyReused: the key stands for another request.
	ErrKeyReused = errors.New("idempotency key stands for another request")
	// ErrKeyInUse: the first request with the key is still under way.
	ErrKeyInUse = errors.New("idempotency key in use")
	// ErrAnswerErased: the request took effect, and its answer was erased with somebody whom it named.
	ErrAnswerErased = errors.New("answer to the idempotency key was erased")
)

// Claim names a request that shall take effect once.
type Claim struct {
	OrganizationID string // whose records the request is about
	KeyHash        []byte // see NewClaim
	Fingerprint    []byte // SHA-256 of all that makes the request what it is
}

// NewClaim makes a claim for the idempotency key of a client. Keys of different
// clients never meet: a key counts for one organization of the header and one
// owner of the API key. Only its hash is kept.
func NewClaim(organizationID, keyOwnerID, key string, fingerprint [sha256.Size]byte) Claim {
	hash := sha256.Sum256([]byte(keyOwnerID + "\x00" + key))
	return Claim{OrganizationID: organizationID, KeyHash: hash[:], Fingerprint: fingerprint[:]}
}

// ID is the identifier of what the request makes: every repeat of it has the same one, and no other request has it.
func (c Claim) ID(prefix string) string {
	var all []byte
	for _, part := range [][]byte{[]byte(c.OrganizationID), {0}, c.KeyHash, c.Fingerprint} {
		all = append(all, part...)
	}
	sum := sha256.Sum256(all)
	return prefix + "_" + digitsOf(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))
}

// Answer is what a request was answered with, as far as it may be repeated: no
// secrets.
type Answer struct {
	Status int    // HTTP status, 2xx
	Body   []byte // empty for an answer without one
}
