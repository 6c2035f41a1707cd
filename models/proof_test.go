package models_test

import (
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestAProofIsValidForOneStatementAndALimitedTime(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	at := time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC)
	text := models.SignUpdate(key, "approve file_1", at)
	proof, err := models.ReadProof(text)
	require.NoError(t, err)
	require.Equal(t, key.Public(), proof.Key)
	require.Equal(t, at, proof.At)
	require.NoError(t, proof.Check("approve file_1", at.Add(models.ProofLife)))
	require.ErrorIs(t, proof.Check("approve file_2", at), models.ErrProofMismatch)
	require.ErrorIs(t, proof.Check("approve file_1", at.Add(models.ProofLife+time.Second)), models.ErrProofTime)
	require.ErrorIs(t, proof.Check("approve file_1", at.Add(-time.Hour)), models.ErrProofTime)

	again, err := models.ReadProof(models.SignUpdate(key, "approve file_1", at.Add(time.Second)))
	require.NoError(t, err)
	require.NotEqual(t, proof.Digest(), again.Digest())

	// Every other text is refused: no part of a proof may be changed.
	_, err = models.ReadProof("")
	require.ErrorIs(t, err, models.ErrNoProof)
	for i := range text {
		changed := []byte(text)
		changed[i] ^= 1
		other, err := models.ReadProof(string(changed))
		if err == nil {
			err = other.Check("approve file_1", at)
		}
		require.Error(t, err, "byte %d", i)
		require.True(t, models.IsProofRefusal(err))
	}
}

func TestAnAttachedProofIsValidForOneContentAndTwoMinutes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC)
	text, made := models.AttachProof(`{"reason":"END"}`, at)
	proof, err := models.ReadProof(text)
	require.NoError(t, err)
	require.Equal(t, made.Digest(), proof.Digest())
	require.NoError(t, proof.CheckAttached(`{"reason":"END"}`, at.Add(models.AttachedProofLife)))
	require.ErrorIs(t, proof.CheckAttached(`{"reason":"end"}`, at), models.ErrProofMismatch)
	require.ErrorIs(t, proof.CheckAttached(`{"reason":"END"}`, at.Add(models.AttachedProofLife+time.Second)),
		models.ErrProofTime)
	require.ErrorIs(t, proof.CheckAttached(`{"reason":"END"}`, at.Add(-time.Hour)), models.ErrProofTime)
	require.ErrorIs(t, proof.Check("", at), models.ErrProofMismatch, "it is signed by nobody")

	_, again := models.AttachProof(`{"reason":"END"}`, at)
	require.NotEqual(t, made.Digest(), again.Digest(), "each has an id of its own")
	for i := range text { // a changed proof is refused, or is one that was never issued
		changed := []byte(text)
		changed[i] ^= 1
		other, err := models.ReadProof(string(changed))
		if err == nil {
			require.NotEqual(t, made.Digest(), other.Digest(), "byte %d", i)
		} else {
			require.ErrorIs(t, err, models.ErrProofUnread)
		}
	}
}
