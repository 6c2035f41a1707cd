package secret

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// masterKeySize is the length of a master key in bytes.
const masterKeySize = 32

// Purpose separates the keys that are derived from one master key: knowing one of
// them says nothing about another.
type Purpose string

// Purposes.
const (
	PurposeAPIKeys      Purpose = "levy api key hash v1"
	PurposePayloads     Purpose = "levy workflow payload v1"
	PurposePersonalData Purpose = "levy personal data v1"
	PurposeAudit        Purpose = "levy audit seal v1"
	PurposeFingerprint  Purpose = "levy master key fingerprint v1"
)

// Ring holds the master keys of an installation. The first one is current; older
// ones keep what was made with them readable.
type Ring struct {
	keys     []masterKey
	wrapping []masterKey // see WithWrapping
}

type masterKey struct {
	id    string
	bytes []byte
}

// Key is a key derived for one purpose, with the id of its master key.
type Key struct {
	ID    string
	Bytes []byte // 32 bytes
}

var masterKeyID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,32}$`)

// ErrNoMasterKey: the text names no key at all.
var ErrNoMasterKey = errors.New("no master key")

// ParseRing reads `id:base64[,id2:base64]`, each key 32 bytes in standard base64.
// Ids have 1 to 32 letters, digits, dots, underscores or dashes and differ. The
// error names the position, never the key.
func ParseRing(text string) (*Ring, error) {
	if strings.TrimSpace(text) == "" {
		return nil, ErrNoMasterKey
	}
	ring := &Ring{}
	seen := map[string]bool{}
	for i, part := range strings.Split(text, ",") {
		id, encoded, ok := strings.Cut(strings.TrimSpace(part), ":")
		if !ok || !masterKeyID.MatchString(id) {
			return nil, fmt.Errorf("master key %d: not of the form id:base64", i+1)
		}
		if seen[id] {
			return nil, fmt.Errorf("master key %d: its id is used twice", i+1)
		}
		seen[id] = true
		key, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || len(key) != masterKeySize {
			return nil, fmt.Errorf("master key %d: not %d bytes in base64", i+1, masterKeySize)
		}
		ring.keys = append(ring.keys, masterKey{id, key})
	}
	return ring, nil
}

// NewMasterKey returns a new random key in the form that ParseRing reads. It
// panics when id does not have that form.
func NewMasterKey(id string) string {
	if !masterKeyID.MatchString(id) {
		panic(fmt.Sprintf("secret: %q cannot be the id of a master key", id))
	}
	var key [masterKeySize]byte
	rand.Read(key[:]) // cannot fail: the program ends instead
	return id + ":" + base64.StdEncoding.EncodeToString(key[:])
}

// Current is the id of the master key with which new things are made.
func (r *Ring) Current() string { return r.keys[0].id }

// Fingerprints returns what tells each master key from another one with its id, the current key first. It says nothing
// about the key.
func (r *Ring) Fingerprints() []Key { return r.Derive(PurposeFingerprint) }

// Wraps reports whether the current master key wraps data keys, because there are no wrapping keys.
func (r *Ring) Wraps() bool { return r.CurrentWrapping() == r.Current() }

// Derive returns the key of that purpose under every master key, the current one
// first.
func (r *Ring) Derive(p Purpose) []Key { return derive(r.keys, p) }

func derive(keys []masterKey, p Purpose) []Key {
	derived := make([]Key, len(keys))
	for i, master := range keys {
		bytes, err := hkdf.Key(sha256.New, master.bytes, nil, string(p), sha256.Size)
		if err != nil {
			panic(fmt.Sprintf("secret: derive: %v", err)) // only for lengths far beyond ours
		}
		derived[i] = Key{ID: master.id, Bytes: bytes}
	}
	return derived
}
