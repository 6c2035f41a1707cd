package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestADecisionOfTheAuthoritySetsTheStatusOfARegistration(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 20, 23, 30, 0, 0, time.UTC)
	accepted := AuthorityAnswer{Outcome: AuthorityAccepted, Confirmation: "SIM-1"}
	rejected := AuthorityAnswer{Outcome: AuthorityRejected, Reason: "no"}

	r := Registration{Status: RegistrationProcessing}
	r.HandOver("simulated", now)
	require.Equal(t, RegistrationValidating, r.Status)
	require.Equal(t, now, *r.RegistrationRequested)
	registered := r
	registered.Decide(accepted, now)
	require.Equal(t, RegistrationRegistered, registered.Status)
	require.Equal(t, "2026-05-20", registered.RegistrationDate.Format(time.DateOnly))
	require.Equal(t, []string{"SIM-1", "SIM-1"}, []string{*registered.AuthorityReference, *registered.SalesTaxID})

	r.Decide(rejected, now)
	require.Equal(t, RegistrationClarification, r.Status)
	require.Equal(t, "no", *r.Clarification)
	require.NoError(t, r.Transition(RegistrationProcessing, now))
	require.Nil(t, r.Clarification)
	require.Equal(t, 1, r.Attempt, "handed over anew")

	number := "NY-1"
	own := Registration{Status: RegistrationValidating, SalesTaxID: &number}
	own.Decide(accepted, now)
	require.Equal(t, "NY-1", *own.SalesTaxID, "a number that is known stays")

	require.NoError(t, registered.Deregister(now, nil, now))
	registered.HandOver("simulated", now)
	registered.Decide(rejected, now)
	require.Equal(t, RegistrationDeregistering, registered.Status)
	require.Equal(t, "no", *registered.Clarification)
}

func TestTheNexusStatusOfARegistration(t *testing.T) {
	t.Parallel()
	for status, want := range map[RegistrationStatus]NexusStatus{
		RegistrationUnregistered: NexusPendingRegistration, RegistrationProcessing: NexusPendingRegistration,
		RegistrationValidating: NexusPendingRegistration, RegistrationClarification: NexusPendingRegistration,
		RegistrationRegistered: NexusRegistered, RegistrationDeregistering: NexusRegistered,
		RegistrationDeregistered: "", RegistrationCancelled: "",
	} {
		found, follows := status.Nexus()
		require.Equal(t, want, found, status)
		require.Equal(t, want != "", follows, status)
	}
}
