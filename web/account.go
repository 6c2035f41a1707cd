package web

import (
	"errors"
	"net/http"
)

const (
	accountPath      = "/account"
	secondFactorPath = "/v1/session/second_factor"
)

// account is what somebody sees of the own sign-in.
type account struct {
	Confirmed  bool   `json:"confirmed"`
	Secret     string `json:"secret"` // shown once
	OtpauthURI string `json:"otpauth_uri"`
	// RecoveryCodes are shown once, too.
	RecoveryCodes []string `json:"recovery_codes"`

	Code     field  // of the app
	Provider string // people sign in there: there is no second step here
	Fault    string
}

// codeOfApp asks for the code that the app shows.
var codeOfApp = field{Name: "code", Label: "Code from the app", Kind: "code", Required: true, Max: 20,
	Auto: "one-time-code", Native: true}

func (c *Console) accountPage(v *pageRequest) error {
	return v.show("Your sign-in", account{Confirmed: v.session.User.SecondFactor, Code: codeOfApp, Provider: c.provider})
}

// changeAccount makes the secret of a second step, or confirms it by a code, with which recovery codes come. A wrong
// code leaves the secret as it is in the app.
func (c *Console) changeAccount(v *pageRequest) error {
	sent := map[string]any{}
	if v.PostFormValue("action") == "confirm" {
		sent["code"] = v.PostFormValue("code")
		if sent["code"] == "" {
			sent["code"] = "-" // without one a new secret would be made
		}
	}
	shown := account{Code: codeOfApp, Provider: c.provider}
	err := v.call(http.MethodPut, secondFactorPath, "", sent, &shown)
	var refused *problem
	if errors.As(err, &refused) && refused.Status < http.StatusInternalServerError &&
		refused.Status != http.StatusUnauthorized {
		shown.Confirmed, shown.Fault = v.session.User.SecondFactor, refused.Detail
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
