package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestNewID(t *testing.T) {
	t.Parallel()
	previous := ""
	for range 10_000 {
		id := models.NewID(models.PrefixTransaction)
		require.True(t, models.IsID(models.PrefixTransaction, id), id)
		require.Greater(t, id, previous, "identifiers sort by the time of their creation")
		previous = id
	}
}

func TestIsID(t *testing.T) {
	t.Parallel()
	good := models.NewID("txn")
	for name, bad := range map[string]string{
		"another kind":      "org_" + good[4:],
		"too short":         good[:len(good)-1],
		"too long":          good + "0",
		"upper case":        "txn_" + "01JX4M9A2BFQV8M1X0C5T7HKDE",
		"letter u":          good[:len(good)-1] + "u",
		"more than 128 bit": "txn_8" + good[5:],
		"empty":             "",
	} {
		require.False(t, models.IsID("txn", bad), name)
	}
	require.True(t, models.IsID("txn", "txn_01jx4m9a2bfqv8m1x0c5t7hkde"))
}

func TestNormalizeName(t *testing.T) {
	t.Parallel()
	for name, same := range map[string][2]string{
		"letter case":   {"Acme INC", "acme inc"},
		"white space":   {"  Acme \t Inc ", "Acme Inc"},
		"width":         {"Ａcme", "acme"},
		"folding of ß":  {"Straße", "STRASSE"},
		"composed form": {"Café", "Cafe\u0301"},
	} {
		require.Equal(t, models.NormalizeName(same[0]), models.NormalizeName(same[1]), name)
	}
	require.NotEqual(t, models.NormalizeName("Acme"), models.NormalizeName("Acme 2"))
}

func TestIDsIn(t *testing.T) {
	t.Parallel()
	a, b := models.NewID("cust"), models.NewID("org")
	document := `{"id":"` + a + `","of":["` + b + `","` + a + `"],"cust_x":"cust_","text":"see ` +
		models.NewID("cust") + `","end":"cust_01jx`
	require.Equal(t, []string{a, b}, models.IDsIn([]byte(document), "cust", "org", "user"))
}
