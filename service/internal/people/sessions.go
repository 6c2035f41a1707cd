package people

import (
	"levy/internal/secret"
)

// SessionHashes returns the hashes of the token of a session under every master key.
func (o *Operations) SessionHashes(token string) [][]byte { return SessionHashes(o.keys, token) }

// SessionHashes returns the hashes of the token of a session under every master key. The prefix keeps a token
// from being a valid key.
func SessionHashes(keys *secret.KeyHasher, token string) [][]byte {
	return keys.Hashes("session " + token)
}

// LinkHash returns the hash of the token of a sign-in link.
func LinkHash(keys *secret.KeyHasher, token string) []byte { return keys.SignInHash(token) }
