package webhook

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Schemes of signatures, as Standard Webhooks names them.
const (
	SchemeShared = "v1"  // HMAC-SHA256 under a secret that both sides have
	SchemePublic = "v1a" // ed25519: the receiver has the public key only
)

// Prefixes by which keys say what they are.
const (
	secretPrefix  = "whsec_"
	privatePrefix = "whsk_"
	publicPrefix  = "whpk_"
)

// ErrSecret says that a stored secret is none.
var ErrSecret = errors.New("no secret of a webhook endpoint")

// NewSecret makes the secret of an endpoint and, for SchemePublic, its public key, which is empty otherwise.
func NewSecret(scheme string) (secret, public string) {
	var random [ed25519.SeedSize]byte
	rand.Read(random[:]) // cannot fail: the program ends instead
	encoded := base64.StdEncoding.EncodeToString(random[:])
	if scheme != SchemePublic {
		return secretPrefix + encoded, ""
	}
	key := ed25519.NewKeyFromSeed(random[:])
	return privatePrefix + encoded, publicPrefix + base64.StdEncoding.EncodeToString(key[ed25519.SeedSize:])
}

// Headers are those of a message that is sent at a time, with a signature by each secret. Errors: ErrSecret.
func Headers(id string, at time.Time, body []byte, secrets ...string) (http.Header, error) {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		var err error
		if signatures[i], err = sign(secret, id, at, body); err != nil {
			return nil, err
		}
	}
	return http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {"Levy-Webhooks/1"},
		"Webhook-Id":        {id},
		"Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)},
		"Webhook-Signature": {strings.Join(signatures, " ")},
	}, nil
}

func sign(secret, id string, at time.Time, body []byte) (string, error) {
	if encoded, ok := strings.CutPrefix(secret, privatePrefix); ok {
		seed, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || len(seed) != ed25519.SeedSize {
			return "", ErrSecret
		}
		// The library signs by shared secrets only.
		message := fmt.Appendf(nil, "%s.%d.%s", id, at.Unix(), body)
		signature := ed25519.Sign(ed25519.NewKeyFromSeed(seed), message)
		return SchemePublic + "," + base64.StdEncoding.EncodeToString(signature), nil
	}
	if !strings.HasPrefix(secret, secretPrefix) {
		return "", ErrSecret
	}
	key, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return "", ErrSecret
	}
	return key.Sign(id, at, body)
}
