package models

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// AttachedProofLife is how long a proof may be used that the codec has attached to what a person entered in
// the Temporal UI: the UI sends it at once.
const AttachedProofLife = 2 * time.Minute

// attachedForm begins every proof that the codec attaches.
const attachedForm = "levy-session-v1"

// AttachProof makes the proof of what somebody has entered in the Temporal UI. It says when, and the hash of
// the content, and a nonce that nobody can guess; who it was, the database keeps by the digest of the proof.
func AttachProof(content string, at time.Time) (text string, proof Proof) {
	seconds, hash := strconv.FormatInt(at.Unix(), 10), hashOf(content)
	text = strings.Join([]string{attachedForm, seconds, hash, rand.Text()}, ".")
	return text, Proof{At: time.Unix(at.Unix(), 0).UTC(), attached: text, content: hash}
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// readAttached reads the parts of a proof that the codec has attached. Errors: ErrProofUnread.
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

// CheckAttached reports whether a proof that the codec has attached is of this content and may be used now.
// Whether it was attached, by whom, and that it is used once, the database knows. Errors: ErrProofMismatch,
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
