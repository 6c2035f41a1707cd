package client

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The example of the Standard Webhooks specification, but for its body, which is no event of Levy.
const (
	webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	webhookBody   = `{"test": 2432232314}`
)

var webhookTime = time.Unix(1614265330, 0)

func webhookHeader(signature string) http.Header {
	return http.Header{"Webhook-Id": {"msg_p5jXN8AQM9LWM0D4loKWxJek"}, "Webhook-Timestamp": {"1614265330"},
		"Webhook-Signature": {signature}}
}

const webhookSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

func TestASignedWebhookIsRead(t *testing.T) {
	t.Parallel()
	for _, signatures := range []string{webhookSignature, "v1a,AAAA v1,bm8= v1,? " + webhookSignature} {
		_, err := verifyWebhook(webhookSecret, webhookHeader(signatures), []byte(webhookBody), webhookTime.Add(WebhookTolerance))
		require.NoError(t, err)
	}
	_, err := VerifyWebhook(webhookSecret, webhookHeader(webhookSignature), []byte(webhookBody))
	require.ErrorIs(t, err, ErrSignature, "it was signed years ago")
}

func TestTheEventOfAWebhookIsReturned(t *testing.T) {
	t.Parallel()
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(webhookSecret, "whsec_"))
	require.NoError(t, err)
	body := `{"id":"evnt_1"}`
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330." + body))
	header := webhookHeader("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	event, err := verifyWebhook(webhookSecret, header, []byte(body), webhookTime)
	require.NoError(t, err)
	require.Equal(t, "evnt_1", event.ID)
}

func TestOtherWebhooksAreRefused(t *testing.T) {
	t.Parallel()
	changed := func(name, value string) http.Header {
		header := webhookHeader(webhookSignature)
		header.Set(name, value)
		return header
	}
	other := "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 24))
	for name, sent := range map[string]struct {
		key    string
		header http.Header
		body   string
		now    time.Time
	}{
		"another secret":      {other, webhookHeader(webhookSignature), webhookBody, webhookTime},
		"another body":        {webhookSecret, webhookHeader(webhookSignature), webhookBody + " ", webhookTime},
		"another id":          {webhookSecret, changed("webhook-id", "msg_2"), webhookBody, webhookTime},
		"another time":        {webhookSecret, changed("webhook-timestamp", "1614265331"), webhookBody, webhookTime},
		"a time that is none": {webhookSecret, changed("webhook-timestamp", "1e9"), webhookBody, webhookTime},
		"too old": {webhookSecret, webhookHeader(webhookSignature), webhookBody,
			webhookTime.Add(WebhookTolerance + time.Second)},
		"too new": {webhookSecret, webhookHeader(webhookSignature), webhookBody,
			webhookTime.Add(-WebhookTolerance - time.Second)},
		"no signature":   {webhookSecret, webhookHeader(""), webhookBody, webhookTime},
		"another scheme": {webhookSecret, webhookHeader("v2" + webhookSignature[2:]), webhookBody, webhookTime},
	} {
		_, err := verifyWebhook(sent.key, sent.header, []byte(sent.body), sent.now)
		require.ErrorIs(t, err, ErrSignature, name)
	}
}

func TestAPublicKeyVerifiesAWebhook(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	signed := fmt.Sprintf("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.%s", webhookBody)
	header := webhookHeader("v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(private, []byte(signed))))
	key := "whpk_" + base64.StdEncoding.EncodeToString(public)
	_, err = verifyWebhook(key, header, []byte(webhookBody), webhookTime)
	require.NoError(t, err)
	_, err = verifyWebhook(key, header, []byte(webhookBody+" "), webhookTime)
	require.ErrorIs(t, err, ErrSignature)
	_, err = verifyWebhook(key, webhookHeader(webhookSignature), []byte(webhookBody), webhookTime)
	require.ErrorIs(t, err, ErrSignature, "a signature of the other scheme")
}

func TestAKeyOfNoEndpointIsNoSignature(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "whsec_", "whsk_AAAA", "whpk_AAAA", "whsec_?", "AAAA"} {
		_, err := verifyWebhook(key, webhookHeader(webhookSignature), []byte(webhookBody), webhookTime)
		require.Error(t, err, key)
		require.NotErrorIs(t, err, ErrSignature, key)
	}
}
