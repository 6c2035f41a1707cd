package secret

import (
	"crypto/hmac"
	"crypto/sha256"
)

// Sealer makes the seals of the audit trail: who can write to the database but has no master key
// cannot make one.
type Sealer struct {
	current string
	keys    map[string][]byte
}

// NewSealer returns the sealer of a ring.
func NewSealer(ring *Ring) *Sealer {
	s := &Sealer{keys: map[string][]byte{}}
	for i, key := range ring.Derive(PurposeAudit) {
		if i == 0 {
			s.current = key.ID
		}
		s.keys[key.ID] = key.Bytes
	}
	return s
}

// Current is the id of the master key of new seals.
func (s *Sealer) Current() string { return s.current }

// Seal is the HMAC-SHA-256 of content under the current master key, whose id it names.
func (s *Sealer) Seal(content []byte) (masterKeyID string, seal []byte) {
	return s.current, s.sum(s.current, content)
}

// Holds reports whether a seal is that of this content by that master key. known is false for a master key that is not
// in the ring.
func (s *Sealer) Holds(masterKeyID string, content, seal []byte) (holds, known bool) {
	if _, known = s.keys[masterKeyID]; !known {
		return false, false
	}
	return hmac.Equal(s.sum(masterKeyID, content), seal), true
}

func (s *Sealer) sum(masterKeyID string, content []byte) []byte {
	mac := hmac.New(sha256.New, s.keys[masterKeyID])
	mac.Write(content)
	return mac.Sum(nil)
}
