package client

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WebhookTolerance is by how much the clocks of both sides of a webhook may differ.
const WebhookTolerance = 5 * time.Minute

// ErrSignature means that a request is not one that Levy signed with the key, or that it is too old.
var ErrSignature = errors.New("levy: the webhook has no valid signature")

// VerifyWebhook returns the event of a webhook, if Levy signed these bytes with the secret (whsec_...) of the endpoint, or
// with the private key that belongs to its public key (whpk_...). body is what was received, before any parser saw it.
//
// Levy sends an event more than once when an answer was lost: remember its id. Errors: ErrSignature, and others for a key
// that is none, or a body that is no event.
func VerifyWebhook(key string, header http.Header, body []byte) (Event, error) {
	return verifyWebhook(key, header, body, time.Now())
}

func verifyWebhook(key string, header http.Header, body []byte, now time.Time) (event Event, err error) {
	scheme, valid, err := webhookScheme(key)
	if err != nil {
		return event, err
	}
	id, at := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || id == "" {
		return event, fmt.Errorf("%w: a header is missing or malformed", ErrSignature)
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > WebhookTolerance {
		return event, fmt.Errorf("%w: its time is too far from that of this machine", ErrSignature)
	}
	signed := fmt.Appendf(nil, "%s.%s.%s", id, at, body)
	for one := range strings.SplitSeq(header.Get("webhook-signature"), " ") {
		name, encoded, _ := strings.Cut(one, ",")
		signature, err := base64.StdEncoding.DecodeString(encoded)
		if err == nil && name == scheme && valid(signed, signature) {
			err = json.Unmarshal(body, &event)
			return event, err
		}
	}
	return event, fmt.Errorf("%w: none is by the key", ErrSignature)
}

// webhookScheme returns the scheme of a key, and what checks a signature by it in constant time.
func webhookScheme(key string) (scheme string, valid func(signed, signature []byte) bool, err error) {
	kind, encoded, _ := strings.Cut(key, "_")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	switch {
	case err == nil && kind == "whsec" && len(raw) > 0:
		return "v1", func(signed, signature []byte) bool {
			mac := hmac.New(sha256.New, raw)
			mac.Write(signed)
			return hmac.Equal(mac.Sum(nil), signature)
		}, nil
	case err == nil && kind == "whpk" && len(raw) == ed25519.PublicKeySize:
		return "v1a", func(signed, signature []byte) bool { return ed25519.Verify(raw, signed, signature) }, nil
	}
	return "", nil, errors.New("levy: the key of a webhook endpoint is whsec_ or whpk_ and Base64")
}
