package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
)

// sealedVersion is the first byte of everything that is sealed. The database
// refuses a personal column whose first byte is another one.
const sealedVersion = 1

// ErrUnreadable says that a value was not sealed by the key at hand for this
// organization and field, or was changed since.
var ErrUnreadable = errors.New("sealed value cannot be opened")

// WrappedKey is the data key of an organization as it is stored: encrypted under
// the master key named.
type WrappedKey struct {
	MasterKeyID string
	Wrapped     []byte
}

// DataKey seals the personal data of one organization with AES-256-GCM. What it
// sealed for one field opens for that field only.
type DataKey struct {
	organizationID string
	aead           cipher.AEAD
}

// Seal encrypts a value of the field named: a version byte, then nonce, cipher
// text and tag. Sealing twice gives two different results.
func (k *DataKey) Seal(field string, plain []byte) []byte {
	return k.aead.Seal([]byte{sealedVersion}, nil, plain, bindTo(k.organizationID, field))
}

// Open decrypts what Seal made for the same field. Errors: ErrUnreadable.
func (k *DataKey) Open(field string, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != sealedVersion {
		return nil, fmt.Errorf("%w: unknown version", ErrUnreadable)
	}
	plain, err := k.aead.Open(nil, nil, sealed[1:], bindTo(k.organizationID, field))
	if err != nil {
		return nil, ErrUnreadable
	}
	return plain, nil
}

// bindTo is the additional data that ties a value to its place.
func bindTo(organizationID, field string) []byte { return []byte(organizationID + "\x00" + field) }

// wrapper encrypts data keys under the master keys of a ring.
type wrapper struct {
	current string
	keys    map[string]cipher.AEAD
}

func newWrapper(ring *Ring) *wrapper {
	w := &wrapper{keys: map[string]cipher.AEAD{}}
	for i, key := range ring.Derive(PurposePersonalData) {
		if i == 0 {
			w.current = key.ID
		}
		w.keys[key.ID] = newAEAD(key.Bytes)
	}
	return w
}

// dataKeyField is the field to which a wrapped data key is tied.
const dataKeyField = "data key"

// wrap encrypts a key, which opens in the same field of the organization only.
func (w *wrapper) wrap(organizationID, field string, key []byte) WrappedKey {
	return WrappedKey{w.current, w.keys[w.current].Seal(nil, nil, key, bindTo(organizationID, field))}
}

func (w *wrapper) unwrap(organizationID, field string, key WrappedKey) ([]byte, error) {
	master, ok := w.keys[key.MasterKeyID]
	if !ok {
		return nil, fmt.Errorf("%w: no master key %q", ErrUnreadable, key.MasterKeyID)
	}
	plain, err := master.Open(nil, nil, key.Wrapped, bindTo(organizationID, field))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrUnreadable, field)
	}
	return plain, nil
}

// newKey returns a random data key.
func newKey() []byte {
	key := make([]byte, masterKeySize)
	rand.Read(key) // cannot fail: the program ends instead
	return key
}

func newAEAD(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(fmt.Sprintf("secret: %v", err)) // every key here has 32 bytes
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(fmt.Sprintf("secret: %v", err))
	}
	return aead
}
