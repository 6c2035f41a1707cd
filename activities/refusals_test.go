package activities

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// leaves is the type with which activities return an error of the domain, for each workflow that has refusals. Empty:
// as something unexpected, which is retried.
type leaves struct {
	err                              error
	onboarding, filing, registration string
}

// domainErrors has a line for each error that models declare, by its name.
var domainErrors = map[string]leaves{
	"ErrNotFound": {models.ErrNotFound, ErrTypeNotFound, ErrTypeNotFound, ErrTypeNotFound},
	"ErrChangedMeanwhile": {
		models.ErrChangedMeanwhile, ErrTypeChangedMeanwhile, ErrTypeChangedMeanwhile, ErrTypeChangedMeanwhile,
	},
	"ErrUnavailable": {models.ErrUnavailable, ErrTypeInfrastructure, ErrTypeInfrastructure, ErrTypeInfrastructure},
	"UnansweredError": {
		&models.UnansweredError{Err: models.ErrUnavailable}, ErrTypeInfrastructure, ErrTypeInfrastructure,
		ErrTypeInfrastructure,
	},
	"AuthorityDownError": {
		&models.AuthorityDownError{}, ErrTypeInfrastructure, ErrTypeInfrastructure, ErrTypeInfrastructure,
	},
	"ErrShareUsed":   {models.ErrShareUsed, ErrTypeInfrastructure, ErrTypeInfrastructure, ErrTypeInfrastructure},
	"ErrLockTimeout": {models.ErrLockTimeout, ErrTypeInfrastructure, ErrTypeInfrastructure, ErrTypeInfrastructure},
	"ErrOutcomeUnknown": {
		models.ErrOutcomeUnknown, ErrTypeInfrastructure, ErrTypeInfrastructure, ErrTypeInfrastructure,
	},

	"StepOrderError": {err: &models.StepOrderError{Next: 3}, onboarding: ErrTypeStepOutOfOrder},
	"OnboardingInactiveError": {
		err:        &models.OnboardingInactiveError{Status: models.OnboardingCancelled},
		onboarding: ErrTypeOnboardingNotActive,
	},
	"DuplicateError": {
		err: &models.DuplicateError{Field: "name", ExistingID: "org_1"}, onboarding: ErrTypeDuplicateName,
	},
	"LimitError": {
		err: &models.LimitError{What: models.LimitOrganizations, Limit: 5}, onboarding: ErrTypeLimitReached,
	},
	"ScopeError":            {err: &models.ScopeError{Scope: models.ScopeWrite}},
	"GiverError":            {err: &models.GiverError{Detail: "no"}, onboarding: ErrTypeNotGiven},
	"ErrOutlivesKey":        {err: models.ErrOutlivesKey, onboarding: ErrTypeNotGiven},
	"ErrLinkUsed":           {err: models.ErrLinkUsed, onboarding: ErrTypeNotGiven},
	"ErrNotFirstAdmin":      {err: models.ErrNotFirstAdmin, onboarding: ErrTypeNotGiven},
	"ErrLinkInvitesNobody":  {err: models.ErrLinkInvitesNobody, onboarding: ErrTypeNotGiven},
	"ErrMakerEnded":         {err: models.ErrMakerEnded, onboarding: ErrTypeNotGiven},
	"ErrGrantEnded":         {err: models.ErrGrantEnded, onboarding: ErrTypeNotGiven},
	"ErrKeyOfClient":        {err: models.ErrKeyOfClient, onboarding: ErrTypeNotGiven},
	"ErrGrantWithoutPeople": {err: models.ErrGrantWithoutPeople, onboarding: ErrTypeNotGiven},
	"StepFailedError": {
		err: &models.StepFailedError{Step: 8, Reason: "no such bank"}, onboarding: ErrTypeStepFailed,
	},

	"TransitionError": {
		err:    &models.TransitionError{From: "FILED", To: "PAUSED", Allowed: []string{}},
		filing: ErrTypeInvalidTransition,
	},
	"FilingNotReadyError":   {err: &models.FilingNotReadyError{Pending: 2}, filing: ErrTypeFilingRefused},
	"FilingUnresolvedError": {err: &models.FilingUnresolvedError{}, filing: ErrTypeFilingRefused},
	"FilingAmountError":     {err: &models.FilingAmountError{}, filing: ErrTypeFilingAmount},
	"FilingPeriodOpenError": {err: &models.FilingPeriodOpenError{}, filing: ErrTypeFilingRefused},
	"FilingLiabilityError":  {err: &models.FilingLiabilityError{}, filing: ErrTypeFilingRefused},
	"FilingImmutableError":  {err: &models.FilingImmutableError{}, filing: ErrTypeFilingRefused},
	"ErrSecondPersonNeeded": {err: models.ErrSecondPersonNeeded, filing: ErrTypeFilingRefused},
	"SecondPersonError":     {err: &models.SecondPersonError{}, filing: ErrTypeFilingRefused},
	"ErrFilingBlocked":      {err: models.ErrFilingBlocked, filing: ErrTypeFilingRefused},

	// The API refuses by these before it writes; in an activity each is a defect.
	"RegistrationNotActiveError": {err: &models.RegistrationNotActiveError{}},
	"NoticeChangedError":         {err: &models.NoticeChangedError{}},
	"ErrUnauthenticated":         {err: models.ErrUnauthenticated},
	"ErrForbidden":               {err: models.ErrForbidden},
	"ErrLastAdmin":               {err: models.ErrLastAdmin},
	"ErrArchived":                {err: models.ErrArchived},
	"ErrKeyReused":               {err: models.ErrKeyReused},
	"ErrKeyInUse":                {err: models.ErrKeyInUse},
	"ErrAnswerErased":            {err: models.ErrAnswerErased},
	"ErrOriginalIsRefund":        {err: models.ErrOriginalIsRefund},
	"ErrImportChanged":           {err: models.ErrImportChanged},
	"ErrTooManyImports":          {err: models.ErrTooManyImports},
	"InvalidError":               {err: &models.InvalidError{}},
	"ProductsNotFoundError":      {err: &models.ProductsNotFoundError{}},
	"ReferencesNotFoundError":    {err: &models.ReferencesNotFoundError{}},
	"NotProcessedError":          {err: &models.NotProcessedError{}},
	"LockedError":                {err: &models.LockedError{}},
	"CreditEndpointError":        {err: &models.CreditEndpointError{}},
	"HasCreditNotesError":        {err: &models.HasCreditNotesError{}},
	"OriginalNotCommittedError":  {err: &models.OriginalNotCommittedError{}},
	"CreditExceedsError":         {err: &models.CreditExceedsError{}},

	"FilingDocumentError": {err: &models.FilingDocumentError{}}, // of reads alone
	// BuildDocument takes other ids.
	"ErrIDsTaken": {err: models.ErrIDsTaken},

	// MoveFiling answers these itself, as input that is wrong.
	"ErrNoProof":       {err: models.ErrNoProof},
	"ErrProofUnread":   {err: models.ErrProofUnread},
	"ErrProofMismatch": {err: models.ErrProofMismatch},
	"ErrProofTime":     {err: models.ErrProofTime},
	"ErrProofUsed":     {err: models.ErrProofUsed},
	"ErrNoOperator":    {err: models.ErrNoOperator},

	// Fetching rate files begins anew with the version in force.
	"ErrContentChanged": {err: models.ErrContentChanged},
}

