package people

import (
	"context"
	"encoding/hex"
	"strings"

	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
)

// device is the browser of a caller who has signed in by it before. Its cookie has a random token with its signature,
// so that an invented one needs no database. Only a hash of the token is stored, with the accounts.
type device struct {
	token  string // empty for an unknown one
	hashes [][]byte
}

func (o *Operations) deviceOf(ctx context.Context) device {
	token, seal, _ := strings.Cut(call.Of(ctx).Device, ".")
	sent, err := hex.DecodeString(seal)
	signed := isHashOf(sent, o.keys.Hashes("device cookie "+token))
	// guard: sign-in: a device is known by a cookie that Levy has signed
	if token == "" || err != nil || !signed {
		return device{}
	}
	return device{token: token, hashes: o.keys.Hashes("device " + token)}
}

// remember stores that an account has signed in by the caller's device, and sets the cookie.
func (o *Operations) remember(ctx context.Context, u *models.User, known device) error {
	if known.token == "" {
		known.token = secret.NewToken()
	}
	if err := o.deps.People.RememberDevice(ctx, u.ID, o.keys.Hash("device "+known.token)); err != nil {
		return err
	}
	call.Of(ctx).Device = known.token + "." + hex.EncodeToString(o.keys.Hash("device cookie "+known.token))
	call.Of(ctx).DeviceKnown = call.Of(ctx).Device
	return nil
}
