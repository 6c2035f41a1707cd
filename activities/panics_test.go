package activities_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/rules"
)

// brokenOnboardings panics in every call, except where a failed attempt is noted. All dependencies of the other
// activities are nil, which panics too.
type brokenOnboardings struct{ activities.Onboardings }

func (brokenOnboardings) NoteStepError(context.Context, models.Scope, int, string) error { return nil }

// The SDK writes a panic into the history with its text and its stack: no activity may leave one to it.
func TestNoActivityLeavesAPanicToTheSDK(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	for _, work := range []any{
		activities.New(nil, nil, log),
		activities.NewOnboarding(brokenOnboardings{}, nil, nil, nil, nil, models.DefaultOnboardingRules(), log),
		activities.NewExemptions(nil, log),
		activities.NewFiling(nil, nil, nil, rules.FilingPolicy{}, log),
		activities.NewFilingPlan(nil, nil, log),
		activities.NewRegistration(nil, nil, log),
		activities.NewImports(nil, nil, nil, nil, log),
		activities.NewNexus(nil, nil, nil, 80, nil, log),
		activities.NewWebhooks(nil, nil, nil, nil, nil, log),
		activities.NewHeartbeat(nil, log),
	} {
		for i := range reflect.TypeOf(work).NumMethod() {
			method := reflect.TypeOf(work).Method(i)
			t.Run(method.Name, func(t *testing.T) {
				t.Parallel()
				var suite testsuite.WorkflowTestSuite
				env := suite.NewTestActivityEnvironment()
				env.RegisterActivity(work)
				var inputs []any
				for n := 2; n < method.Type.NumIn(); n++ {
					input := reflect.New(method.Type.In(n)).Elem()
					fill(input)
					switch in := input.Addr().Interface().(type) {
					case *activities.TransitionInput: // one without a proof goes no further
						in.Proof = models.SignUpdate(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), "", time.Now())
					case *activities.EndInput:
						in.Proof = ""
					}
					inputs = append(inputs, input.Interface())
				}
				_, err := env.ExecuteActivity(method.Name, inputs...)
				failure, ok := errors.AsType[*temporal.ApplicationError](err)
				require.True(t, ok, "%v", err)
				require.Equal(t, activities.ErrTypeUnexpected, failure.Type())
				var code string
				require.NoError(t, failure.Details(&code))
				require.Equal(t, "panic", code)
			})
		}
	}
}

// fill gives an input a value everywhere, so that no activity refuses it.
func fill(v reflect.Value) {
	kind := v.Kind()
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC)))
	case kind == reflect.String:
		v.SetString("2026-06-30")
	case kind == reflect.Int:
		v.SetInt(1)
	case kind == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case kind == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}
