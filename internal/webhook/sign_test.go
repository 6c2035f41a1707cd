package webhook_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"levy/internal/webhook"
)

// The vector that the authors of Standard Webhooks published with their libraries.
func TestSignaturesMatchThePublishedVector(t *testing.T) {
	t.Parallel()
	headers, err := webhook.Headers("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0),
		[]byte(`{"test": 2432232314}`),
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	require.NoError(t, err)
	require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		headers.Get(standardwebhooks.HeaderWebhookSignature))
}

func TestTheReferenceLibraryVerifiesSignatures(t *testing.T) {
	t.Parallel()
	old, _ := webhook.NewSecret(webhook.SchemeShared)
	current, public := webhook.NewSecret(webhook.SchemeShared)
	require.Empty(t, public)
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, current)
	body := []byte(`{"type":"test.ping"}`)
	headers, err := webhook.Headers("evnt_1", time.Now(), body, current, old)
	require.NoError(t, err)
	for _, secret := range []string{current, old} {
		receiver, err := standardwebhooks.NewWebhook(secret)
		require.NoError(t, err)
		require.NoError(t, receiver.Verify(body, headers), "either secret verifies during a rotation")
		require.Error(t, receiver.Verify([]byte(`{"type":"test.pong"}`), headers))
	}
	other, _ := webhook.NewSecret(webhook.SchemeShared)
	receiver, err := standardwebhooks.NewWebhook(other)
	require.NoError(t, err)
	require.Error(t, receiver.Verify(body, headers))
}

func TestAsymmetricSignatures(t *testing.T) {
	t.Parallel()
	private, public := webhook.NewSecret(webhook.SchemePublic)
	require.Regexp(t, `^whsk_`, private)
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(public, "whpk_"))
	require.NoError(t, err)
	headers, err := webhook.Headers("evnt_1", time.Unix(1614265330, 0), []byte("{}"), private)
	require.NoError(t, err)
	scheme, encoded, _ := strings.Cut(headers.Get("webhook-signature"), ",")
	require.Equal(t, "v1a", scheme)
	signature, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	require.True(t, ed25519.Verify(key, []byte("evnt_1.1614265330.{}"), signature))
	for _, bad := range []string{"", "whsec_*", "whsk_c2hvcnQ=", "whpk_" + encoded} {
		_, err := webhook.Headers("evnt_1", time.Now(), nil, bad)
		require.ErrorIs(t, err, webhook.ErrSecret)
	}
}
