package models

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// AttachedProofLife is how long a proof may be used that the codec has attached to input in the Temporal UI.
// The UI sends it at once.
const AttachedProofLife = 2 * time.Minute

// attachedForm begins every proof that the codec attaches.
const attachedForm = "levy-session-v1"

// AttachProof returns the proof of input in the Temporal UI, with the time, the hash of the content,
// and an unguessable nonce. The database stores the person by the digest of the proof.
func AttachProof(content string, at time.Time) (text string, proof Proof) {
	seconds, hash := strconv.FormatInt(at.Unix(), 10), hashOf(content)
	text = strings.Join([]string{attachedForm, seconds, hash, rand.Text()}, ".")
	return text, Proof{At: time.Unix(at.Unix(), 0).UTC(), attached: text, content: hash}
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// readAttached parses a proof that the codec has attached. Errors: ErrProofUnread.
func readAttached(text string, parts []string) (Proof, error) {
	if len(parts) != 4 {
		return Proof{}, ErrProofUnread
	}
	seconds, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || strconv.FormatInt(seconds, 10) != parts[1] || parts[2] == "" || parts[3] == "" {
		return Proof{}, ErrProofUnread
	}
	return Proof{At: time.Unix(seconds, 0).UTC(), attached: text, content: parts[2]}, nil
}

// Attached reports whether the codec has attached the proof.
func (p Proof) Attached() bool { return p.attached != "" }

// CheckAttached returns an error if an attached proof is not for this content or may not be used now.
// The database knows whether it was attached, by whom, and that it is used once. Errors: ErrProofMismatch,
// ErrProofTime.
func (p Proof) CheckAttached(content string, now time.Time) error {
	if !p.Attached() || p.content != hashOf(content) {
		return ErrProofMismatch
	}
	if age := now.Sub(p.At); age > AttachedProofLife || age < -proofSkew {
		return ErrProofTime
	}
	return nil
}
