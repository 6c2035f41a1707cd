package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// A backup of another program ends the alarm of missing backups and is told with what it proves. An older one changes
// nothing.
func TestABackupOfAnotherProgramCounts(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	alarms := func() (names []string, state map[string]any) {
		said, err := levyOn(t, address, "status", "--json")
		require.ErrorIs(t, err, errAlarms)
		var found struct {
			Backup map[string]any
			Alarms []models.Alarm
		}
		require.NoError(t, json.Unmarshal([]byte(said), &found))
		for _, a := range found.Alarms {
			names = append(names, a.Name)
		}
		return names, found.Backup
	}
	names, _ := alarms()
	require.Contains(t, names, "LevyNoBackup")
	at := time.Now().UTC().Add(-3 * time.Hour).Truncate(time.Second)
	note := func(at time.Time, kind, proves, reference string) (string, error) {
		return levyOn(t, address, "backup", "note", "--kind", kind, "--proves", proves, "--at", at.Format(time.RFC3339), reference, "--json")
	}
	_, err := note(at.Add(-24*time.Hour), "wal-g", "taken", "base_000000010000000000000004")
	require.NoError(t, err)
	names, _ = alarms()
	require.Contains(t, names, "LevyNoBackup", "it is older than 26 hours")
	said, err := note(at, "pgbackrest", "restored", "20261130-030000F")
	require.NoError(t, err)
	var noted notedBackup
	require.NoError(t, json.Unmarshal([]byte(said), &noted))
	require.Equal(t, notedBackup{"pgbackrest", "20261130-030000F", at, "restored"}, noted)
	_, err = note(at.Add(-time.Hour), "snapshot", "taken", "snap-0a1b2c")
	require.NoError(t, err)
	names, state := alarms()
	require.NotContains(t, names, "LevyNoBackup")
	require.Equal(t, "pgbackrest", state["kind"])
	require.Equal(t, "restored", state["proves"])
	said, err = levyOn(t, address, "status")
	require.ErrorIs(t, err, errAlarms)
	require.Contains(t, said, "3 h ago, by pgBackRest, known to be restored: 20261130-030000F")
	said, err = levyOn(t, address, "audit", "list", models.InstallationAudit)
	require.NoError(t, err)
	require.Contains(t, said, "20261130-030000F")

	for reference, want := range map[string]error{
		"": errReferenceLong, "two\nlines": errReferenceLong, strings.Repeat("x", 201): errReferenceLong,
		"https://me:hunter2@backups.example.com/1":          errReferenceSecret,
		"https://b.s3.amazonaws.com/1?X-Amz-Signature=abcd": errReferenceSecret,
		"AKIAIOSFODNN7EXAMPLE":                              errReferenceSecret, "db password=hunter2": errReferenceSecret,
	} {
		_, err := note(at, "other", "taken", reference)
		require.ErrorIs(t, err, want, reference)
		require.NotContains(t, err.Error(), "hunter2")
	}
	_, err = note(time.Now().Add(time.Hour), "other", "taken", "tomorrow")
	require.ErrorContains(t, err, "is in the future")
}
