package web

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An entry of the runbook is read as paragraphs of text and code; of a link its text stays.
func TestEntriesOfTheRunbookAreRead(t *testing.T) {
	t.Parallel()
	require.Equal(t, [][]passage{
		{{Text: "Run "}, {"levy backup", true}, {Text: ", and see "}, {Text: "why\nit did not"}, {Text: "."}},
		{{Text: "<b> & `half"}},
	}, prose("Run `levy backup`, and see [why\nit did not](../runbook.md#backups).\n\n<b> & `half"))
}
