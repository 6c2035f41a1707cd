package web

import (
	"cmp"
	"net/http"
	"net/url"

	"levy/contract"
)

// stepUpRequired is the code of a refusal for which the person proves again who uses the session.
const stepUpRequired = "step_up_required"

// sealedField is the field with the refused form, encrypted: it may have secrets, which no page may hold.
const sealedField = "step_up_form"

// stepUpPage is the data of the page that asks who uses the session, and then continues with the refused form.
type stepUpPage struct {
	Fault, Email, Sealed, Action string
	Code                         bool   // the person has a second step
	Passkeys                     bool   // the person has passkeys
	Provider                     string // the host of the OpenID provider; empty where people have passwords
}

// Carried returns the hidden fields of the form with a passkey.
func (p stepUpPage) Carried() []field { return []field{hidden(sealedField, p.Sealed)} }

// Fields returns the fields of the page.
func (p stepUpPage) Fields() []field {
	fields := p.Carried()
	proof := field{Name: "step_up_password", Label: "Password", Kind: "password", Required: true, Max: 1000,
		Auto: "current-password", Native: true, Focus: true}
	if p.Code {
		proof = field{Name: "step_up_code", Label: "Code from your app, or a recovery code", Kind: "text", Required: true,
			Max: 40, Auto: "one-time-code", AsTyped: true, Native: true, Focus: true}
	}
	if p.Provider == "" {
		fields = append(fields, proof)
	}
	return fields
}

// formOwner is the person and the page that an encrypted form is bound to.
func (v *pageRequest) formOwner() string { return v.user.User.ID + " " + v.URL.Path }

// askForProof shows the page that asks who uses the session. It holds the refused form.
func (v *pageRequest) askForProof(sealed, fault string) {
	sealed = cmp.Or(sealed, v.console.gate.SealForm(v.formOwner(), []byte(v.PostForm.Encode())))
	v.renderAs("step_up", http.StatusForbidden, "Sign in again to go on", stepUpPage{
		Fault: fault, Email: v.user.User.Email, Sealed: sealed, Action: v.URL.RequestURI(), Code: v.user.User.SecondFactor,
		Passkeys: v.user.User.Passkeys > 0, Provider: v.console.provider,
	})
}

// continueForm puts the refused form in place of the one that was sent, after the person has proved who uses the
// session. ok is false if the page asks again. Where people sign in at a provider, they have done so in another window.
func (v *pageRequest) continueForm(sealed string) (ok bool, err error) {
	raw, ok := v.console.gate.OpenForm(v.formOwner(), sealed)
	form, err := url.ParseQuery(string(raw))
	if !ok || err != nil {
		return false, &problem{Status: http.StatusBadRequest, Title: "The form is incomplete", Detail: "Open the page and send it again."}
	}
	if v.console.provider == "" {
		if err = v.proveSession(); err != nil {
			refused := v.refusalOf(err)
			if refused.Status == http.StatusUnauthorized {
				return false, err
			}
			v.askForProof(sealed, refused.firstMessage())
			return false, nil
		}
	}
	v.PostForm, v.Form = form, form
	if key := form.Get(onceField); key != "" {
		v.session = v.session.WithForm(key)
	}
	return true, nil
}

// proveSession sends what the page that asks who uses the session has asked for.
func (v *pageRequest) proveSession() error {
	if v.PostFormValue("passkey") != "" {
		session, err := v.sending(map[string]any{"passkey": v.passkey()})
		if err == nil {
			_, err = session.ProveSession(v.Context(), contract.ProveSessionRequest{})
		}
		return err
	}
	_, err := v.session.ProveSession(v.Context(), contract.ProveSessionRequest{Body: contract.SessionProof{
		Password: v.PostFormValue("step_up_password"), Code: v.PostFormValue("step_up_code"),
	}})
	return err
}
