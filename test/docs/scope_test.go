package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scopeless are the methods that the API calls without a models.Scope: docs/architecture.md
// says why.
var scopeless = map[string]string{
	"FindPrincipal":        "finds out whose key it is",
	"WatchPrincipals":      "names the organization whose answer is outdated",
	"Locate":               "reads tax content, which belongs to no organization",
	"CheckAddress":         "resolves a host name",
	"Calculator":           "reads tax content, which belongs to no organization",
	"ConversionRates":      "reads tax content, which belongs to no organization",
	"Once":                 "the claim names the organization",
	"OnceNonTransactional": "the claim names the organization",
	"Submit":               "the record names the organization",
	"Cancel":               "the record names the organization",
	"Complete":             "the submission names the organization",
	"Accept":               "the draft names the organization",
	"AcceptAll":            "each draft names the organization",
	"Offer":                "the reference names the organization",
	"LoadNexus":            "takes the id of the organization: a workflow evaluates with it, too",
	"After":                "takes the id of the organization",
	"Newest":               "takes the ids of the organizations whose streams are open",
	"End":                  "reads a number, which belongs to no organization",
	"EventRecords":         "the events name the organization",
	"KeyOrNew":             "takes the id of the organization",
	"FindOnboardingLink":   "finds out whose link it is",
	"FindCalendarFeed":     "finds out whose feed it is",
	"FindSession":          "finds out whose session it is",
	"BeginSession":         "is about a person, who belongs to the installation",
	"ProveSession":         "is about a person, who belongs to the installation",
	"UseSignIn":            "belongs to a sign-in at the provider, before anybody is known",
	"EndSession":           "is about a person, who belongs to the installation",
	"UserOfIdentity":       "is about a person, who belongs to the installation",
	"Identify":             "asks the OpenID provider who a person is",
	"Begin":                "asks the OpenID provider where a person signs in",
	"SecondFactor":         "is about a person, who belongs to the installation",
	"BeginSecondFactor":    "is about a person, who belongs to the installation",
	"UseCode":              "is about a person, who belongs to the installation",
	"Accounts":             "is about a person, who belongs to the installation",
	"Account":              "is about a person, who belongs to the installation",
	"RememberDevice":       "is about a person, who belongs to the installation",
	"DeviceAccounts":       "is about a person, who belongs to the installation",
	"PasswordOfLink":       "is about a person, who belongs to the installation",
	"PersonOfLink":         "is about a person, who belongs to the installation",
	"ChangePassword":       "is about a person, who belongs to the installation",
	"UseLink":              "is about a person, who belongs to the installation",
	"UseRecoveryCode":      "is about a person, who belongs to the installation",
	"Passkeys":             "is about a person, who belongs to the installation",
	"Passkey":              "finds out whose passkey it is",
	"AddPasskey":           "is about a person, who belongs to the installation",
	"UsePasskey":           "is about a person, who belongs to the installation",
	"RemovePasskey":        "is about a person, who belongs to the installation",
	"Colleagues":           "takes the visible organizations",
	"ListMentions":         "takes the visible organizations",
	"EndMention":           "is about a person, who belongs to the installation",
	"ChangePreferences":    "is about a person, who belongs to the installation",
	"StopMails":            "is about a person, who belongs to the installation",
	"SavedViews":           "is about a person, who belongs to the installation",
	"SharedViews":          "takes the organizations of the person",
	"ShareView":            "is about a person, whose organizations the operation checks",
	"SaveView":             "is about a person, who belongs to the installation",
	"RenameView":           "is about a person, who belongs to the installation",
	"RemoveView":           "is about a person, who belongs to the installation",
	"PrincipalOf":          "takes the id of the organization; what the person may there is checked with it",
	"CreateUser":           "the membership names the organization",
	"CreateUserByMail":     "the membership names the organization",
	"InviteByLink":         "the membership names the organization",
	"ListUsers":            "takes the id of the organization, or none for staff",
	"User":                 "takes the id of the organization, or none for staff",
	"UpdateUser":           "takes the id of the organization, or none for staff",
	"RemoveUser":           "takes the id of the organization, or none for staff",
	"ListDueFilings":       "takes the organizations that the caller sees",
	"NoteRead":             "the entry of the trail names the organization",
	"LiveReturns":          "takes each filing with its organization, of a list that the caller sees",
	"ListExceptions":       "takes the organizations that the caller sees",
	"ListExceptionGroups":  "takes the organizations that the caller sees",
	"Figures":              "takes the organizations that the caller sees",
	"Search":               "takes the organizations that the caller sees",
	"Report":               "takes the organizations that the caller sees",
	"Exchange":             "asks an authority, and takes the id of the organization",
	"ExportReport":         "takes the organizations that the caller sees",
}

// Every call of the service on behalf of a caller takes the caller's scope, except for those named above: so a handler
// cannot forget it and answer with records of another organization.
func TestTheServiceCallsTheStoreWithAScope(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, "service", "internal", "deps", "*.go"))
	require.NoError(t, err)
	scoped, found := 0, map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			i, ok := n.(*ast.InterfaceType)
			if !ok {
				return true
			}
			for _, method := range i.Methods.List {
				signature, ok := method.Type.(*ast.FuncType)
				switch {
				case !ok || !takes(signature, "context", "Context"):
				case takes(signature, "models", "Scope"):
					scoped++
				default:
					found[method.Names[0].Name] = true
				}
			}
			return true
		})
	}
	require.Greater(t, scoped, 50)
	for name := range found {
		require.Contains(t, scopeless, name, "the service calls %s without a scope", name)
	}
	for name := range scopeless {
		require.Contains(t, found, name, "the API calls no %s without a scope any more", name)
	}
}

func takes(f *ast.FuncType, pkg, name string) bool {
	for _, field := range f.Params.List {
		selector, ok := field.Type.(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != name {
			continue
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == pkg {
			return true
		}
	}
	return false
}
