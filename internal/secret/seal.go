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

// DataKey seals the personal data of one organization with AES-256-GCM. A value sealed for one field opens for that
// field only.
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
