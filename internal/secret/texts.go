package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// sealedText is what a sealed text begins with.
const sealedText = "sealed:1:"

// TextKey seals short texts that are compared and searched, such as tax ids, with AES-256-GCM. The same text of the
// same organization seals to the same text, because the nonce is an HMAC of it. So a reader of sealed texts sees which
// texts of one organization are equal, and nothing else.
type TextKey struct {
	aead      cipher.AEAD
	nonces    []byte // the key of the HMAC
	documents cipher.AEAD
	leaves    []byte // the key of the leaves of the ledger
}

// NewTextKey makes the text key of a record, and wraps it with the current master key.
func (v *Vault) NewTextKey(organizationID, recordID string) (*TextKey, WrappedKey) {
	key := newKey()
	return newTextKey(key), v.wrapper.wrap(organizationID, keyField(recordID), key)
}

// TextKey opens a text key. Errors: ErrUnreadable.
func (v *Vault) TextKey(stored RecordKey) (*TextKey, error) {
	plain, err := v.wrapper.unwrap(stored.OrganizationID, keyField(stored.RecordID), stored.WrappedKey)
	if err != nil {
		return nil, err
	}
	return newTextKey(plain), nil
}

// newTextKey derives four keys, of which none says anything about the others.
func newTextKey(key []byte) *TextKey {
	derived := func(purpose string) []byte {
		bytes, err := hkdf.Key(sha256.New, key, nil, purpose, sha256.Size)
		if err != nil {
			panic(fmt.Sprintf("secret: derive: %v", err)) // only for lengths far beyond ours
		}
		return bytes
	}
	block, err := aes.NewCipher(derived("levy text v1"))
	if err != nil {
		panic(fmt.Sprintf("secret: %v", err)) // the key has 32 bytes
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(fmt.Sprintf("secret: %v", err))
	}
	return &TextKey{aead, derived("levy text nonce v1"), newAEAD(derived("levy documents with texts v1")),
		derived("levy ledger leaf v1")}
}

// DocumentKey seals whole documents of an organization in which such texts stand. Unlike texts, equal ones are not
// sealed alike.
func (k *TextKey) DocumentKey(organizationID string) *DataKey {
	return &DataKey{organizationID, k.documents}
}

// Leaf returns the HMAC-SHA-256 of a content of the ledger. The database alone is not enough to make one.
func (k *TextKey) Leaf(content []byte) []byte {
	mac := hmac.New(sha256.New, k.leaves)
	mac.Write(content)
	return mac.Sum(nil)
}

// Seal encrypts a text of an organization. It returns a text that this key has sealed already unchanged.
func (k *TextKey) Seal(organizationID, plain string) string {
	if k.Sealed(organizationID, plain) {
		return plain
	}
	mac := hmac.New(sha256.New, k.nonces)
	mac.Write(bindTo(organizationID, plain))
	nonce := mac.Sum(nil)[:k.aead.NonceSize()]
	sealed := k.aead.Seal(nonce, nonce, []byte(plain), []byte(organizationID))
	return sealedText + base64.RawURLEncoding.EncodeToString(sealed)
}

// MarkedAsSealed reports whether a text begins like a sealed one.
func MarkedAsSealed(text string) bool { return strings.HasPrefix(text, sealedText) }

// Sealed reports whether a text was sealed by this key for the organization.
func (k *TextKey) Sealed(organizationID, text string) bool {
	if !MarkedAsSealed(text) {
		return false
	}
	_, err := k.Open(organizationID, text)
	return err == nil
}

// Open decrypts what Seal made for the organization. A text without the mark of sealed ones it returns as it is: a
// version from before wrote it. Errors: ErrUnreadable.
func (k *TextKey) Open(organizationID, text string) (string, error) {
	encoded, ok := strings.CutPrefix(text, sealedText)
	if !ok {
		return text, nil
	}
	sealed, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(sealed) < k.aead.NonceSize() {
		return "", fmt.Errorf("%w: sealed text", ErrUnreadable)
	}
	n := k.aead.NonceSize()
	plain, err := k.aead.Open(nil, sealed[:n], sealed[n:], []byte(organizationID))
	if err != nil {
		return "", fmt.Errorf("%w: sealed text", ErrUnreadable)
	}
	return string(plain), nil
}
