package web

import (
	"errors"
	"net/http"
)

const (
	accountPath      = "/account"
	secondFactorPath = "/v1/session/second_factor"
)

// account is the data of the page of a person's own sign-in.
type account struct {
	Confirmed  bool   `json:"confirmed"`
	Secret     string `json:"secret"` // only in the answer that creates it
	OtpauthURI string `json:"otpauth_uri"`
	// RecoveryCodes are only in the answer that creates them.
	RecoveryCodes []string `json:"recovery_codes"`

	Code     field  // the field for the code of the app
	Provider string // the host of the OpenID provider: people who sign in there have no second step here
	Fault    string
}

// codeOfApp is the field for the code of an authenticator app.
var codeOfApp = field{Name: "code", Label: "Code from the app", Kind: "code", Required: true, Max: 20,
	Auto: "one-time-code", Native: true}

func (c *Console) accountPage(v *pageRequest) error {
	return v.show("Your sign-in", account{Confirmed: v.user.User.SecondFactor, Code: codeOfApp, Provider: c.provider})
}

// changeAccount creates the secret of a second step or confirms it by a code. The first correct code also creates
// recovery codes. A wrong code keeps the secret.
func (c *Console) changeAccount(v *pageRequest) error {
	sent := map[string]any{}
	if v.PostFormValue("action") == "confirm" {
		sent["code"] = v.PostFormValue("code")
		if sent["code"] == "" {
			sent["code"] = "-" // an absent code would create a new secret
		}
	}
	shown := account{Code: codeOfApp, Provider: c.provider}
	err := v.call(http.MethodPut, secondFactorPath, "", sent, &shown)
	var refused *problem
	if errors.As(err, &refused) && refused.Status < http.StatusInternalServerError &&
		refused.Status != http.StatusUnauthorized {
		shown.Confirmed, shown.Fault = v.user.User.SecondFactor, refused.Detail
		if len(refused.Errors) > 0 {
			shown.Fault = refused.Errors[0].Message
		}
		v.render(refused.Status, "Your sign-in", shown)
		return nil
	}
	if err != nil {
		return err
	}
	v.render(http.StatusOK, "Your sign-in", shown)
	return nil
}
