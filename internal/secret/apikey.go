package secret

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"hash/crc32"
	"math/big"
	"strings"
)

// Kind says what a key is for. It is the readable part of the key.
type Kind string

// Kinds of keys.
const (
	KindLive     Kind = "live" // of a live organization
	KindTest     Kind = "test" // of a test organization
	KindOperator Kind = "oper" // of a person who runs the installation
)

// A key is `levy_<kind>_`, 43 base-62 digits of 256 random bits and 6 base-62
// digits of the CRC-32 of all that. The checksum refuses typing errors without a
// look-up and lets secret scanners recognise a leaked key; it protects nothing.
const (
	head         = "levy_"
	kindLength   = 4
	bodyLength   = 43
	sumLength    = 6
	bodyAt       = len(head) + kindLength + 1
	apiKeyLength = bodyAt + bodyLength + sumLength
	prefixLength = 14
)

const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NewAPIKey returns a new random key.
func NewAPIKey(kind Kind) string {
	var random [32]byte
	rand.Read(random[:]) // cannot fail: the program ends instead
	key := head + string(kind) + "_" + base62(random[:], bodyLength)
	return key + checksum(key)
}

// NewToken returns a new random token of a link or a device.
func NewToken() string { return rand.Text() + rand.Text() }

// sessionMark begins the tokens of sessions. 0.3.0 takes a token without it from the cookie that other hosts can set.
const sessionMark = "s."

// NewSession returns a new random token of a session.
func NewSession() string { return sessionMark + NewToken() }

// APIKeyKind returns the kind of a key; ok is false for what cannot be a key: a
// wrong form or a wrong checksum.
func APIKeyKind(key string) (kind Kind, ok bool) {
	if len(key) != apiKeyLength || !strings.HasPrefix(key, head) || key[bodyAt-1] != '_' {
		return "", false
	}
	if key[apiKeyLength-sumLength:] != checksum(key[:apiKeyLength-sumLength]) {
		return "", false
	}
	switch kind = Kind(key[len(head) : bodyAt-1]); kind {
	case KindLive, KindTest, KindOperator:
		return kind, true
	}
	return "", false
}

// Shown returns the parts of a key that its record may show: the first 14 and the
// last 4 characters.
func Shown(key string) (prefix, last4 string) {
	return key[:prefixLength], key[len(key)-4:]
}

// IsOfKind reports whether the shown prefix of a key says that kind.
func IsOfKind(prefix string, kind Kind) bool { return strings.HasPrefix(prefix, head+string(kind)+"_") }

// KeyHasher makes of keys what the database stores.
type KeyHasher struct{ peppers [][]byte }

// NewKeyHasher returns the hasher of a ring.
func NewKeyHasher(ring *Ring) *KeyHasher {
	h := &KeyHasher{}
	for _, key := range ring.Derive(PurposeAPIKeys) {
		h.peppers = append(h.peppers, key.Bytes)
	}
	return h
}

// Hash is the HMAC-SHA-256 of a key under the current master key.
func (h *KeyHasher) Hash(key string) []byte { return hash(h.peppers[0], key) }

// Hashes returns the hashes of a key under every master key of the ring, the current one first. So a key from before a
// rotation is still found.
func (h *KeyHasher) Hashes(key string) [][]byte {
	hashes := make([][]byte, len(h.peppers))
	for i, pepper := range h.peppers {
		hashes[i] = hash(pepper, key)
	}
	return hashes
}

// FirstSignIn returns the token of the sign-in link of the first admin, who is invited by the onboarding link with a token.
// It follows from that token and the current master key: it is stored nowhere, and a form whose answer was lost finds it.
func (h *KeyHasher) FirstSignIn(token string) string {
	sum := h.Hash("first admin by onboarding link " + token)
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum)
}

// SignInHash returns the hash of the token of a sign-in link.
func (h *KeyHasher) SignInHash(token string) []byte { return h.Hash(SignInText(token)) }

// SignInText returns the text of which a sign-in link has the hash, so that it is no valid key or session.
func SignInText(token string) string { return "sign-in link " + token }

func hash(pepper []byte, key string) []byte {
	mac := hmac.New(sha256.New, pepper)
	mac.Write([]byte(key))
	return mac.Sum(nil)
}

func checksum(s string) string {
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE([]byte(s)))
	return base62(sum[:], sumLength)
}

func base62(b []byte, width int) string {
	n, base, digit := new(big.Int).SetBytes(b), big.NewInt(int64(len(base62Digits))), new(big.Int)
	out := make([]byte, width)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = base62Digits[digit.Int64()]
	}
	return string(out)
}
