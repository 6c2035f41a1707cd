package people

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// seal returns a value as a signed token for one purpose. A browser keeps it, so nothing is stored until it comes back.
func (o *Operations) seal(purpose string, value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts and times are always encodable
	}
	content := base64.RawURLEncoding.EncodeToString(text)
	return content + "." + base64.RawURLEncoding.EncodeToString(o.keys.Hash(purpose+" "+content))
}

// unseal reads the value of a token. It returns false for a token that Levy did not write for the purpose.
func (o *Operations) unseal(purpose, token string, value any) bool {
	content, seal, _ := strings.Cut(token, ".")
	sent, err := base64.RawURLEncoding.DecodeString(seal)
	// guard: tokens: Levy has written what a browser brings back
	if err != nil || !isHashOf(sent, o.keys.Hashes(purpose+" "+content)) {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(content)
	return err == nil && json.Unmarshal(text, value) == nil
}

// isOneOf reports whether a hash in hexadecimal digits is one of several.
func isOneOf(hash string, hashes [][]byte) bool {
	sent, err := hex.DecodeString(hash)
	return err == nil && isHashOf(sent, hashes)
}

// isHashOf reports whether a hash is one of several.
func isHashOf(hash []byte, hashes [][]byte) bool {
	return slices.ContainsFunc(hashes, func(known []byte) bool { return hmac.Equal(known, hash) })
}
