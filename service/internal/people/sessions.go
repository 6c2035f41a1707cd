package people

import (
	"levy/internal/secret"
)

// Secrets of sessions and links are hashed apart from keys: none can stand for another.
func (o *Operations) SessionHashes(token string) [][]byte { return SessionHashes(o.keys, token) }

// SessionHashes are the hashes of the token of a session under every master key.
func SessionHashes(keys *secret.KeyHasher, token string) [][]byte {
	return keys.Hashes("session " + token)
}

// LinkHash is the hash of the token of a sign-in link.
func LinkHash(keys *secret.KeyHasher, token string) []byte { return keys.Hash("sign-in link " + token) }