func TestEveryErrorOfTheDomainHasATypeInTemporal(t *testing.T) {
	t.Parallel()
	for _, name := range declaredErrors(t) {
		require.Contains(t, domainErrors, name, "the table has no line that says with which type an activity returns it")
	}
	require.Len(t, domainErrors, len(declaredErrors(t)))
	for name, want := range domainErrors {
		for of, errType := range map[workflowKind]string{
			ofOnboarding: want.onboarding, ofFiling: want.filing, ofRegistration: want.registration,
		} {
			t.Run(fmt.Sprintf("%s/%d", name, of), func(t *testing.T) {
				t.Parallel()
				if errType == "" {
					errType = ErrTypeUnexpected
				}
				retried := errType == ErrTypeUnexpected || errType == ErrTypeInfrastructure
				for _, err := range []error{want.err, fmt.Errorf("wrapped: %w", want.err)} {
					left, ok := errors.AsType[*temporal.ApplicationError](stepFailure(err, of, 1))
					require.True(t, ok)
					require.Equal(t, errType, left.Type())
					require.Equal(t, !retried, left.NonRetryable())
					if errType == ErrTypeUnexpected {
						require.True(t, isFinal(stepFailure(err, of, MaxDefects)), "a defect is given up")
					}
				}
			})
		}
	}
}

