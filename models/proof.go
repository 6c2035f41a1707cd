package models

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ProofLife is how long a proof may be used after it was signed.
const ProofLife = 15 * time.Minute

// proofSkew is how far the clock of the signer may be ahead of Temporal's.
const proofSkew = 2 * time.Minute

// proofForm begins every proof and every signed text, so that a signature for another purpose is no proof.
const proofForm = "levy-update-v1"

// Proof identifies the sender of an Update that moves money or a status. That person's operator key signs the workflow,
// the Update, its arguments and the time. It is sent as a text, so that it can be pasted into the Temporal UI.
type Proof struct {
	Key       ed25519.PublicKey // nil if the codec has attached it; then the database knows the sender
	At        time.Time
	signature []byte
	attached  string // the text of a proof that the codec has attached
	content   string // the hash of the content of such a proof
}

// Errors of a proof. None of them tells how a valid one would be.
var (
	ErrNoProof = errors.New("proof is missing: sign in to the console as a staff operator, " +
		"let the Temporal UI include credentials, and enter at least {}; " +
		"or let levy operator sign print the argument with one")
	ErrProofUnread   = errors.New("proof is not one that levy operator sign has printed")
	ErrProofMismatch = errors.New("proof is for another filing or onboarding, another Update or other arguments")
	ErrProofTime     = fmt.Errorf("proof is older than %s (%s where the Temporal UI attached it), or from the future: "+
		"sign again", ProofLife, AttachedProofLife)
	ErrProofUsed  = errors.New("proof has been used: sign again")
	ErrNoOperator = errors.New("proof is of no operator: the key is not known, has no name, " +
		"is revoked or has expired, or the person is no staff operator")
)

// SignUpdate returns the proof of a statement, which names the workflow and the Update.
func SignUpdate(key ed25519.PrivateKey, statement string, at time.Time) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	public, _ := key.Public().(ed25519.PublicKey)
	return strings.Join([]string{
		proofForm, base64.RawURLEncoding.EncodeToString(public), seconds,
		base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, signed(seconds, statement))),
	}, ".")
}

func signed(seconds, statement string) []byte {
	return []byte(proofForm + "\n" + seconds + "\n" + statement)
}

// ReadProof parses the text of a proof. Errors: ErrNoProof, ErrProofUnread.
func ReadProof(text string) (Proof, error) {
	if text == "" {
		return Proof{}, ErrNoProof
	}
	parts := strings.Split(text, ".")
	if parts[0] == attachedForm {
		return readAttached(text, parts)
	}
	if len(parts) != 4 || parts[0] != proofForm {
		return Proof{}, ErrProofUnread
	}
	key, err := base64.RawURLEncoding.Strict().DecodeString(parts[1])
	seconds, errTime := strconv.ParseInt(parts[2], 10, 64)
	signature, errSignature := base64.RawURLEncoding.Strict().DecodeString(parts[3])
	if errors.Join(err, errTime, errSignature) != nil || len(key) != ed25519.PublicKeySize ||
		strconv.FormatInt(seconds, 10) != parts[2] {
		return Proof{}, ErrProofUnread
	}
	return Proof{Key: key, At: time.Unix(seconds, 0).UTC(), signature: signature}, nil
}

// Check returns an error if the proof is not for this statement or may not be used now. The database knows the owner of
// the key. Errors: ErrProofMismatch, ErrProofTime.
func (p Proof) Check(statement string, now time.Time) error {
	if p.Attached() || !ed25519.Verify(p.Key, signed(strconv.FormatInt(p.At.Unix(), 10), statement), p.signature) {
		return ErrProofMismatch
	}
	if age := now.Sub(p.At); age > ProofLife || age < -proofSkew {
		return ErrProofTime
	}
	return nil
}

// Digest returns the identity of a proof.
func (p Proof) Digest() []byte {
	if p.Attached() {
		sum := sha256.Sum256([]byte(p.attached))
		return sum[:]
	}
	sum := sha256.Sum256(append(append([]byte{}, p.Key...), p.signature...))
	return sum[:]
}

var proofRefusals = []error{ErrNoProof, ErrProofUnread, ErrProofMismatch, ErrProofTime, ErrProofUsed, ErrNoOperator}

// IsProofRefusal reports whether an error refuses a proof.
func IsProofRefusal(err error) bool {
	return slices.ContainsFunc(proofRefusals, func(refusal error) bool { return errors.Is(err, refusal) })
}

// RefusesProof reports whether a text is that of an error that refuses a proof. Temporal passes only the text on.
func RefusesProof(text string) bool {
	return slices.ContainsFunc(proofRefusals, func(refusal error) bool { return refusal.Error() == text })
}

// Operator is a person who runs the installation, with one key.
type Operator struct {
	ID        string
	Name      string // "" for keys of an old version, which cannot sign proofs
	ExpiresAt *time.Time
	RevokedAt *time.Time
	CreatedAt time.Time
}
