package web

import (
	"cmp"
	"net/http"

	"levy/contract"
)

// account is the data of the page of a person's own sign-in.
type account struct {
	contract.SecondFactor

	Code     field  // the field for the code of the app
	Provider string // the host of the OpenID provider: people who sign in there have no second step here
	Fault    string
}

// codeOfApp is the field for the code of an authenticator app.
var codeOfApp = field{Name: "code", Label: "Code from the app", Kind: "code", Required: true, Max: 20,
	Auto: "one-time-code", Native: true}

func (c *Console) accountPage(v *pageRequest) error {
	return v.show("Your sign-in", account{
		SecondFactor: contract.SecondFactor{Confirmed: v.user.User.SecondFactor}, Code: codeOfApp, Provider: c.provider,
	})
}

// changeAccount creates the secret of a second step or confirms it by a code. The first correct code also creates
// recovery codes. A wrong code keeps the secret.
func (c *Console) changeAccount(v *pageRequest) error {
	sent := contract.SecondFactorUpdate{}
	if v.PostFormValue("action") == "confirm" {
		sent.Code = cmp.Or(v.PostFormValue("code"), "-") // an absent code would create a new secret
	}
	factor, err := v.session.SetSecondFactor(v.Context(), contract.SetSecondFactorRequest{Body: sent})
	shown := account{SecondFactor: factor, Code: codeOfApp, Provider: c.provider}
	if refused := problemOf(err); refused != nil && refused.Status < http.StatusInternalServerError &&
		refused.Status != http.StatusUnauthorized && refused.Code != stepUpRequired {
		shown.Confirmed, shown.Fault = v.user.User.SecondFactor, refused.firstMessage()
		v.render(refused.Status, "Your sign-in", shown)
		return nil
	}
	if err != nil {
		return err
	}
	return v.show("Your sign-in", shown)
}