func isFinal(err error) bool {
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	return ok && app.NonRetryable()
}

// declaredErrors are the names of the errors that package models declares: variables Err…
// and types …Error.
func declaredErrors(t *testing.T) (names []string) {
	t.Helper()
	noTests := func(f os.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	//nolint:staticcheck // names are all that is read
	packages, err := parser.ParseDir(token.NewFileSet(), "../models", noTests, 0)
	require.NoError(t, err)
	for _, file := range packages["models"].Files {
		for _, d := range file.Decls {
			declared, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range declared.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range s.Names {
						if declared.Tok == token.VAR && strings.HasPrefix(name.Name, "Err") {
							names = append(names, name.Name)
						}
					}
				case *ast.TypeSpec:
					if strings.HasSuffix(s.Name.Name, "Error") && s.Name.IsExported() {
						names = append(names, s.Name.Name)
					}
				}
			}
		}
	}
	require.NotEmpty(t, names)
	return names
}

// The API reads a refusal of the worker as the same error, with its details.
func TestTheAPIReadsRefusalsOfAStepAsTheSameErrors(t *testing.T) {
	t.Parallel()
	for name, want := range domainErrors {
		if refusal := Refusal(want.err); refusal != nil {
			require.Equal(t, want.err, Refused(fmt.Errorf("update: %w", refusal)), name)
		}
	}
	require.NoError(t, Refused(stepFailure(os.ErrInvalid, ofOnboarding, 1)))
	require.NoError(t, Refused(os.ErrInvalid))
	require.NoError(t, Refused(FilingRefusal(models.ErrFilingBlocked)), "which is no refusal of a step")
}

func TestOnlyTemporaryErrorsAreOutages(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		err    error
		outage bool
	}{
		"unavailable":     {models.ErrUnavailable, true},
		"timeout":         {context.DeadlineExceeded, true},
		"stopped":         {context.Canceled, true},
		"connection_lost": {io.ErrUnexpectedEOF, true},
		"database_40001":  {&pgconn.PgError{Code: "40001"}, true},
		"database_22012":  {&pgconn.PgError{Code: "22012"}, false},
		"panic":           {&panicError{value: "x"}, false},
		"not_moved":       {errNotReached, false},
		"unexpected":      {os.ErrInvalid, false},
	} {
		got, outage := classify(fmt.Errorf("wrapped: %w", want.err))
		require.Equal(t, code, got)
		require.Equal(t, want.outage, outage, code)
	}
}

// An authority that has not decided says when to ask again; that is neither a
// failure nor a defect.
func TestAnAuthorityThatHasNotDecidedIsAskedAgain(t *testing.T) {
	t.Parallel()
	for again, pause := range map[time.Duration]time.Duration{
		6 * time.Hour: 6 * time.Hour, time.Second: time.Second, 0: time.Hour, // it did not say
	} {
		for _, of := range []workflowKind{ofFiling, ofRegistration} {
			left, ok := errors.AsType[*temporal.ApplicationError](stepFailure(
				&pendingError{again: again}, of, MaxDefects,
			))
			require.True(t, ok)
			require.Equal(t, ErrTypePending, left.Type())
			require.False(t, left.NonRetryable())
			require.Equal(t, pause, left.NextRetryDelay())
			require.Equal(t, temporal.ApplicationErrorCategoryBenign, left.Category(), "no error in log and metrics")
		}
	}
}
