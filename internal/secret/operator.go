package secret

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// ProofKey is the key by which the holder of an operator key signs. The database has its public half
// only: who can read it signs nothing. ok is false for what is no operator key.
func ProofKey(operatorKey string) (key ed25519.PrivateKey, ok bool) {
	if kind, ok := APIKeyKind(operatorKey); !ok || kind != KindOperator {
		return nil, false
	}
	seed, err := hkdf.Key(sha256.New, []byte(operatorKey), nil, "levy operator proof v1", ed25519.SeedSize)
	if err != nil {
		panic(fmt.Sprintf("secret: derive: %v", err)) // only for lengths far beyond ours
	}
	return ed25519.NewKeyFromSeed(seed), true
}

// PublicProofKey is the public half of ProofKey.
func PublicProofKey(operatorKey string) (public []byte, ok bool) {
	key, ok := ProofKey(operatorKey)
	if !ok {
		return nil, false
	}
	return key[ed25519.SeedSize:], true
}
