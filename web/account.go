package web

import (
	"cmp"
	"net/http"

	"levy/contract"
)

// account is the data of the page of a person's own sign-in.
type account struct {
	contract.SecondFactor

	Password    []field // the fields of another password
	Code        field   // the field for the code of the app
	PasskeyName field
	Passkeys    contract.PasskeyList
	Provider    string // the host of the OpenID provider: people who sign in there have no second step here
	Fault       string
	Refused     bool // the new password was refused: its form stays open
	Retry       bool // the code of the app was wrong
}

// passkeyName is the field for the name of a new passkey.
var passkeyName = field{Name: "name", Label: "Name of the new passkey", Kind: "text", Required: true, Max: 100, Auto: "off",
	Native: true, Hint: "Such as the name of the device."}

// codeOfApp is the field for the code of an authenticator app.
var codeOfApp = field{Name: "code", Label: "Code from the app", Kind: "code", Required: true, Max: 20,
	Auto: "one-time-code", Native: true}

func (c *Console) accountPage(v *pageRequest) error {
	return c.showAccount(v, http.StatusOK, account{
		SecondFactor: contract.SecondFactor{Confirmed: v.user.User.SecondFactor},
	})
}

// showAccount shows the page of the own sign-in with the passkeys as they are now.
func (c *Console) showAccount(v *pageRequest, status int, shown account) (err error) {
	shown.Code, shown.PasskeyName, shown.Provider = codeOfApp, passkeyName, c.provider
	shown.Password = signInForm{}.NewPassword()
	if c.provider == "" {
		shown.Passkeys, err = v.session.ListPasskeys(v.Context(), contract.ListPasskeysRequest{})
		if err = v.optional("passkeys", err); err != nil { // a new secret is shown once
			return err
		}
	}
	v.render(status, "Your sign-in", shown)
	return nil
}

// changeAccount changes the password, the second step or the passkeys of the person. The first correct code creates recovery
// codes. A wrong code keeps the secret.
func (c *Console) changeAccount(v *pageRequest) error {
	shown := account{SecondFactor: contract.SecondFactor{Confirmed: v.user.User.SecondFactor}}
	var err error
	switch action := v.PostFormValue("action"); action {
	case "password":
		if v.PostFormValue("password") != v.PostFormValue("again") {
			shown.Fault, shown.Refused = passwordsDiffer, true
			return c.showAccount(v, http.StatusBadRequest, shown)
		}
		_, err = v.session.ChangePassword(v.Context(), contract.ChangePasswordRequest{
			Body: contract.PasswordChange{Password: v.PostFormValue("password")}})
		if err == nil {
			return v.goTo("/account")
		}
	case "add_passkey", "remove_passkey":
		if err = v.changePasskeys(action); err == nil {
			return v.goTo("/account")
		}
	case "confirm": // an absent code would create a new secret
		shown.SecondFactor, err = v.session.SetSecondFactor(v.Context(), contract.SetSecondFactorRequest{
			Body: contract.SecondFactorUpdate{Code: cmp.Or(v.PostFormValue("code"), "-")}})
	default:
		shown.SecondFactor, err = v.session.SetSecondFactor(v.Context(), contract.SetSecondFactorRequest{})
	}
	if refused := problemOf(err); refused != nil && refused.Status < http.StatusInternalServerError &&
		refused.Status != http.StatusUnauthorized && refused.Code != stepUpRequired {
		shown.Confirmed, shown.Fault = v.user.User.SecondFactor, refused.firstMessage()
		shown.Retry, shown.Refused = v.PostFormValue("action") == "confirm", v.PostFormValue("action") == "password"
		return c.showAccount(v, refused.Status, shown)
	}
	if err != nil {
		return err
	}
	return c.showAccount(v, http.StatusOK, shown)
}

// changePasskeys adds or removes a passkey.
func (v *pageRequest) changePasskeys(action string) error {
	sent := map[string]any{"remove": v.PostFormValue("id")}
	if action == "add_passkey" {
		sent = map[string]any{"name": v.PostFormValue("name"), "passkey": v.passkey()}
	}
	session, err := v.sending(sent)
	if err == nil {
		_, err = session.SetPasskey(v.Context(), contract.SetPasskeyRequest{})
	}
	return err
}

// passkey returns the passkey of a form, as the service takes it. What is no JSON has no credential, and is refused.
func (v *pageRequest) passkey() map[string]any {
	answer := map[string]any{"token": v.PostFormValue("passkey_token")}
	if credential := contract.Object(v.PostFormValue("passkey")); credential.IsValid() {
		answer["credential"] = credential
	}
	return answer
}
